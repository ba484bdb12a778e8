"""Block cleaning and the article test (Pasternack & Roth 2009, sections 4.1, 4.2)."""

import pytest

from tests.extractors.mss.pages import news, text_of
from winnow.document.document import Document
from winnow.extractors.mss.cleaning import ArticleSize, cleaned, size_of
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


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", ArticleSize(0, 0)),
        ("Menu\n\nHome", ArticleSize(0, 0)),
        ("One. Two! Three?", ArticleSize(1, 3)),
        ("He said “No.” Then 3.5 per cent.\n\nShe left...", ArticleSize(2, 3)),
        ("河水上涨。道路被淹没！\n\n真的吗？", ArticleSize(2, 3)),
    ],
)
def test_sentences_and_paragraphs_are_counted(text: str, size: ArticleSize) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize(
    ("paragraphs", "sentences", "is_article"),
    [(2, 8, True), (1, 8, False), (2, 7, False), (9, 9, True)],
)
def test_two_paragraphs_and_eight_sentences_are_an_article(
    paragraphs: int, sentences: int, is_article: bool
) -> None:
    assert ArticleSize(paragraphs, sentences).is_article is is_article


def test_the_article_test_refuses_a_brief_and_says_why() -> None:
    document = Document.from_html("<div><p>It rained all day.</p><p>Then it stopped.</p></div>")
    refused = Mss(article=True).extract(document)
    assert refused.spans == ()
    assert "no article" in refused.reasons[0]


def test_an_article_passes_its_test_and_is_cleaned() -> None:
    ad = "<div>Buy <a href=x>umbrellas</a></div>"
    html = news(3).replace("<p>Nobody", ad + "<p>Nobody")
    assert "umbrellas" in text_of(Mss(article=True), html)
    assert "umbrellas" not in text_of(Mss(article=True, clean=True), html)
    assert "and so it ended." in text_of(Mss(article=True, clean=True), html)
