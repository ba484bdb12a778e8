"""Block cleaning (Pasternack & Roth 2009, section 4.2)."""

import pytest

from tests.extractors.mss.pages import news, text_of
from winnow.document.document import Document
from winnow.extractors.mss.cleaning import cleaned
from winnow.extractors.mss.mss_extractors import Mss


def left_of(html: str, first: str = "First", last: str = "Last.") -> str:
    document = Document.from_html(html)
    start, end = document.text.index(first), document.text.index(last) + len(last)
    return " ".join(document.text[a:b] for a, b in cleaned(document, start, end)).replace("\n", " ")


@pytest.mark.parametrize(
    "junk",
    [
        "<table><tr><td>junk</table>",
        "<iframe src=x></iframe>",
        "<div>junk <a href=x>junk</a></div>",
        "<div><p>junk<img src=x></div>",
        "<div>junk<applet>junk</applet></div>",
        "<div>junk <div>junk <b><object>x</object></b></div></div>",
    ],
)
def test_tables_and_divs_with_links_or_media_go(junk: str) -> None:
    assert left_of(f"<div><p>First</p>{junk}<p>Last.</p></div>").split() == ["First", "Last."]


def test_a_div_of_text_stays() -> None:
    html = "<div><p>First</p><div>good <b>words</b></div><p>and <a href=x>links</a></p><p>Last."
    assert left_of(html).split() == "First good words and links Last.".split()


def test_what_is_around_the_block_does_not_count() -> None:
    assert left_of("<div><a href=/>Home</a><div><p>First</p><p>Last.</p></div></div>") == (
        "First  Last."
    )


def test_an_article_passes_its_test_and_is_cleaned() -> None:
    ad = "<div>Buy <a href=x>umbrellas</a></div>"
    html = news(3).replace("<p>Nobody", ad + "<p>Nobody")
    assert "umbrellas" in text_of(Mss(article=True), html)
    assert "umbrellas" not in text_of(Mss(article=True, clean=True), html)
    assert "and so it ended." in text_of(Mss(article=True, clean=True), html)
