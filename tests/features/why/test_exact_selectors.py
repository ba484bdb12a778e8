"""A selector of one element finds that element alone, here and in a browser engine."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from winnow.document.document import Document
from winnow.document.selectors import select, selector_of
from winnow.features.why.part_selectors import ExactSelectors

NAMES = st.sampled_from(["div", "div", "section", "article", "span", "ul", "strange-name"])
CLASSES = st.lists(st.sampled_from(["card", "lead", "x1234", "b", "1a"]), max_size=3)
IDS = st.sampled_from(["", "", "", "main", "top", "n98765"])
Tree = tuple[str, list[str], str, list["Tree"]]
TREES: st.SearchStrategy[Any] = st.recursive(
    st.tuples(NAMES, CLASSES, IDS, st.just([])),
    lambda below: st.tuples(NAMES, CLASSES, IDS, st.lists(below, max_size=5)),
    max_leaves=25,
)


def written(trees: list[Tree]) -> str:
    """Elements of which each has a number of its own."""
    numbers = count()

    def one(tree: Tree) -> str:
        name, classes, mark, below = tree
        shown = f" id={mark}" if mark else ""
        inside = "".join(map(one, below)) or "words"
        return (
            f'<{name} data-n={next(numbers)} class="{" ".join(classes)}"{shown}>{inside}</{name}>'
        )

    return f"<!doctype html><html><body>{''.join(map(one, trees))}</body></html>"


@given(st.lists(TREES, min_size=1, max_size=6))
def test_on_any_page_each_element_is_found_alone(trees: list[Tree]) -> None:
    html = written(trees)
    document, parsed = Document.from_html(html), LexborHTMLParser(html)
    names = ExactSelectors(document)
    for element in range(len(document.elements)):
        number = document.attributes_of(element).get("data-n")
        if number is None:
            continue
        selector = names.of(element)
        assert select(document, selector) == [element]
        assert [node.attributes["data-n"] for node in parsed.css(selector)] == [number]


def test_one_of_many_equal_elements_is_meant_alone() -> None:
    document = Document.from_html("<body><div>" + "<p class=note>Words</p>" * 3 + "</div></body>")
    second = select(document, "p")[1]
    assert select(document, selector_of(document, second)) == select(document, "p")
    assert ExactSelectors(document).of(second) == "div > p.note:nth-of-type(2)"


def test_a_name_that_is_unique_needs_no_place() -> None:
    document = Document.from_html("<body><div><p>a<p class=lead>b</div><div>c</div></body>")
    (lead,) = select(document, "p.lead")
    assert ExactSelectors(document).of(lead) == "p.lead"
    last = select(document, "div")[1]
    assert ExactSelectors(document).of(last) == "body > div:nth-of-type(2)"


@pytest.mark.parametrize("depth", [100, 500])
def test_what_would_be_too_long_has_none(depth: int) -> None:
    document = Document.from_html("<body>" + "<div><b></b>" * depth)
    assert ExactSelectors(document).of(select(document, "b")[-1]) == ""


def test_the_page_s_body_has_none() -> None:
    document = Document.from_html("<head><title>x</title></head><body><p>x</body>")
    for name in ("html", "body"):
        assert ExactSelectors(document).of(select(document, name)[0]) == ""
