"""Lists of other stories around an article go; lists that are the content stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from winnow.document.document import Document
from winnow.engine.article_edges import article_edges

PROSE = "The ferry carried its first passengers on Monday, although it had rained since dawn."
STORY = "".join(f"<p>{at}. {PROSE} {PROSE}</p>" for at in range(4))
HEADLINE = "<a href=/{0}>Council delays its vote again</a>"
Record = Callable[[int], str]


def one_block(at: int) -> str:
    return (
        f"<p>{at + 1} March 2004 {HEADLINE.format(at)} The building costs more than was saved.</p>"
    )


def three_blocks(at: int) -> str:
    return (
        f"<p>{HEADLINE.format(at)}</p><p>2004-03-{at + 10}</p><p>It costs more than was saved.</p>"
    )


def undated(at: int) -> str:
    return f"<p>{HEADLINE.format(at)} The building costs more than was saved.</p>"


def listed(record: Record, number: int = 4) -> str:
    return "".join(map(record, range(number)))


def left(html: str, page_type: str | None = "article") -> str:
    """The text of a page that is kept whole but for ``<h5>``, without other stories."""
    document = Document.from_html(html)
    kept = ~document.inside_tags("h5")
    kept &= ~article_edges(document, kept, page_type)
    pieces = zip(document.pieces.start[kept], document.pieces.end[kept], strict=True)
    return " ".join(document.text[start:end] for start, end in pieces)


@pytest.mark.parametrize("record", [one_block, three_blocks])
@pytest.mark.parametrize("page", ["{list}<h1>Ferry</h1>{story}", "{story}{list}", "{list}{story}"])
def test_dated_headlines_around_an_article_go(record: Record, page: str) -> None:
    found = left(page.format(list=listed(record), story=STORY))
    assert "Council" not in found
    assert "costs more" not in found
    assert found.count("Monday") == STORY.count("Monday")


def test_what_stands_above_a_list_goes_with_it() -> None:
    assert "More news" not in left(f"{STORY}<b>More news</b>{listed(one_block)}")
    assert "In short." in left(f"{STORY}<p>In short.</p>{listed(one_block)}")


@pytest.mark.parametrize(
    "html",
    [
        f"{STORY}{listed(undated)}",
        f"{STORY}{listed(one_block)}{STORY}",
        f"{STORY}{listed(one_block, 2)}",
        f"<p>{PROSE}</p>{listed(one_block)}",
        f"{STORY}<ol>{listed(one_block)}</ol>",
    ],
    ids=["undated", "amid", "two", "no article", "references"],
)
def test_lists_that_may_be_content_stay(html: str) -> None:
    assert "Council" in left(html)


def test_an_undated_list_is_other_stories_where_the_only_headline_comes_behind_it() -> None:
    assert "Council" not in left(f"{listed(undated)}<h1>Ferry</h1>{STORY}")
    assert "Council" in left(f"<p>{PROSE}</p>{listed(undated)}<h1>Ferry</h1>{STORY}")
    assert "Council" in left(f"{listed(undated)}<h1>Ferry</h1>{STORY}<h1>Other</h1>")
    assert "Council" in left(f"{listed(undated)}<h1>Ferry</h1><p>{PROSE}</p>")


@pytest.mark.parametrize("page_type", ["article", "listing"])
def test_sentences_whose_headlines_were_not_kept_are_other_stories(page_type: str) -> None:
    def sentence(at: int) -> str:
        return f"<li><h5>{HEADLINE.format(at)}</h5><p>The Council pays, said {PROSE}</p></li>"

    menu = f"<ul>{listed(sentence, 3)}</ul><p>Sport</p><ul>{listed(sentence)}</ul>"
    assert "Council" not in left(f"{menu}<h1>Ferry</h1>{STORY}", page_type)
    assert "Council" in left(f"<h1>Ferry</h1>{menu}{STORY}", page_type)
    unlinked = menu.replace("<a ", "<b ").replace("</a>", "</b>")
    assert "Council" in left(f"{unlinked}<h1>Ferry</h1>{STORY}", page_type)


def test_an_undated_list_above_the_only_headline_goes_from_every_type_of_page() -> None:
    assert "Council" not in left(f"{listed(undated)}<h1>Ferry</h1>{STORY}", "listing")
    assert "Council" in left(f"<h1>News</h1>{listed(undated)}{STORY}", "listing")


def test_a_list_is_no_article_unless_its_headline_stands_behind_records() -> None:
    listing = f"<h1>News</h1>{STORY}{listed(one_block)}"
    between = f"{listed(one_block)}<h1>Ferry</h1>{STORY}{listed(one_block)}"
    assert "Council" in left(listing, "listing")
    assert "Council" not in left(between, "listing")
    assert "Council" in left(between, None)


def test_on_a_page_without_h1_the_line_of_its_title_is_its_headline() -> None:
    page = "<title>{title}</title>{list}<p><b>The ferry runs again</b></p>{story}"
    named = page.format(title="The ferry runs again - News", list=listed(one_block), story=STORY)
    other = page.format(title="News", list=listed(one_block), story=STORY)
    assert "Council" not in left(named, "listing")
    assert "Council" in left(other, "listing")
