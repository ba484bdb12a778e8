"""Why a block was left out, in a word: what is around it says what it is, then links and place."""

from __future__ import annotations

import pytest

from tests.winnow.conftest import ARTICLE
from winnow.document.document import Document
from winnow.document.values import Page, Recipe
from winnow.features.why.explaining import explain
from winnow.features.why.page_parts import JudgedBlocks

TEXT = f"<p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p>"


def reason(before: str = "", after: str = "", drop: tuple[str, ...] = ()) -> str:
    """The reason of the block that holds the word ``this``."""
    html = f"<body><div>{before}</div><div id=x>{ARTICLE[0]}</div><div>{after}</div>"
    page = Page(html.encode(), "https://farm.example/")
    found = explain(page, Recipe("largest-block", drop=drop))
    return next(each.reason for each in found.passages if "this" in each.text.split())


@pytest.mark.parametrize(
    ("markup", "named"),
    [
        ("<nav><ul><li><a href=/a>this</a></ul></nav>", "menu"),
        ("<div role=navigation><a href=/a>this</a></div>", "menu"),
        ("<div class='ad-box top'><p>Buy this now</p></div>", "ad"),
        ("<div id=sponsoredContent><p>Buy this now</p></div>", "ad"),
        ("<div class=cookieConsent>We use this</div>", "cookies"),
        ("<footer><p>All of this is ours</p></footer>", "footer"),
        ("<footer><nav><a href=/a>this</a></nav></footer>", "menu"),
        ("<form action=/x><label>this</label></form>", "form"),
        ("<aside><p>Weather of this day is fine and mild</p></aside>", "beside"),
        ("<aside><a href=/a>this</a></aside>", "links"),
        ("<div><a href=/a>this</a> <a href=/b>that</a></div>", "links"),
        ("<section id=comments><p>I like this</p></section>", "comments"),
        ("<div class='share-buttons'>Tell this</div>", "sharing"),
        ("<div class=newsletter>Get this by mail</div>", "subscribing"),
        ("<div class='related-stories'><p>Read this too</p></div>", "related"),
        ("<div class=byline>By this author</div>", "about"),
        ("<p class=shadow>Not one of this is named</p>", "after"),
    ],
)
def test_what_is_around_a_block_says_what_it_is(markup: str, named: str) -> None:
    assert reason(after=markup) == named


def test_what_says_nothing_of_itself_stands_before_or_behind_the_text() -> None:
    assert reason(before="<p>Before all of this there was rain</p>") == "before"
    assert reason(after="<p>After all of this there was sun</p>") == "after"


def test_an_element_that_holds_kept_text_says_nothing_of_what_is_left_out() -> None:
    html = f"<body><div class=comments><p>this</p>{TEXT}{TEXT}</div>"
    found = explain(Page(html.encode(), "https://farm.example/"), Recipe("largest-block"))
    assert "comments" not in {each.reason for each in found.passages}


def test_a_rule_of_the_site_is_named_before_all_else() -> None:
    assert reason(after="<nav><p class=x>this</p></nav>", drop=(".x",)) == "rule"


def test_where_nothing_was_kept_there_was_no_article() -> None:
    page = Page(f"<body><div>this is it</div>{TEXT}".encode(), "https://farm.example/")
    found = explain(page, Recipe("lqf", drop=("body",)))
    assert {each.reason for each in found.passages} <= {"rule", "no-article"}


def test_neighbouring_links_are_not_run_together() -> None:
    markup = "<nav><a href=/v>Valley</a><a href=/p>Politics</a><a href=/s>Sport</a></nav>"
    html = f"<body>{markup}<main>{TEXT}</main>"
    found = explain(Page(html.encode(), "https://farm.example/"), Recipe("bte"))
    assert found.passages[0].text == "Valley Politics Sport"


BESIDE = [("p", "beside")] * 2


def parts(html: str) -> list[tuple[str, str]]:
    document = Document.from_html(html, "https://farm.example/")
    judged = JudgedBlocks.of(document, Recipe("largest-block"))
    return [
        (document.name_of(part.element), part.reason.value if part.reason else "kept")
        for part in judged.parts()
    ]


def test_a_menu_is_one_part_and_paragraphs_are_parts_of_their_own() -> None:
    menu = "<nav><ul><li><a href=/a>Home</a><li><a href=/b>Shop</a></ul></nav>"
    aside = f"<aside>{''.join(f'<p>{text}</p>' for text in ('Read more of it. ' * 4,) * 2)}</aside>"
    found = parts(f"<body>{menu}<div>{TEXT}</div>{menu}{aside}")
    assert found == [("nav", "menu"), *[("p", "kept")] * 2, ("nav", "menu"), *BESIDE]


def test_text_beside_elements_is_a_part_too() -> None:
    found = parts(f"<body><section>Loose words<div>{ARTICLE[0]}</div></section>")
    assert found == [("section", "before"), ("div", "kept")]
