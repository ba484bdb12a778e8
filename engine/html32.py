"""An article in plain markup, cut into parts."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from winnow.document.render.xhtml import MATHML, xhtml_of
from winnow.engine.splitter import parts_of


@dataclass(frozen=True, slots=True)
class Measure:
    """``part`` counts from 1; ``size`` in bytes; at most ``images`` images are in the text."""

    part: int = 1
    size: int = 12_000
    images: int = 0


def plain_parts(article: str, link_prefix: str, image_prefix: str, measure: Measure) -> list[str]:
    """The parts of a clean article whose links begin with ``link_prefix``; at least one.

    ``image_prefix`` stands where ``link_prefix`` is, for the images shown.
    """
    body = plain_body(article, _Images(link_prefix, image_prefix, measure.images))
    return parts_of(body, measure.size)


class _Images:
    """Where an image of the article is shown from; "" for those that are only linked to."""

    def __init__(self, link_prefix: str, image_prefix: str, most: int) -> None:
        self.base = "/".join(link_prefix.split("/", 3)[:3]) or "no base"
        self.link_prefix, self.image_prefix, self.left = link_prefix, image_prefix, most

    def __call__(self, source: str) -> str:
        if not self.left or not source.startswith(self.link_prefix + "http"):
            return ""
        self.left -= 1
        return self.image_prefix + source.removeprefix(self.link_prefix)


def plain_body(article: str, images: _Images) -> etree._Element:
    """The article in elements that every browser knows, without names of namespaces.

    Addresses here are without our own host: each link would say it again.
    """
    body = xhtml_of(article, images).body
    for element in list(body.iter()):
        if element.tag == f"{{{MATHML}}}math":
            _as_text(element)
    for element in body.iter():
        if isinstance(element.tag, str):
            name = element.tag.rpartition("}")[2]
            element.tag = "div" if name == "figure" else name  # a figure's margins cost 80 pixels
        element.attrib.pop("{http://www.w3.org/XML/1998/namespace}lang", None)
        for name in ("href", "src"):
            if element.get(name, "").startswith(images.base):
                element.set(name, element.get(name, "").removeprefix(images.base))
    etree.cleanup_namespaces(body)
    return body


def _as_text(formula: etree._Element) -> None:
    text = formula.get("alttext") or "".join(map(str, formula.itertext()))
    tail = formula.tail
    formula.clear()
    formula.tag, formula.text, formula.tail = "code", " ".join(text.split()), tail
