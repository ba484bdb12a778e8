"""Teasers of one form are articles of their own; sections of a text are none."""

from __future__ import annotations

import json

import pytest

from tests.document.render.pages import whole
from winnow.document.document import Document
from winnow.document.render.reader.reader_page import ReaderRenderer
from winnow.document.render.text.text_renderers import JsonRenderer
from winnow.document.spans import RecordKind
from winnow.document.values import Comments
from winnow.engine.records.page_records import with_records

CARD = "<div class=card><h2><a href=/{0}>Topic {0}</a></h2><p>What is said of {0}.</p></div>"
LONG = "<p>" + "And more of it. " * 30 + "</p>"


def shown(markup: str) -> str:
    document = Document.from_html(markup, "https://example.org/news/")
    extraction = with_records(document, whole(document), Comments.FOLD)
    return ReaderRenderer().render(document, extraction).body.decode()


def cards(markup: str) -> int:
    return shown(f"<p>before</p><div>{markup}</div><p>behind</p>").count('<article class="card">')


@pytest.mark.parametrize("number", [3, 7])
def test_teasers_side_by_side_are_cards(number: int) -> None:
    assert cards("".join(CARD.format(name) for name in range(number))) == number


def test_a_card_within_a_card_is_none() -> None:
    inner = CARD.replace("<h2>", "<div class=text><h2>").replace("</h2>", "</h2></div>")
    assert cards("".join(inner.format(name) for name in range(3))) == 3


@pytest.mark.parametrize(
    "markup",
    [
        CARD.format(1) + CARD.format(2),
        "".join(CARD.replace("a href=/{0}", "b").format(name) for name in range(3)),
        "".join(CARD.replace("=/{0}", "=#s{0}").format(name) for name in range(3)),
        "".join(CARD.replace("</div>", LONG + "</div>").format(name) for name in range(3)),
        "".join(CARD.replace("=card", "=c{0}").format(name) for name in range(3)),
        "".join(f"<h2><a href=/{name}>Topic</a></h2><p>Text</p>" for name in range(3)),
    ],
)
def test_what_is_no_set_of_teasers_has_no_cards(markup: str) -> None:
    assert cards(markup) == 0


def test_headings_of_cards_keep_their_levels() -> None:
    page = shown("<h2>All</h2><div>" + "".join(CARD.format(name) for name in range(3)) + "</div>")
    assert page.count("<h2") == 4
    assert "<h3" not in page


def test_cards_are_records_of_an_extraction_and_no_posts() -> None:
    markup = "".join(CARD.format(name) for name in range(3))
    document = Document.from_html(f"<p>before</p><div>{markup}</div>", "https://example.org/")

    found = with_records(document, whole(document), Comments.FOLD)

    texts = [
        " ".join(document.text[span.start : span.end] for span in record.spans)
        for record in found.records
    ]
    assert [record.kind for record in found.records] == [RecordKind.CARD] * 3
    assert [text.split()[:2] for text in texts] == [["Topic", "0"], ["Topic", "1"], ["Topic", "2"]]
    assert json.loads(JsonRenderer().render(document, found).body)["posts"] is None
