"""Attributes, fragments and words in markup; the compiled loops find what the definitions say."""

from __future__ import annotations

from html import unescape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.document.parsing.test_scan import both_agree
from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.parsing import start_tags
from winnow.document.parsing.start_tags import (
    attributes_in_python,
    declared_in_python,
    fragments_in_python,
    holding_in_python,
    standing_in_python,
    with_word_in_python,
)

COMPILED = ("winnow.document.parsing._start_tags", "a C compiler (gcc) and Python's headers")
PIECES = st.sampled_from(
    [" ", "=", '"', '="', '" ', "a", "B", "é", "中", "\u00a0", "&amp;", "&", "<", ">", "#", "##",
     ' href="', ' href="#', ' href="/x#y"', ' id="z"', ' id="', ' xml:lang="', ' dir="', " HREF=",
     ' class="',     "author", "auth", "u", "🙂"]
)  # fmt: skip
MARKUP = st.lists(PIECES, max_size=20).map("".join)


def test_attributes_are_unescaped_and_the_first_counts() -> None:
    tag = '<a href="/?a&amp;b" CLASS="x" class="y" title="&quot;">'
    found = start_tags.attributes(tag, 0, len(tag))
    assert found == {"href": "/?a&b", "class": "x", "title": '"'}
    assert start_tags.attributes(tag, 0, len(tag), {"title"}) == {"title": '"'}
    assert start_tags.attributes(tag, 3, 8) == {}


def test_ids_languages_and_directions_are_found_tag_by_tag() -> None:
    tags = ('<p id="a">', "<b>", '<i lang="de" class="y" dir="rtl">', '<a name="&amp;">')
    markup = ' no id="x" '.join(tags)
    starts = np.array([markup.index(tag) for tag in tags], np.int32)
    ends = starts + np.array([len(tag) for tag in tags], np.int32)
    found = [(0, "id", "a"), (2, "lang", "de"), (2, "dir", "rtl"), (3, "name", "&amp;")]
    assert start_tags.declared(markup, starts, ends) == found


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ('<a href="#one">', ["one"]),
        ('<a href="/b?c#one#two">', ["one#two"]),
        ('<a href="#">', []),
        ('<a title="#no" href="/x">', []),
        ("""$('#no')</script><a href="#one">""", ["one"]),
    ],
)
def test_fragments_are_what_links_end_in(markup: str, found: list[str]) -> None:
    assert start_tags.fragments(markup) == found


def test_a_word_is_found_wherever_it_stands() -> None:
    assert start_tags.standing("author, coauthor, auth", "author", 1) == [0, 10]


@given(MARKUP, st.integers(0, 30), st.integers(0, 120), st.sampled_from([None, {"a", "href"}]))
def test_the_compiled_attributes_are_those_of_the_definition(
    markup: str, start: int, end: int, among: set[str] | None
) -> None:
    require_module(*COMPILED)
    found = start_tags.attributes(markup, start, end, among)
    assert list(found.items()) == list(attributes_in_python(markup, start, end, among).items())


@given(MARKUP, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 90)), max_size=4))
@example(' lang="xml:lang="" id="', [(0, 90), (1, 16), (0, 23), (0, 22)])
@example(' xml:lang="é中" dir="🙂" id=', [(0, 90), (1, 90)])
def test_the_compiled_declarations_are_those_of_the_definition(
    markup: str, bounds: list[tuple[int, int]]
) -> None:
    require_module(*COMPILED)
    starts, ends = np.array(bounds, np.int32).reshape(-1, 2).T.copy()
    found = start_tags.declared(markup, starts, ends)
    assert found == declared_in_python(markup, starts, ends)


NAMES = st.frozensets(st.sampled_from(["a", "href", "é中", "x-y", ""]), max_size=3)


@given(MARKUP, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 90)), max_size=4), NAMES)
@example('x-y a" href', [(0, 90), (1, 5), (0, 3), (2, 2)], frozenset({"a"}))
@example("é中\u2003a 🙂", [(0, 90), (1, 90)], frozenset({"é中"}))
def test_the_compiled_search_for_words_is_that_of_the_definition(
    markup: str, bounds: list[tuple[int, int]], names: frozenset[str]
) -> None:
    require_module(*COMPILED)
    starts, ends = np.array(bounds, np.int32).reshape(-1, 2).T.copy()
    found = start_tags.with_word(markup, starts, ends, names)
    assert found == with_word_in_python(markup, starts, ends, names)


def test_a_name_is_a_whole_word_of_a_value() -> None:
    values = ["a b", "b", "bb", "a-b", ""]
    ends = np.cumsum([len(value) for value in values]).astype(np.int32)
    starts = np.append(0, ends[:-1]).astype(np.int32)
    assert start_tags.with_word("".join(values), starts, ends, frozenset({"b"})) == [0, 1]


@given(MARKUP)
@example("&amp;lt;&amp;amp")
@example("&ampamp;&amp;")
def test_values_are_unescaped_as_the_library_does(value: str) -> None:
    assert start_tags.unescaped(value) == unescape(value)


@given(MARKUP, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 90)), max_size=4))
@example(' id="a" href="b" id="c', [(0, 90), (2, 17)])
def test_the_compiled_values_are_those_of_the_definition(
    markup: str, bounds: list[tuple[int, int]]
) -> None:
    require_module(*COMPILED)
    starts, ends = np.array(bounds, np.int32).reshape(-1, 2).T.copy()
    names = ("id", "href", "xml:lang", "class")
    found = start_tags.values(markup, starts, ends, names)
    assert found == start_tags.values_in_python(markup, starts, ends, names)


CSS = st.lists(
    st.sampled_from(
        ["display", "DISPLAY", "visibility", ":", " ", "\t", "\u2003", "none", "None", "hidden"]
    ),
    max_size=12,
).map("".join)


@given(CSS, st.integers(0, 30), st.integers(0, 90), st.integers(0, 30))
def test_the_compiled_search_for_what_hides_is_that_of_the_definition(
    css: str, start: int, end: int, longest: int
) -> None:
    require_module(*COMPILED)
    found = start_tags.hiding(css, start, end, longest)
    assert found == start_tags.hiding_in_python(css, start, end, longest)


def test_a_declaration_that_hides_is_found_by_its_value() -> None:
    css = ".a{display:none}.b{Visibility :\n hidden}.c{display:block;overflow:hidden}"
    found = start_tags.hiding(css, 0, len(css), 30)
    assert [css[at : at + 4] for at in found] == ["none", "hidd"]
    ways = "OPACITY:.0;left:-9px;top:-998px;width:100%;color:Wheat;clip-path:circle(0);height:0"
    found = start_tags.hiding(ways, 0, len(ways), 30)
    assert [ways[at : at + 2] for at in found] == [".0", "-9", "ci", "0"]
    found = start_tags.hiding(css, 0, len(css), 30)
    assert start_tags.hiding(css, 3, len(css), 12) == found[:1]


@given(MARKUP)
@example(' href="# href="#="')
def test_the_compiled_fragments_and_words_are_those_of_the_definition(markup: str) -> None:
    require_module(*COMPILED)
    assert start_tags.fragments(markup) == fragments_in_python(markup)
    assert start_tags.standing(markup, "author", 1) == standing_in_python(markup, "author")
    words = ("author", "ref", "a=", "or")
    found = start_tags.standing_of(markup, words)
    assert found == start_tags.standing_of_in_python(markup, words)


@given(
    MARKUP,
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60)), max_size=4),
    st.sampled_from([("author",), ("u", "auth"), ("aut", "thor", "#"), ()]),
)
def test_the_compiled_search_in_stretches_is_that_of_the_definition(
    markup: str, bounds: list[tuple[int, int]], words: tuple[str, ...]
) -> None:
    require_module(*COMPILED)
    starts, ends = (np.array([pair[at] for pair in bounds], np.int32) for at in (0, 1))
    found = start_tags.holding(markup, starts, ends, words)
    assert found == holding_in_python(markup, starts, ends, words)


def test_a_stretch_holds_a_word_that_is_a_part_of_another() -> None:
    starts, ends = np.array([0, 8, 8], np.int32), np.array([8, 20, 12], np.int32)
    assert start_tags.holding("comment-nocomments-x", starts, ends, ("omment",)) == [0, 1]


@pytest.mark.parametrize(
    "html",
    [
        '<s\x0c==" class="n>',
        '<s title=" id=" x>',
        '<s ="=b="class="c">',
        '<s title=" lang=" href=x#y>',
        "<s title=' class='>",
        '<s a="b\u2003c" d\u2003class="e">',
    ],
)
def test_no_attribute_is_read_out_of_the_value_of_another(html: str) -> None:
    """None has a class, an id or a language; the parser says which it has."""
    document = Document.from_html(html)
    (element,) = document.elements_named("s")
    found = document.elements
    assert found.class_start[element] == found.class_end[element]
    assert found.id_start[element] == found.id_end[element]
    start, end = int(found.open_start[element]), int(found.open_end[element])
    for read in (start_tags.attributes, start_tags.attributes_in_python):
        assert not {"class", "id", "lang"} & read(document.markup, start, end, None).keys()
    starts, ends = found.open_start[[element]].copy(), found.open_end[[element]].copy()
    for declared in (start_tags.declared, declared_in_python):
        assert declared(document.markup, starts, ends) == []
    both_agree(document.markup)
