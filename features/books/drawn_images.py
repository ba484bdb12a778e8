"""Drawings (SVG) as files of a book: nothing in them runs, or is fetched from anywhere.

EPUB 3.3, section 3.2, has image/svg+xml among its core media types.
"""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from winnow.document.sanitise import SVG_ATTRIBUTES, SVG_TAGS

SVG: Final = "image/svg+xml"
LARGEST: Final = 500_000
"""Bytes of a drawing; larger ones are left out."""
_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_HREFS: Final = ("href", "{http://www.w3.org/1999/xlink}href")
_BEGINNING: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>\[]*>|\s)*<svg[\s/>]", re.DOTALL
)
"""Of a document that declares no entities."""
_TAGS: Final = frozenset(SVG_TAGS.split()) | {"use"}
_ATTRIBUTES: Final = frozenset(SVG_ATTRIBUTES.split()) - {"xmlns"}
_ELSEWHERE: Final = re.compile(r"[\\:]|//|url\((?!#)", re.IGNORECASE)
"""In the value of an attribute: what may be an address that is not within the drawing."""
_WORDS: Final = frozenset({"aria-label", "id"})
"""Attributes with words in them, which no reader takes for an address."""


def is_drawing(body: bytes) -> bool:
    """Whether a file is an SVG document, by its beginning."""
    return _BEGINNING.match(body[:4000]) is not None


def safe_drawing(body: bytes) -> bytes:
    """An SVG document with what is listed alone: no script, link, animation or address.

    b"" for what is none, and for what would not look as it should: a drawing with a style sheet.
    """
    if len(body) > LARGEST or not is_drawing(body):
        return b""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        found = etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return b""
    names = {_name(each) for each in found.iter(etree.Element)}
    if _name(found) != "svg" or "style" in names or _repeats_itself(found):
        return b""
    return etree.tostring(_copied(found), xml_declaration=True, encoding="utf-8")


def _repeats_itself(found: etree._Element) -> bool:
    """Whether what is used somewhere uses something in turn: a few lines can be millions."""
    users = [each for each in found.iter(etree.Element) if _name(each) == "use"]
    targets = {_target(each) for each in users}
    within = (above for each in users for above in (each, *each.iterancestors()))
    return any(above.get("id") in targets for above in within)


def _copied(source: etree._Element) -> etree._Element:
    element = etree.Element(f"{{{_NAMESPACE}}}{_name(source)}", nsmap={None: _NAMESPACE})
    for name, value in {**source.attrib, **_declared(source)}.items():
        if name in _ATTRIBUTES and (name in _WORDS or not _ELSEWHERE.search(value)):
            element.set(name, value)
    if _name(source) == "use":
        element.set(_HREFS[0], f"#{_target(source)}")
    element.text = source.text
    for child in source.iterchildren(etree.Element):
        if _name(child) in _TAGS:
            copy = _copied(child)
            copy.tail = child.tail
            element.append(copy)
    return element


def _declared(source: etree._Element) -> dict[str, str]:
    """The declarations of a style attribute, which SVG has as attributes too."""
    pairs = (each.partition(":") for each in (source.get("style") or "").split(";"))
    return {name.strip(): value.strip() for name, _colon, value in pairs if value.strip()}


def _target(use: etree._Element) -> str:
    """The id of what an element uses, "" for what is not within the drawing."""
    found = next((use.get(name) or "" for name in _HREFS if use.get(name)), "")
    return found[1:] if found.startswith("#") else ""


def _name(element: etree._Element) -> str:
    """The element's name in SVG, "" for one of another vocabulary."""
    named = etree.QName(element)
    return named.localname if named.namespace in (_NAMESPACE, None) else ""
