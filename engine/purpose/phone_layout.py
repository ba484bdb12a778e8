"""Whether a tidied page can be laid out as wide as a phone, and the element that has it so.

A page without a viewport is laid out some 980 pixels wide by a phone, and shown at a third of its
size (CSS Viewport Module, "Viewport ``<meta>`` element"). One that nothing holds wider flows at any
width; one that something does would have to be moved sideways, and stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

from winnow.document.document import Document
from winnow.document.values import BAR_MARK

VIEWPORT: Final = b'<meta name="viewport" content="width=device-width, initial-scale=1">'
_NARROW: Final = 360
"""CSS pixels: the width of a common phone."""
_WIDTH: Final = re.compile(
    r"""(?:(?<![\w-])width=["']?\s*|(?<![\w-])(?:min-)?width\s*:\s*)(\d+(?:\.\d+)?)(%?)""",
    re.IGNORECASE,
)
_HELD: Final = frozenset({"pre", "frameset", "plaintext", "xmp", "listing"})
"""Elements whose lines do not wrap, or that divide the window."""


def with_viewport(document: Document, body: bytes) -> bytes:
    """The rendered page, laid out as wide as a phone where it says nothing and can be."""
    if names_viewport(document) or not is_fluid(document):
        return body
    return body.replace(BAR_MARK, VIEWPORT + BAR_MARK, 1)


def names_viewport(document: Document) -> bool:
    """Whether the page says itself how wide it is laid out."""
    metas = document.elements_named("meta")
    names = (document.attributes_of(meta, {"name"}).get("name", "") for meta in metas)
    return any(name.strip().lower() == "viewport" for name in names)


def is_fluid(document: Document) -> bool:
    """Whether nothing in the markup is wider than a phone; unknown, so False, with style sheets
    from elsewhere. O(markup)."""
    if any(map(document.elements_named, _HELD)) or _has_style_sheet(document):
        return False
    widths = _WIDTH.finditer(document.markup)
    return all(found[2] or float(found[1]) <= _NARROW for found in widths)


def _has_style_sheet(document: Document) -> bool:
    if "@import" in document.markup:
        return True
    links = document.elements_named("link")
    relations = (document.attributes_of(link, {"rel"}).get("rel", "") for link in links)
    return any("stylesheet" in relation.lower().split() for relation in relations)
