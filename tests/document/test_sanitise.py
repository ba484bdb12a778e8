"""When the sanitiser looks at each attribute: the compiled search is that of the definition."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.sanitise import (
    in_short_texts,
    may_offend,
    may_offend_in_python,
    sanitise,
)

COMPILED = ("winnow.document.parsing._start_tags", "a C compiler (gcc) and Python's headers")
PARTS = [
    "url(", "URL", "(", "src", "image", "-set", "cross-fade", "\\", "<", "svg", "<SVG", "dAtA:",
    "data", ":", "&", "amp;", "&lt;", "&#39;", "&#x27;", "&#x", "&nbsp", ";", "\u212a", "\u017f",
    "é", "中", "🙂", "a",
]  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="a:uRl(x)">', '<img src="DATA:x">', "<a title='&colon;'>", "&", "&am", "中&#58;",
        "<svg>\\", "\\<SVG", "<svg>Image-Set(", "image(<svg", "<svg>src(", "<svg>cross-fade(",
    ],
)  # fmt: skip
def test_what_may_offend_is_looked_at(markup: str) -> None:
    assert may_offend(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>(a): b &amp; c&lt;&gt;&quot;&nbsp;&#x27;&#39;</p>",
        "ur l(",
        "date:",
        "\\ <sv",
        "<svg>",
        "image(src(cross-fade(\\",
    ],
)
def test_most_markup_is_not(markup: str) -> None:
    assert not may_offend(markup)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_the_compiled_search_is_that_of_the_definition(markup: str) -> None:
    require_module(*COMPILED)
    assert may_offend(markup) == may_offend_in_python(markup)


@pytest.mark.parametrize("unit", ["&amp;", "a; ", "&lt;b&gt; \u4e2d", "&amp;&nbsp;\n"])
def test_many_references_of_a_text_stand_in_short_texts(unit: str) -> None:
    few, many = (f"<p>{unit * times}</p>" for times in (50, 25_000))
    assert in_short_texts(few) == few
    texts = re.findall(r">([^<]+)", in_short_texts(many))
    assert max(text.count(";") for text in texts) <= 1000
    assert sanitise(many) == sanitise(few).replace(unit * 50, unit * 25_000)


def test_an_attribute_of_very_many_references_goes() -> None:
    pages = [f'<p><abbr title="{"&amp;" * times}">a</abbr>' for times in (5_000, 25_000)]
    assert [sanitise(page).count("&amp;") for page in pages] == [5_000, 0]


@pytest.mark.parametrize(
    "value",
    [
        "url(http://e/)", "url(#a), URL(http://e/)", "url( //e/)",
        "u\\72l(http://e/)", "\\75 rl(//e/)", "image-set('http://e/' 1x)", "src('http://e/')",
    ],
)  # fmt: skip
def test_no_address_in_a_drawing_leads_out_of_the_page(value: str) -> None:
    kept = sanitise(f'<svg><rect mask="{value}" fill="url(#a)"></rect></svg>')
    assert kept == '<svg><rect fill="url(#a)"></rect></svg>'


def test_a_picture_keeps_a_name_that_is_a_function_in_a_drawing() -> None:
    picture = '<img src="https://e.example/image(1).jpg" alt="src(2) \\ cross-fade(3)">'
    assert sanitise(picture) == picture
    assert sanitise(f"<svg></svg>{picture}") == f"<svg></svg>{picture}"
