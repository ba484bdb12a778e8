"""A page's elements and texts as a walk over lexbor's own tree finds them.

Knows selectolax and ``parsing.tags``; refuses to know markup and ``parsing.scan``.
"""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborNode

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.parse import Tree, parse_html
from winnow.document.values import MEDIA

_OPAQUE = {tags.NAMES[code] for code in tags.OPAQUE}
_MEDIA = {tags.NAMES[code] for code in tags.MEDIA}
_SILENT = {tags.NAMES[code] for code in tags.SILENT}
_VOID = {tags.NAMES[code] for code in tags.VOID}
_VERBATIM = {tags.NAMES[code] for code in tags.PREFORMATTED}


class Seen(NamedTuple):
    """``elements``: name and parent's index, in document order; ``texts``: owner and what it says,
    white space folded but where it counts. Empty texts are left out."""

    elements: list[tuple[str, int]]
    texts: list[tuple[int, str]]


class _Open(NamedTuple):
    element: int
    is_silent: bool
    is_verbatim: bool


_OUTSIDE = _Open(-1, False, False)


def walked(html: str | bytes) -> Seen:
    """What stands in the tree of HTML, outside of opaque elements."""
    return walked_tree(parse_html(html))


def walked_tree(tree: Tree) -> Seen:
    """What stands in a tree, outside of opaque elements."""
    if tree.root is None:
        return Seen([("html", -1), ("head", 0), ("body", 0)], [])
    elements: list[tuple[str, int]] = []
    texts: list[tuple[int, str]] = []
    todo: list[tuple[_Open, LexborNode]] = [(_OUTSIDE, tree.root)]
    while todo:
        around, node = todo.pop()
        if node.is_element_node:
            opened = _Open(
                len(elements),
                around.is_silent or node.tag in _SILENT,
                around.is_verbatim or node.tag in _VERBATIM,
            )
            elements.append((str(node.tag), around.element))
            if node.tag in _MEDIA and not around.is_silent:
                texts.append((opened.element, MEDIA))
            if node.tag not in _OPAQUE | _VOID:
                todo += [(opened, child) for child in reversed(_children(node))]
        elif node.is_text_node and not around.is_silent:
            said = _said(node)
            said = said if around.is_verbatim else " ".join(said.split())
            texts += [(around.element, said)] if said else []
    return Seen(elements, texts)


def _said(node: LexborNode) -> str:
    """A text with those right behind it, which are one in markup; empty if it is such a one."""
    if node.prev is not None and node.prev.is_text_node:
        return ""
    said, after = node.text_content or "", node.next
    while after is not None and after.is_text_node:
        said, after = said + (after.text_content or ""), after.next
    return said


def _children(node: LexborNode) -> list[LexborNode]:
    found, child = [], node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def scanned(document: Document) -> Seen:
    """The same of a document."""
    parents = document.elements.parent.tolist()
    elements = [(document.name_of(index), parent) for index, parent in enumerate(parents)]
    pieces = document.pieces
    rows = zip(pieces.owner.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True)
    return Seen(elements, [(owner, document.text[start:end]) for owner, start, end in rows])
