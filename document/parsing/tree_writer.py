"""A tree of lexbor written out as HTML (HTML standard, 13.3).

Lexbor's own serialiser is the definition; ``_tree_writer.c``, where it could be built and
finds the lexbor that it knows, writes the same in half the time (docs/adr/012-tree-writer.md).
"""

from __future__ import annotations

from typing import Any, Final

from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from winnow.document.compiled import loop, optional_module, report
from winnow.document.parsing import tags

EMPTY: Final = "<html><head></head><body></body></html>"
_RAW: Final = (*tags.RAW_TEXT, "plaintext")
_PROBE: Final = (
    "<!doctype html><p id=a class=b>c<b>d &amp; e</b><!--f-->g<template>h</template>"
    + "".join(f"<{name}></{name}>" for name in _RAW)
)
"""A page on which the compiled writer checks that it knows how lexbor keeps a tree."""


def markup_by_lexbor(tree: LexborHTMLParser, _size: int, /) -> str:
    """A tree's markup; ``size``: roughly how many bytes it has."""
    return tree.html or EMPTY


def _markup_compiled(tree: LexborHTMLParser, size: int, /) -> str:
    root = tree.root
    found: str | None = _compiled.markup(root.mem_id, size) if root is not None else None
    return markup_by_lexbor(tree, size) if found is None else found


def _bound() -> Any:
    """The compiled writer with lexbor's functions; None without it, or for another lexbor."""
    found: Any = optional_module("winnow.document.parsing._tree_writer")
    if found is None:
        return None
    probe = LexborHTMLParser(_PROBE)
    nodes = [probe.root, *(probe.css_first(name) for name in (*_RAW, "template"))]
    nodes += probe.root.template_fragments() if probe.root else ()
    try:
        found.bind(lexbor.__file__, *(node.mem_id for node in nodes if node is not None))
    except (TypeError, ValueError) as error:
        report(markup_by_lexbor.__qualname__, error)
        return None
    return found


_compiled: Any = _bound()
markup_of = loop(_compiled and _markup_compiled, markup_by_lexbor)
