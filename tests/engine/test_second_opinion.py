"""How much other methods agree with what was found."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.engine.second_opinion import agreement

WORDS = "The river rose overnight, and by morning the village stood on the bridge. " * 6
DOCUMENT = Document.from_html(
    "<ul><li><a href=/1>Home</a><li><a href=/2>News</a><li><a href=/3>Weather</a></ul>"
    f"<article>{f'<p>{WORDS}</p>' * 5}</article>"
)


def found(start: int, end: int) -> Extraction:
    return Extraction("own", (Span(start, end),) if end > start else ())


def test_what_all_methods_find_is_agreed_on_and_its_opposite_is_not() -> None:
    text = DOCUMENT.text
    article = text.index("The river")
    right, half = found(article, len(text)), found(article, article + (len(text) - article) // 2)
    assert agreement(DOCUMENT, right) > 0.95
    assert 0.5 < agreement(DOCUMENT, half) < 0.8
    assert agreement(DOCUMENT, found(0, article)) < 0.1
    assert agreement(DOCUMENT, found(0, 0)) < 0.1


def test_a_page_without_words_is_agreed_on() -> None:
    assert agreement(Document.from_html("<img src=a.png>"), found(0, 0)) == 1
