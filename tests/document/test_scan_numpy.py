"""All tags at a time finds what the definition finds a step at a time, or declines."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks import generated_pages
from tests.document.test_scan import ATTRIBUTES, NAMES, PIECES, WORDS
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.parse import serialise
from winnow.document.scan import Scan, scan_in_python
from winnow.document.scan_numpy import scan_with_numpy

ODD = st.sampled_from(
    ["<div <b>", "<a <script >x", "<b<!-->c", "<i x<=1>d</i>", "<p a='<!--'>", "<li", "<image>"]
)
HTML = st.lists(st.one_of(PIECES, ODD), max_size=25).map("".join)
UNTIDY = st.lists(
    st.one_of(
        WORDS,
        st.builds("<{}{}>".format, NAMES, ATTRIBUTES),
        st.builds("</{}>".format, NAMES),
        st.sampled_from(["<", ">", "<!-- a -->", "<!---", "<>", "</>", "<?a>"]),
    ),
    max_size=20,
).map("".join)


def assert_equal(swept: Scan, defined: Scan) -> None:
    assert swept.text == defined.text
    for part in ("elements", "pieces"):
        for field in fields(getattr(defined, part)):
            left = getattr(getattr(swept, part), field.name)
            right = getattr(getattr(defined, part), field.name)
            assert left.dtype == right.dtype
            assert np.array_equal(left, right), (part, field.name)


@settings(max_examples=400)
@given(HTML)
@example("a<br> <br>b<ul><li>c<ul><li>d</ul></ul>")
@example("<pre> a <b> b</b>\n</pre> c")
@example("<head><noscript><img></noscript></head><object>a<object>b</object></object>")
@example("<table><tr><td>a<td><br><br>b<tr><td>c</table>")
@example("<blockquoted>a</blockquoted><é>b</é><figcaption>c")
def test_what_a_serialiser_writes_is_found_as_by_the_definition(html: str) -> None:
    markup = serialise(html)
    swept = scan_with_numpy(markup)
    if swept is None:
        assert "<xmp" in markup or "<!--" in markup or is_ambiguous(markup)
    else:
        assert_equal(swept, scan_in_python(markup))


def is_ambiguous(markup: str) -> bool:
    try:
        scan_in_python(markup)
    except AmbiguousMarkupError:
        return True
    return False


@settings(max_examples=400)
@given(UNTIDY)
def test_of_any_other_markup_it_finds_the_same_or_nothing(markup: str) -> None:
    swept = scan_with_numpy(markup)
    if swept is not None:
        assert_equal(swept, scan_in_python(markup))


@pytest.mark.parametrize("size", [2_000, 50_000])
def test_pages_are_swept(size: int) -> None:
    markup = serialise(generated_pages.page(size))
    swept = scan_with_numpy(markup)
    assert swept is not None
    assert_equal(swept, scan_in_python(markup))


@pytest.mark.parametrize(
    "markup",
    ["", "text", "<p>", "</p>", "<p></b>", "<p><b></p></b>", "<svg>", "<xmp><b></xmp>", "</br>"],
)
def test_where_tags_are_not_brackets_it_declines(markup: str) -> None:
    assert scan_with_numpy(markup) is None


def test_nesting_costs_no_stack() -> None:
    swept = scan_with_numpy("<html>" + "<div>" * 5000 + "x" + "</div>" * 5000 + "</html>")
    assert swept is not None
    assert swept.text == "x"
    assert swept.elements.parent.tolist() == list(range(-1, 5000))
