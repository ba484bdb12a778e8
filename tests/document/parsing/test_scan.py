"""One pass finds text, elements and pieces; the compiled pass finds what the definition says."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.parsing import tags
from winnow.document.parsing.parse import parse_html, serialise, serialised_unambiguously
from winnow.document.parsing.scan import Scan, scan, scan_in_python

PASSES = [pytest.param(scan_in_python, id="definition"), pytest.param(scan, id="as used")]


def both_agree(markup: str, *, checked: bool = False) -> None:
    require_module(
        "winnow.document.parsing._scan",
        "a C compiler (gcc) and Python's headers, then make install",
    )
    try:
        defined = scan_in_python(markup, checked=checked)
    except AmbiguousMarkupError:
        with pytest.raises(AmbiguousMarkupError):
            scan(markup, checked=checked)
        return
    compiled = scan(markup, checked=checked)
    assert (compiled.text, compiled.signature) == (defined.text, defined.signature)
    for part in ("elements", "pieces"):
        for field in fields(getattr(defined, part)):
            left = getattr(getattr(compiled, part), field.name)
            right = getattr(getattr(defined, part), field.name)
            assert np.array_equal(left, right), (part, field.name)


def seen(html: str) -> Scan:
    document = Document.from_html(html)
    return scan_in_python(document.markup, checked=True)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<p>Hello <b>big</b>world</p>", "Hello bigworld"),
        ("<p>  a \n\t b  </p>", "a b"),
        ("a<br>b", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
        ("<ul><li><p>a</p><li><p>b</p></ul>", "a\nb"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "a\nb\nc"),
        ("<table><tr><td>a<td>b<tr><td><p>c</p><td>d</table>e", "a\tb\nc\td\n\ne"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("x<pre> a\n  b </pre>y", "x\n\n a\n  b \n\ny"),
        ("a<script>if (1<2) x</script><style>p{}</style>b", "ab"),
        ("a<!-- c <p> -->b", "ab"),
        ("a<template><p>no</p></template>b", "ab"),
        ("a<select><option>no</select><textarea>no</textarea>b", "ab"),
        ("<noscript><p>post</p></noscript>", "post"),
        ("a<img src=x>b", "a\ufffcb"),
        ("a<svg><text>no</text><svg></svg></svg>b", "a\ufffcb"),
        ("a<math><mi>x</mi></math>b", "a\ufffcb"),
        ("a<video>no</video><object>no</object>b", "a\ufffc\ufffcb"),
        ("a&nbsp;&lt;b&gt; &amp;amp;", "a <b> &amp;"),
        ("<x-card>a</x-card><x-card>b</x-card>", "ab"),
        ("a<xmp><b>&amp;</b></xmp>c", "a\n\n<b>&amp;</b>\n\nc"),
        ("<script><!-- document.write('<script>no</script>') --></script>a", "a"),
        ("", ""),
    ],
)
def test_the_text_of_a_page(html: str, text: str) -> None:
    assert seen(html).text == text


def test_pieces_point_into_text_and_markup() -> None:
    markup = serialise("<p>one <b>two</b> three &amp; four</p>")
    found = scan_in_python(markup)
    pieces = found.pieces
    texts = [found.text[a:b] for a, b in zip(pieces.start, pieces.end, strict=True)]
    sources = [markup[a:b] for a, b in zip(pieces.source_start, pieces.source_end, strict=True)]
    assert texts == ["one", "two", "three & four"]
    assert sources == ["one ", "two", " three &amp; four"]
    assert [tags.NAMES[found.elements.tag[owner]] for owner in pieces.owner] == ["p", "b", "p"]


def test_elements_know_their_place() -> None:
    markup = serialise("<div><p>a<b>b</b></p><img>c</div>d")
    found = scan_in_python(markup).elements
    names = [tags.NAMES[code] for code in found.tag]
    assert names == ["html", "head", "body", "div", "p", "b", "img"]
    div, p, b, img = 3, 4, 5, 6
    assert found.parent.tolist() == [-1, 0, 0, 2, 3, 4, 3]
    assert found.block.tolist()[div:] == [div, p, p, div]
    assert (found.last[div], found.last[p], found.last[img]) == (7, 6, 7)
    assert (found.first_piece[div], found.last_piece[div]) == (0, 4)
    assert (found.first_piece[img], found.last_piece[img]) == (2, 3)
    assert markup[found.open_start[b] : found.close_end[b]] == "<b>b</b>"
    assert found.close_end[img] == found.open_end[img]


@pytest.mark.parametrize(
    ("attributes", "hides"),
    [
        ("hidden", True),
        ("hidden=hidden", True),
        ("hidden=until-found", False),
        ("hidden id=S:0", False),
        ("style='color:red;display:none'", True),
        ("style='DISPLAY: block; display: none!important'", True),
        ("style='visibility: hidden'", True),
        ("style='display:block'", False),
        ("data-style='display:none'", False),
        ("aria-hidden=true", False),
        ("title=' hidden='", False),
    ],
)
@pytest.mark.parametrize("scanner", PASSES)
def test_what_hides_an_element(scanner: object, attributes: str, hides: bool) -> None:
    assert callable(scanner)
    found = scanner(serialise(f"<div {attributes}>x</div>"))
    assert found.elements.hides[3] == hides


@pytest.mark.parametrize("scanner", PASSES)
def test_nesting_costs_no_stack(scanner: object) -> None:
    assert callable(scanner)
    assert scanner("<html>" + "<div>" * 5000 + "x" + "</div>" * 5000 + "</html>").text == "x"


NAMES = st.sampled_from(
    "p div b a ul ol li td tr table br img pre svg script style iframe xmp head noscript span "
    "textarea x-y h1 section col select template title".split()
)
WORDS = st.text(alphabet=" \n\tab&<>;\u00a0é中\U0001f600-!\"'", max_size=8)
ATTRIBUTES = st.sampled_from(
    ["", " hidden", " style='display: none'", " id=S:1 hidden", ' class="a>b" href=x', ' a"b=c']
)
PIECES = st.one_of(
    WORDS,
    st.builds("<{}{}>".format, NAMES, ATTRIBUTES),
    st.builds("</{}>".format, NAMES),
    st.builds("<!--{}-->".format, WORDS),
    st.sampled_from(
        ["<script>a<b</script>", "<!--<script>", "-->", "<svg><path/></svg>", "&nbsp;"]
    ),
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_the_compiled_scan_equals_its_definition(html: str) -> None:
    both_agree(serialise(html))
    both_agree(serialised_unambiguously(parse_html(html)), checked=True)


@given(st.lists(PIECES, max_size=25).map("".join))
@example(";<script><!--<script>")
def test_what_a_scan_finds_is_consistent(html: str) -> None:
    found = Document.from_html(html)
    pieces, elements = found.pieces, found.elements
    assert (pieces.start <= pieces.end).all()
    assert (pieces.end[:-1] <= pieces.start[1:]).all()
    assert (elements.parent < np.arange(len(elements))).all()
    inside = (elements.first_piece[pieces.owner] <= np.arange(len(pieces))) & (
        np.arange(len(pieces)) < elements.last_piece[pieces.owner]
    )
    assert inside.all()
