"""The compiled writer writes what its definition writes, whatever is open and whatever is kept."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.render.addresses import Addresses
from winnow.document.render.article.article_structure import structure_of
from winnow.document.render.article.article_writer import write_in_python
from winnow.document.render.article.clean_html import structural_elements, write
from winnow.document.render.article.start_tag_writer import StartTagWriter
from winnow.document.render.embedded.media import MediaWriter
from winnow.document.render.selection import Segments, holding, select
from winnow.document.values import Extraction, Span
from winnow.extractors.contract import PAGES

COMPILED = ("winnow.document.render.article._writer", "a C compiler (gcc) and Python's headers")
PARTS = (
    "word ", " two words", "中文", "\n", "&lt;&amp; ", "<br>", "<br><br>", "<hr>", "<p>", "</p>",
    "<h1>", "</h1>", "<h3>", "</h3>", "<ul>", "</ul>", "<ol>", "<li>", "</li>", "<li value=3>",
    "<dl><dt>", "<dd>", "</dl>", "<b>", "</b>", "<i>", "</i>", "<b><b>", "<tt>", "</tt>",
    "<a href=/x>", "<a href=#here>", "<a>", "<a href=http://b.example/?a&amp;b>",
    "<a target=_blank href=/x/y?q=1>", "<a title=t href=/x>", "<a href='/x?\"' >", "<a href=/x;y>",
    "<a href='/x y'>", "<a href=//b.example/>", "<a href=/./x>", "<a href=http://.b/>",
    "<a href='/x&lt;'>", "<a href=/x&copy;>", "<a href=https://b.example:80/#c>", "<a href=/?>",
    "<a href=http://b>", "<code class=lang-x>", "</code>", "<code class=y>", "<time datetime=2>",
    "</time>", "<abbr title=t>", "</a>", "<p id=here>", "<a id=here></a>",
    "<table>", "<caption>", "<tr>", "<td>", "<th scope=row>", "</table>", "<table><tr><th>a<td>b",
    "<pre>", "</pre>", "<xmp>", "</xmp>", "<blockquote>", "</blockquote>", "<menu><li>",
    "<div lang=de>", "<span lang=fr>", "</span>", "<div dir=rtl>", "</div>", "<section>",
    "<figure>", "<figcaption>", "</figure>", "<details><summary>", "</summary>", "</details>",
    "<img src=a.jpg alt=a>", "<img>", "<svg></svg>", "<noscript>", "</noscript>", "<x-y>",
)  # fmt: skip


def both(document: Document, segments: Segments, *, scroll: bool) -> tuple[str, str]:
    """What the compiled writer and its definition write, each with counters of its own."""
    shown = holding(document, segments)
    structure = structure_of(document, segments, shown, {})

    def made() -> tuple[StartTagWriter, MediaWriter]:
        addresses = Addresses("http://a.example/b/")
        start_tags = StartTagWriter(document, structure, addresses, scroll)
        return start_tags, MediaWriter(document, segments, addresses, scroll=scroll)

    marked = structural_elements(document, structure, shown)
    compiled, defined = write(*made(), segments, marked), write_in_python(*made(), segments, marked)
    return "".join(compiled), "".join(defined)


def spans(cuts: Sequence[int], size: int) -> tuple[Span, ...]:
    """Every other stretch between some offsets of a text."""
    offsets = sorted({min(cut, size) for cut in cuts})
    bounds = zip(offsets[::2], offsets[1::2], strict=False)
    return tuple(Span(start, end) for start, end in bounds)


@given(
    st.lists(st.sampled_from(PARTS), max_size=40),
    st.lists(st.integers(0, 150), max_size=8),
    st.booleans(),
)
def test_the_compiled_writer_equals_its_definition(
    parts: list[str], cuts: list[int], is_cut: bool
) -> None:
    require_module(*COMPILED)
    document = Document.from_html("".join(parts))
    whole = (0, len(document.text))
    segments = select(document, Extraction("t", spans(cuts if is_cut else whole, whole[1])))
    compiled, defined = both(document, segments, scroll=is_cut)
    assert compiled == defined


@pytest.mark.parametrize("name", PAGES)
def test_the_compiled_writer_equals_its_definition_on_odd_pages(name: str) -> None:
    require_module(*COMPILED)
    document = Document.from_html(PAGES[name])
    segments = select(document, Extraction("t", spans((0, len(document.text)), len(document.text))))
    compiled, defined = both(document, segments, scroll=True)
    assert compiled == defined


class _Broken(Addresses):
    def link(self, address: str) -> str:
        raise LookupError(address)


def test_an_error_of_a_called_function_comes_through() -> None:
    require_module(*COMPILED)
    document = Document.from_html("<ul><li>a<b>b</b><i><a href=/c>d</a></i></ul>")
    segments = select(document, Extraction("t", spans((0, 3), len(document.text))))
    shown = holding(document, segments)
    start_tags = StartTagWriter(
        document, structure_of(document, segments, shown, {}), _Broken(), scroll=False
    )
    with pytest.raises(LookupError, match="/c"):
        write(start_tags, MediaWriter(document, segments, Addresses()), segments, shown)
