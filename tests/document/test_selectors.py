"""Selectors find what CSS says they find, and name an element so that they find it again."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.document.document import Document
from winnow.document.errors import SelectorError
from winnow.document.selectors import select, selector_of

PAGE = (
    "<html><body><div id=main class='box wide'><p class=lead>One</p><p data-kind=note>Two</p>"
    "<section><div class=box><p class='lead box'>Three</p></div></section></div>"
    "<ul class=menu><li><a href=/>Home</a><li class='box x1234'>Last</ul></body></html>"
)


@pytest.fixture
def document() -> Document:
    return Document.from_html(PAGE)


def as_lexbor(selector: str) -> list[str]:
    return [node.text() for node in LexborHTMLParser(PAGE).css(selector)]


def texts(document: Document, selector: str) -> list[str]:
    elements = document.elements
    found = []
    for element in select(document, selector):
        first, last = elements.first_piece[element], elements.last_piece[element]
        pieces = range(int(first), int(last))
        found.append(
            "".join(
                document.text[document.pieces.start[piece] : document.pieces.end[piece]]
                for piece in pieces
            )
        )
    return found


@pytest.mark.parametrize(
    "selector",
    [
        "p",
        "*.box",
        ".lead",
        "#main > p",
        "#main p",
        "div div > p.lead.box",
        "body > ul li",
        "[data-kind]",
        "p[data-kind=note]",
        "p[data-kind='other']",
        "section.box",
        "div.box.wide > section > div",
        "html > p",
        "p:nth-of-type(1)",
        "p:nth-of-type(2)",
        "div.box:nth-of-type(1) p",
        "#main > p[data-kind]:nth-of-type(2)",
        "body > ul > li:nth-of-type(2)",
        ".\N{GRINNING FACE}",
    ],
)
def test_it_finds_what_a_browser_engine_finds(document: Document, selector: str) -> None:
    assert texts(document, selector) == as_lexbor(selector)


@pytest.mark.parametrize(
    "selector",
    [
        "",
        "p:hover",
        "p,",
        "> p",
        "p >",
        "a" * 400,
        "p[x",
        "1a",
        ":nth-of-type(1)",
        "*:nth-of-type(1)",
        "p:nth-of-type(0)",
        "p:nth-of-type(2n)",
        "p:nth-of-type(1).a",
    ],
)
def test_what_is_no_selector_is_an_error(document: Document, selector: str) -> None:
    with pytest.raises(SelectorError):
        select(document, selector)


def test_a_named_element_is_found_again(document: Document) -> None:
    for element in range(len(document.elements)):
        name = selector_of(document, element)
        if document.name_of(element) in ("html", "head", "body"):
            assert name in ("", "head", "html")
        else:
            assert element in select(document, name)


def test_names_that_look_made_for_one_page_are_left_out(document: Document) -> None:
    last = select(document, "li.box")[0]
    assert selector_of(document, last) == "ul.menu > li.box"
