"""The scanner reads the tree that lexbor built, whatever the serialiser makes of it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.document.walking import scanned, walked
from tests.fuzz import mutated
from winnow.document.document import Document
from winnow.document.parsing.parse import parse_html, serialised_unambiguously
from winnow.document.parsing.scan import scan
from winnow.document.values import Page

ODD = (
    "<svg ><style><!--</style></svg></body></html>",
    "a<svg><style>&lt;/style></svg><p>b</p><svg><style></style></svg>",
    "a<svg><style>&lt;/style>&lt;/svg>&lt;p>no&lt;/p>&lt;svg>&lt;style></style></svg>b",
    "a<math><mi><svg><script>&lt;/script></math>b",
    "a<svg><desc><xmp><b></xmp><title></desc></svg>b",
    "<template><svg><style><!--</style></template></svg>-->",
    "<p><b></p><plaintext>a</plaintext><i>b",
    "<plaintext></plaintext><p>a",
    "<script><!--<script></script>a",
    "<script><!--<script>a</script>b</script>c",
    "<script><!--<script ><script ></script></script>c",
    "<script><!--><script></script>a",
    "<table><td>x</td><b><script><!--<script></table>a",
    "a<?php echo 1 ?>b<?x",
    "<p>a--&gt;&lt;p>b&lt;/p><!",
    "a--><!",
    "<!doctype a<b><pre>\n\na",
    "<x<y a<b=c>d",
    "<select><b>x<select>y<hr>z",
    "<frameset><noframes><p>",
    "<svg><link>a</link><input>b</svg>c",
    "<noscript><iframe src=a /></noscript><p>a",
    "<head><noscript><iframe /></noscript><style></style><p>a",
    "<svg><noscript><iframe/></noscript></svg><p>a",
)


@pytest.mark.parametrize("html", ODD)
def test_the_scan_is_the_tree(html: str) -> None:
    assert scanned(Document.from_html(html)) == walked(html)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
@example(0)
def test_the_scan_is_the_tree_of_mutated_pages(seed: int) -> None:
    html = mutated.page(seed).decode("utf-8", "replace")

    assert scanned(Document.from_html(html)) == walked(html)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_markup_serialised_again_is_the_same_tree(seed: int) -> None:
    html = mutated.page(seed).decode("utf-8", "replace")
    markup = serialised_unambiguously(parse_html(html))
    found = scan(markup, checked=True)
    again = Document(
        Page(html.encode()), "", markup, found.text, found.elements, found.pieces, found.signature
    )

    assert scanned(again) == walked(html)
