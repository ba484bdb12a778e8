"""What pages are for, decided line by line of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.document.document import Document
from winnow.document.values import Extraction, Purpose, Span
from winnow.engine.purpose.page_purpose import purpose_of
from winnow.engine.purpose.purpose_signs import PageSigns, signs_of

ARTICLE = PageSigns(
    "Rain", "", "article", 0.95, 800, 500, 80, 500, 0.0, 0, 0, 0, False, 0, 0, frozenset(), 9, 0, 0
)
MARKED = replace(ARTICLE, types=frozenset({"NewsArticle"}))
SHORT = replace(ARTICLE, page_type="listing", words=90, prose=30, shown_prose=30, confidence=0.05)


OFFER = replace(ARTICLE, page_type="product", types=frozenset({"Product"}))


@pytest.mark.parametrize(
    ("signs", "purpose"),
    [
        (ARTICLE, Purpose.ARTICLE),
        (replace(ARTICLE, page_type="documentation"), Purpose.DOCUMENTATION),
        (replace(ARTICLE, page_type="forum"), Purpose.THREAD),
        (replace(ARTICLE, types=frozenset({"DiscussionForumPosting"})), Purpose.THREAD),
        (replace(ARTICLE, types=frozenset({"QAPage"})), Purpose.QUESTION),
        (replace(ARTICLE, types=frozenset({"Recipe"})), Purpose.RECIPE),
        (replace(ARTICLE, page_type="product"), Purpose.PRODUCT),
        (replace(OFFER, secrets=1, prose=240), Purpose.PRODUCT),
        (replace(ARTICLE, page_type="listing", types=frozenset({"Product"})), Purpose.PRODUCT),
        (replace(ARTICLE, page_type="listing", words=1200), Purpose.INDEX),
        (replace(ARTICLE, page_type="listing"), Purpose.ARTICLE),
        (replace(ARTICLE, linked=0.7), Purpose.INDEX),
        (replace(MARKED, linked=0.7), Purpose.ARTICLE),
        (replace(SHORT, fields=3), Purpose.FORM),
        (replace(SHORT, words=20, prose=0, searches=1), Purpose.FORM),
        (replace(SHORT, words=3, prose=0), Purpose.APPLICATION),
        (replace(SHORT, editors=1), Purpose.APPLICATION),
        (replace(SHORT, players=1), Purpose.APPLICATION),
        (replace(SHORT, title="404 Not Found"), Purpose.ERROR),
        (replace(SHORT, title="Just a moment..."), Purpose.ERROR),
    ],
)
def test_what_a_page_holds_says_what_it_is_for(signs: PageSigns, purpose: Purpose) -> None:
    found, reason = purpose_of(signs)
    assert found is purpose
    assert reason.endswith(".")


@pytest.mark.parametrize(
    "signs",
    [
        replace(SHORT, secrets=1),
        replace(ARTICLE, secrets=1, prose=300),
        replace(ARTICLE, secrets=1, secrets_inside=1),
        replace(ARTICLE, secrets=1, confidence=0.9),
        replace(ARTICLE, secrets=1, title="Create an account"),
        replace(ARTICLE, secrets=1, headline="Anmelden"),
        replace(MARKED, secrets=1, prose=90),
        replace(MARKED, secrets=1, title="Log in", confidence=0.8),
        replace(ARTICLE, secrets=1, page_type="listing", types=frozenset({"Product"})),
        replace(OFFER, secrets=1, prose=280),
    ],
)
def test_a_secret_that_may_belong_to_the_page_makes_it_a_form(signs: PageSigns) -> None:
    assert purpose_of(signs)[0] is Purpose.FORM
    assert purpose_of(replace(signs, secrets=0, secrets_inside=0))[0] is not Purpose.FORM


def test_a_sign_in_box_beside_an_article_does_not_veto() -> None:
    assert purpose_of(replace(ARTICLE, secrets=1))[0] is Purpose.ARTICLE
    assert purpose_of(replace(MARKED, secrets=2, prose=150))[0] is Purpose.ARTICLE


def test_a_sign_in_box_in_the_header_of_a_short_article_does_not_veto() -> None:
    short = replace(ARTICLE, secrets=1, secrets_aside=True, prose=120)
    assert purpose_of(short)[0] is Purpose.ARTICLE
    for signs in (
        replace(short, secrets_aside=False),
        replace(short, prose=90),
        replace(short, confidence=0.5),
        replace(short, page_type="service"),
        replace(short, title="Log in"),
    ):
        assert purpose_of(signs)[0] is Purpose.FORM


def test_secrets_are_aside_where_each_of_them_is() -> None:
    box, field = "<header><input type=password name=p></header>", "<input type=password name=q>"
    for page, aside in (
        (box, True),
        (f"{box}<aside>{field}</aside>", True),
        (f"{box}<p>{field}</p>", False),
        (f"{box}<template>{field}</template>", False),
        ("<p>none", False),
    ):
        assert signs_of(Document.from_html(page), Extraction("x")).secrets_aside is aside, page


def test_a_sure_text_under_its_headline_is_an_article_whatever_stands_beside_it() -> None:
    named = replace(
        ARTICLE,
        title="The flood of the century - News",
        headline="The flood of the century",
        secrets=1,
    )
    text = replace(named, page_type="listing", prose=200, sure=150, confidence=0.5)
    assert purpose_of(text)[0] is Purpose.ARTICLE
    assert (
        purpose_of(
            replace(text, title="新闻：百年一遇的大洪水来了", headline="百年一遇的大洪水来了")
        )[0]
        is Purpose.ARTICLE
    )
    assert purpose_of(replace(text, secrets=0, words=9000))[0] is Purpose.ARTICLE
    for signs in (
        replace(text, headline="The flood of the year", title="The flood"),
        replace(text, title="All about it - The Flooded Weekly", headline="The Flooded Weekly"),
        replace(text, headline=""),
        replace(text, headline="Another flood"),
        replace(text, sure=90),
        replace(text, fields=3),
        replace(text, linked=0.3),
        replace(text, page_type="service"),
        replace(text, title="The flood of the century - Log in"),
        replace(text, secrets_inside=1),
    ):
        assert purpose_of(signs)[0] is Purpose.FORM


def test_beside_a_field_for_a_secret_the_headline_is_what_the_title_says() -> None:
    said = "<p>Menu of the paper</p><div>The great flood</div><p>It rained all day.</p>"
    page = f"<title>The great flood - News</title><body>{said}"
    field = "<input type=password name=p>"
    for html, headline in ((f"{page}{field}", "The great flood"), (page, ""), (said + field, "")):
        assert signs_of(Document.from_html(html), Extraction("x")).headline == headline


PROSE = "one two three four five six seven eight nine ten"
PAGE = f"""<head><title> A  title </title><meta property="og:type" content="Article">
<script type="application/ld+json">
{{"@type": ["NewsArticle"], "author": {{"@type":"Person"}}}}</script>
<body><header><form><input type=password name=p><input name=user></form></header>
<h1>Head <b>line</b></h1><p>{PROSE}</p><form><input type=search name=q><input type=hidden name=h>
<input name=city><input type=checkbox><textarea name=t></textarea><input name="card-number"></form>
<p itemscope itemtype="https://schema.org/Thing">{PROSE}</p><div hidden><input name=gone></div>
<noscript><p>{PROSE}</p></noscript><video></video>"""


def test_the_signs_are_read_off_the_page() -> None:
    document = Document.from_html(PAGE)
    spans = tuple(
        Span(at, at + len(PROSE))
        for at in range(len(document.text))
        if document.text.startswith(PROSE, at)
    )
    found = Extraction("x", spans[:2], confidence=0.5, page_type="article", sure=spans[:1])
    signs = signs_of(document, found)
    assert (signs.title, signs.headline) == ("A title", "Head line")
    assert (signs.prose, signs.longest, signs.shown_prose, signs.sure) == (20, 10, 30, 10)
    assert signs.words == 22
    assert (signs.secrets, signs.secrets_inside) == (2, 1)
    assert (signs.fields, signs.searches) == (2, 1)
    assert signs.types == {"NewsArticle", "Person", "Thing", "og:article"}
    assert (signs.scripts, signs.players, signs.editors) == (1, 1, 0)


def test_a_page_without_text_has_signs_too() -> None:
    signs = signs_of(
        Document.from_html("<canvas></canvas><div contenteditable=true></div>"), Extraction("x")
    )
    assert (signs.words, signs.prose, signs.editors) == (0, 0, 2)


@pytest.mark.parametrize(("linked", "prose"), [(9, 30), (10, 0), (20, 0)])
def test_what_is_linked_for_a_third_is_no_prose(linked: int, prose: int) -> None:
    document = Document.from_html(
        f"<p><a href=/>{'link ' * linked}</a>{'word ' * (30 - linked)}</p>"
    )
    signs = signs_of(document, Extraction("x", (Span(0, len(document.text)),)))
    assert signs.prose == prose
