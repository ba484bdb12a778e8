"""The compiled writer writes what lexbor does, and refuses a lexbor that it does not know."""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document.parsing import tree_writer
from winnow.document.parsing.tree_writer import markup_by_lexbor, markup_of

MODULE = "winnow.document.parsing._tree_writer"
PAGES = (
    "",
    "<!doctype html PUBLIC 'a' 'b'><!--c--><p>d<!--e--></p><!--f-->",
    "<p title='&amp;&lt;>\"\u00a0\u00c2 and so on' hidden>&amp;&lt;&gt;\"\u00a0\u00c2",
    "<p>sixteen letters and more & more &amp; more \u00a0\u00a0</p>" * 40,
    "<svg viewBox='0 0 1 1' xmlns:xlink='u' xlink:href='#a' xml:lang='b'><foreignObject><p>c",
    "<math definitionURL=a><annotation-xml encoding=b><p>c",
    "<template><p>a<template>b</template></template><svg><template><g/></template></svg>c",
    "<style><&></style><script>a<b&&c>d</script><xmp><b>&</xmp><noscript><p>&amp;</noscript>",
    "<iframe><b></iframe><noembed><b></noembed><noframes><b></noframes><plaintext><b>&",
    "<svg><style><b>&amp;</style><br/></svg><x-y a:b=c D=e>\U0001f642",
    "<p is=a><button is=b c>d",
    "<table><tr><td>a<td>b</table><br><img src=c><input value='d'>",
    "a<?php echo 1 ?>b",
    "<p>\x00\ufffd\r\n</p>",
)


def _compiled() -> object:
    require_module(MODULE, "a C compiler (gcc) and Python's headers")
    return tree_writer._compiled


def test_the_lexbor_that_is_installed_is_known() -> None:
    assert _compiled() is not None


@pytest.mark.parametrize("html", PAGES)
def test_pages_are_written_as_lexbor_writes_them(html: str) -> None:
    _compiled()
    tree = LexborHTMLParser(html)

    assert markup_of(tree, 0) == markup_by_lexbor(tree, 0)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_mutated_pages_are_written_as_lexbor_writes_them(seed: int) -> None:
    _compiled()
    page = mutated.page(seed)
    tree = LexborHTMLParser(page)

    assert markup_of(tree, len(page)) == markup_by_lexbor(tree, 0)


def test_another_layout_of_nodes_is_refused() -> None:
    require_module(MODULE, "a C compiler (gcc) and Python's headers")
    compiled = import_module(MODULE)
    probe = LexborHTMLParser("<p>a</p><template>b</template>")
    paragraph, template = probe.css_first("p"), probe.css_first("template")
    assert probe.root is not None
    assert paragraph is not None
    assert template is not None
    raw = [paragraph.mem_id] * 7
    try:
        with pytest.raises(ValueError, match="another lexbor"):
            compiled.bind(
                lexbor.__file__, probe.root.mem_id, *raw, template.mem_id, paragraph.mem_id
            )
        with pytest.raises(ValueError, match="bind comes first"):
            compiled.markup(probe.root.mem_id, 0)
    finally:
        assert tree_writer._bound() is not None


def test_a_path_that_is_not_lexbors_is_refused() -> None:
    require_module(MODULE, "a C compiler (gcc) and Python's headers")
    compiled = import_module(MODULE)
    with pytest.raises(ValueError, match="not loaded"):
        compiled.bind("/no/such/module.so", *[0] * 10)


def test_where_it_is_not_bound_lexbor_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_writer, "_compiled", None)

    assert markup_of(LexborHTMLParser("<p>a &"), 0) == (
        "<html><head></head><body><p>a &amp;</p></body></html>"
    )
