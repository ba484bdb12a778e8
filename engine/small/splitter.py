"""Clean markup cut into parts of so many bytes, each whole by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Final

from lxml import etree

_WHOLE: Final = frozenset({"img", "tr", "h2", "h3", "h4", "h5", "h6", "summary"})
"""Never cut: a heading or a row belongs together."""
_HEADINGS: Final = ("<h2", "<h3", "<h4", "<h5", "<h6")
"""How the markup of one begins."""


def parts_of(body: etree._Element, size: int) -> list[str]:
    """The content of ``body`` as HTML, in parts of at most about ``size`` bytes of UTF-8.

    A part larger than that holds one thing that cannot be cut. An empty body is one empty part.
    """
    parts: list[str] = []
    held: list[str] = []
    length = 0
    for piece in _pieces(body, size):
        more = len(piece.encode())
        if held and length + more > size:
            kept = _without_last_headings(held)
            parts.append("".join(held[:kept]))
            held = held[kept:]
            length = sum(len(each.encode()) for each in held)
        held.append(piece)
        length += more
    return [*parts, "".join(held)] if held or not parts else parts


def _without_last_headings(pieces: Sequence[str]) -> int:
    """How many pieces a part has if it does not end in headings, whose sections come next."""
    kept = len(pieces)
    while kept and pieces[kept - 1].startswith(_HEADINGS):
        kept -= 1
    return kept or len(pieces)


def _pieces(body: etree._Element, size: int) -> Iterator[str]:
    """The children, and the parts of those that are too large."""
    if body.text and body.text.strip():
        yield from (_escaped(text) for text in _texts(body.text, size))
    for child in body:
        tail, child.tail = child.tail, None
        for piece in _cut(child, size):
            yield _html(piece)
        if tail and tail.strip():
            yield from (_escaped(text) for text in _texts(tail, size))


def _cut(element: etree._Element, size: int) -> Iterator[etree._Element]:
    """The element, or copies of it that share its content; a list goes on counting."""
    if _weight(element) <= size or element.tag in _WHOLE:
        yield element
        return
    counted = int(element.get("start", "1")) if element.tag == "ol" else 0
    current, weight = _empty(element), 0
    for piece in _content(element, size):
        more = _weight(piece) if isinstance(piece, etree._Element) else len(piece.encode())
        if weight and weight + more > size:
            yield current
            current, weight = _empty(element), 0
            if counted:
                current.set("start", str(counted))
        _add(current, piece)
        weight += more
        counted += bool(counted) and not isinstance(piece, str) and piece.tag == "li"
    yield current


def _content(element: etree._Element, size: int) -> Iterator[etree._Element | str]:
    if element.text:
        yield from _texts(element.text, size)
    for child in element:
        tail, child.tail = child.tail, None
        yield from _cut(child, size)
        if tail:
            yield from _texts(tail, size)


def _texts(text: str, size: int) -> Iterator[str]:
    """The text in stretches of at most ``size`` bytes, cut behind blanks where there are any."""
    most = max(size // 4, 1)
    while len(text) > most:
        at = text.rfind(" ", 0, most) + 1 or most
        yield text[:at]
        text = text[at:]
    yield text


def _empty(element: etree._Element) -> etree._Element:
    made = etree.Element(element.tag, dict(element.attrib))
    made.attrib.pop("id", None)
    return made


def _add(into: etree._Element, piece: etree._Element | str) -> None:
    if not isinstance(piece, str):
        into.append(copy(piece))
    elif len(into):
        into[-1].tail = (into[-1].tail or "") + piece
    else:
        into.text = (into.text or "") + piece


def _weight(element: etree._Element) -> int:
    return len(etree.tostring(element, encoding="utf-8", method="html", with_tail=False))


def _html(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html", with_tail=False) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
