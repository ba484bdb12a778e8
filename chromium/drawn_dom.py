"""The DOM that a browser holds as markup: shadow trees and frames of the same origin in place.

Input is the tree of the protocol's ``DOM.getDocument`` with ``pierce``. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import urlsplit

_ELEMENT, _TEXT, _DOCUMENT, _FRAGMENT = 1, 3, 9, 11
DEEPEST: Final = 200
"""Levels of elements; what is deeper is left out."""
_VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())
_RAW: Final = frozenset("script style noscript".split())
Node = Mapping[str, Any]


def markup_of(document: Node) -> str:
    """The document as HTML, without scripts: they have run."""
    origin = _origin(str(document.get("documentURL", "")))
    return "<!doctype html>" + "".join(_written(document, (), origin, DEEPEST))


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _written(
    node: Node, slotted: Sequence[Node], origin: tuple[str, str], depth: int
) -> Iterator[str]:
    """A node; ``slotted`` are the children of the host of the shadow tree that it is in."""
    if depth == 0:
        return
    kind = node["nodeType"]
    if kind == _TEXT:
        yield escape(node["nodeValue"], quote=False)
    elif kind in (_DOCUMENT, _FRAGMENT):
        for child in node.get("children", ()):
            yield from _written(child, slotted, origin, depth - 1)
    elif kind == _ELEMENT:
        yield from _element(node, slotted, origin, depth)


def _element(
    node: Node, slotted: Sequence[Node], origin: tuple[str, str], depth: int
) -> Iterator[str]:
    name = str(node["localName"])
    if name == "script" and "json" not in _attributes(node).get("type", ""):
        return
    if name == "slot" and slotted:
        yield from _in_slot(node, slotted, origin, depth)
        return
    frame = node.get("contentDocument")
    if frame is not None and _origin(str(frame.get("documentURL", ""))) in (origin, ("about", "")):
        yield f"<section>{''.join(_body(frame, origin, depth))}</section>"
        return
    pairs = (f' {key}="{escape(value)}"' for key, value in _attributes(node).items())
    yield f"<{name}{''.join(pairs)}>"
    if name in _VOID:
        return
    yield from _inside(node, slotted, origin, depth)
    yield f"</{name}>"


def _inside(
    node: Node, slotted: Sequence[Node], origin: tuple[str, str], depth: int
) -> Iterator[str]:
    children = node.get("children", ())
    shadow = next(
        (root for root in node.get("shadowRoots", ()) if root["shadowRootType"] != "user-agent"),
        None,
    )
    if shadow is not None:
        yield from _written(shadow, children or _NOTHING, origin, depth - 1)
    elif node["localName"] in _RAW:
        yield from (str(child["nodeValue"]) for child in children if child["nodeType"] == _TEXT)
    else:
        for child in children:
            yield from _written(child, slotted, origin, depth - 1)


_NOTHING: Final[Sequence[Node]] = ()


def _in_slot(
    slot: Node, slotted: Sequence[Node], origin: tuple[str, str], depth: int
) -> Iterator[str]:
    """What a host's children put into a slot, else what the slot holds itself."""
    wanted = _attributes(slot).get("name", "")
    given = [child for child in slotted if _attributes(child).get("slot", "") == wanted]
    for child in given or slot.get("children", ()):
        yield from _written(child, (), origin, depth - 1)


def _body(document: Node, origin: tuple[str, str], depth: int) -> Iterator[str]:
    for html in document.get("children", ()):
        for part in html.get("children", ()):
            if part.get("localName") == "body":
                yield from _inside(part, (), origin, depth - 1)


def _attributes(node: Node) -> dict[str, str]:
    flat = node.get("attributes", ())
    return dict(zip(flat[::2], flat[1::2], strict=True))
