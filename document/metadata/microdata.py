"""Microdata of a page as the nodes that JSON-LD has (HTML standard, section 5, "Microdata")."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.parsing import start_tags
from winnow.document.texts.short_texts import text_inside

MAX_PROPERTIES: Final = 20_000
"""How many marked elements are looked at: a page cannot make this step long."""
ELEMENT: Final = "@element"
"""The key of a node's element, an index in ``Document.elements``."""
_NAMES: Final = frozenset({"itemprop", "itemscope", "itemtype"})
_VALUES: Final = frozenset({"content", "href", "src", "datetime", "value", "data"})
_VALUE_OF: Final = {
    "a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "video": "src",
    "iframe": "src", "embed": "src", "source": "src", "track": "src", "object": "data",
    "time": "datetime", "data": "value", "meter": "value",
}  # fmt: skip
"""Where an element of a name holds its value (5.2.4); all may have it in ``content``."""


def microdata(document: Document) -> list[dict[str, Any]]:
    """All items in document order: ``@type`` (names), ``@element`` and a list for each property.

    A value is a text or the node of an item; ``itemref`` is not followed. O(markup).
    """
    if "itemscope" not in document.markup:
        return []
    found: list[dict[str, Any]] = []
    around: list[tuple[int, dict[str, Any]]] = []
    for element in _marked(document)[:MAX_PROPERTIES].tolist():
        while around and around[-1][0] <= element:
            around.pop()
        marks = document.attributes_of(element, _NAMES)
        node = _node(element, marks) if "itemscope" in marks else None
        names = marks.get("itemprop", "").split() if around else ()
        value = (node or _value(document, element)) if names else None
        for name in names:
            around[-1][1].setdefault(name, []).append(value)
        if node is not None:
            found.append(node)
            around.append((int(document.elements.last[element]), node))
    return found


def _marked(document: Document) -> Ints:
    """The elements whose start tags have a mark of microdata, in document order."""
    markup, elements = document.markup, document.elements
    at = start_tags.standing_of(markup, ("itemprop", "itemscope"))
    offsets = np.array(at, dtype=np.int32)
    owners = elements.open_start.searchsorted(offsets, side="right") - 1
    inside = (owners >= 0) & (offsets < elements.open_end[owners])
    found: Ints = np.unique(owners[inside])
    return found


def _node(element: int, marks: dict[str, str]) -> dict[str, Any]:
    types = [kind.rstrip("/").rpartition("/")[2] for kind in marks.get("itemtype", "").split()]
    return {"@type": types, ELEMENT: element}


def _value(document: Document, element: int) -> str:
    """What a property without an item says (5.2.4, "values")."""
    attributes = document.attributes_of(element, _VALUES)
    name = _VALUE_OF.get(document.name_of(element), "content")
    value = attributes.get("content") or attributes.get(name) or ""
    return " ".join(value.split()) or text_inside(document, element)
