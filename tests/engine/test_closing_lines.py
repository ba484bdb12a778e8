"""Lines behind an article that say what they are go; the same words elsewhere stay."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.engine.article_edges import article_edges

PROSE = "The ferry carried its first passengers on Monday, although it had rained since dawn."
STORY = f"<p>{PROSE} {PROSE}</p>" * 4
TEASERS = "".join(
    f"<p><a href=/{at}>Council delays its vote</a></p><p>It rained.</p>" for at in "abc"
)


def gone(html: str, page_type: str | None = "article") -> str:
    """What goes of a page that is kept whole."""
    document = Document.from_html(html)
    found = article_edges(document, np.ones(len(document.pieces), dtype=np.bool_), page_type)
    pieces = zip(document.pieces.start[found], document.pieces.end[found], strict=True)
    return " ".join(" ".join(document.text[start:end] for start, end in pieces).split())


@pytest.mark.parametrize(
    "line",
    [
        "\u00a9 2004 The Messenger",
        "Copyright 2004 by The Messenger.",
        "The Messenger. All rights reserved.",
        "Ellen Marsh is a staff writer at the Messenger.",
        "You can email Amy Marsh at amy@example.org.",
    ],
)
def test_a_last_line_about_rights_or_the_author_goes(line: str) -> None:
    assert gone(f"{STORY}<p>{line}</p>") == line
    assert gone(f"<p>{line}</p>{STORY}") == ""


@pytest.mark.parametrize(
    "heading",
    [
        "About the author",
        "\u041e\u0431 \u0430\u0432\u0442\u043e\u0440\u0435",
        "\u4f5c\u8005\u7b80\u4ecb",
    ],
)
def test_a_description_of_the_author_goes_with_its_heading(heading: str) -> None:
    assert gone(f"{STORY}<h3>{heading}</h3><p>She lives here.</p>") == f"{heading} She lives here."
    assert gone(f"{STORY}<h3>{heading}</h3>{STORY}{STORY}") == ""


@pytest.mark.parametrize(
    "heading",
    [
        "Related articles",
        "You may also enjoy",
        "Lire aussi :",
        "More on this story",
        "Elsewhere on the Courier",
        "Most read",
    ],
)
def test_related_articles_go_with_their_heading(heading: str) -> None:
    assert gone(f"{STORY}<h3>{heading}</h3>{TEASERS}").startswith(heading)
    assert gone(f"{STORY}<h3>{heading}</h3>{TEASERS}{STORY}") == ""
    assert gone(f"{STORY}<h3>{heading}</h3><p>{PROSE}</p>") == ""


@pytest.mark.parametrize("heading", ["More on the mill", "More on the", "Most people"])
def test_another_heading_opens_none(heading: str) -> None:
    assert gone(f"{STORY}<h3>{heading}</h3>{TEASERS}") == ""


@pytest.mark.parametrize(
    "line",
    [
        "Protagonist Monk (played by Wright) is an author and professor of letters.",
        "Copyright law was changed in May, and nobody on either bank of the river knew what it "
        "would mean for them in the years to come.",
        "Related words",
    ],
)
def test_a_line_of_the_article_stays(line: str) -> None:
    assert gone(f"{STORY}<p>{line}</p>") == ""


def test_other_pages_lose_what_is_said_of_rights_alone() -> None:
    end = "<h3>About the author</h3><p>She lives here.</p><p>\u00a9 2004 The Messenger</p>"
    assert gone(STORY + end, "product") == "\u00a9 2004 The Messenger"
    assert gone(STORY + end, None) == ""
    assert gone(end) == ""
