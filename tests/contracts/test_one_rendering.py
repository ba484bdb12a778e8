"""Each block of an article's tree stands in every format, but for what EXCEPTIONS lists.

The golden pages are tried; one that is listed and needs no exception any more fails, too.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator

import pytest

from tests.pages import golden
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Format, Recipe
from winnow.features.books.binding import sentences_of

EXCEPTIONS = (
    (
        "who wrote it, and when, stands above the text",
        "voice basic",
        "byline dates-arabic dates-chinese dates-french",
    ),
    (
        "the posts' authors and days are in the field posts, not in plain text",
        "text json",
        "forum-discourse forum-fluxbb forum-hacker-news forum-json-ld forum-phpbb forum-reddit "
        "forum-vbulletin forum-xenforo mailing-list question reviews",
    ),
    ("the link of a player or a frame is no text", "text json", "iframes noscript-frame players"),
    ("what the page's data state is in the field facts", "text json", "recipe"),
    ("a formula is TeX where the tree has MathML", "text markdown json basic", "mathml formulas"),
    ("a formula is TeX where the tree has MathML", "text markdown json basic", "tex-scripts"),
    ("a picture of a formula has no words", "epub speech", "formulas"),
    ("marks of notes and amounts are said in words", "voice", "closing-quotation footnotes"),
    ("marks of notes and amounts are said in words", "voice", "news-article small-chaff"),
    ("Markdown takes an address for a link, and escapes signs", "markdown", "pre small-chaff"),
)
"""Why, in which formats, on which golden pages; of speech see ``NOT_SPOKEN``."""
NOT_SPOKEN = "pre table code math figcaption nav"
"""What stands in the tree and is not read aloud, or in other words."""
_MARKDOWN = re.compile(r"\]\([^()\s]*\)|&nbsp;|<[^<>]*>")


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def blocks(markup: str, but_in: str = "") -> Iterator[str]:
    """The letters of each block of a tree that has any."""
    document = Document.from_html(markup)
    every, left_out = blocks_of(document), document.inside_tags(but_in) if but_in else None
    for start, end, first in zip(every.start, every.end, every.first_piece, strict=True):
        found = letters(document.text[start:end])
        if found and (left_out is None or not left_out[first]):
            yield found


def listed(name: str) -> set[str]:
    """The formats in which a golden page has an exception."""
    return {
        form for _, forms, pages in EXCEPTIONS for form in forms.split() if name in pages.split()
    }


def said(name: str) -> dict[str, str]:
    """The letters of a golden page in each format."""

    def read(file: str) -> str:
        return (golden.FOLDER / name / file).read_text("utf-8")

    return {
        "text": letters(read("expected.txt")),
        "markdown": letters(_MARKDOWN.sub("", read("expected.md"))),
        "json": letters(json.loads(read("expected.json"))["textContent"] or ""),
        "voice": letters(Document.from_html(read("expected.voice.html")).text),
        "basic": letters(Document.from_html(read("expected.basic.html")).text),
        "epub": book(name),
    }


def book(name: str) -> str:
    document = Document.from_html((golden.FOLDER / name / "source.html").read_bytes(), golden.URL)
    made = renderer_for(Recipe(format=Format.EPUB)).render(document, golden.marked(document)).body
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        names = [each for each in archive.namelist() if each.endswith(".xhtml")]
        pages = [Document.from_html(archive.read(each).decode()) for each in names]
    return "".join(letters(page.text) for page in pages)


@pytest.mark.parametrize("name", golden.names())
def test_each_block_stands_in_each_format(name: str) -> None:
    record = json.loads((golden.FOLDER / name / "expected.json").read_text("utf-8"))
    every = list(blocks(record["content"] or ""))
    lost = {form for form, text in said(name).items() if any(block not in text for block in every)}

    assert lost == listed(name) - {"speech"}


@pytest.mark.parametrize("name", golden.names())
def test_each_block_of_prose_is_spoken(name: str) -> None:
    record = json.loads((golden.FOLDER / name / "expected.json").read_text("utf-8"))
    parts = (text for each in sentences_of(record, {}) for _, text in each.parts)
    spoken = letters(" ".join(parts))
    prose = blocks(record["content"] or "", NOT_SPOKEN)

    assert any(block not in spoken for block in prose) == ("speech" in listed(name))
