"""The text of an annotated page: what spans of the classes ``x-nc-selN`` mark as content."""

from __future__ import annotations

import re

from lxml import html

_LABEL = re.compile(r"(?:^|\s)x-nc-sel(\d)(?:\s|$)")
_INLINE = frozenset("a abbr b big cite code em font i q s small span strong sub sup u".split())
_UNSEEN = frozenset(("script", "style", "noscript", "template"))


def annotated_text(page: bytes, labels: str) -> str:
    """The text whose nearest annotation is one of ``labels`` (digits), a line for each block."""
    tree = html.document_fromstring(page or b"<p></p>")
    lines: list[tuple[html.HtmlElement | None, list[str]]] = []
    for node in tree.xpath("//text()"):
        owner = node.getparent() if node.is_text else node.getparent().getparent()
        if owner is None or owner.tag in _UNSEEN or _label(owner) not in labels:
            continue
        block = _block(owner)
        if not lines or lines[-1][0] is not block:
            lines.append((block, []))
        lines[-1][1].append(str(node))
    joined = (" ".join("".join(parts).split()) for _, parts in lines)
    return "\n".join(line for line in joined if line)


def _label(element: html.HtmlElement) -> str:
    """The digit of the nearest annotation around an element; 0, not content, without one."""
    at: html.HtmlElement | None = element
    while at is not None:
        found = _LABEL.search(str(at.get("class") or ""))
        if found:
            return found[1]
        at = at.getparent()
    return "0"


def _block(element: html.HtmlElement) -> html.HtmlElement:
    at = element
    while at.tag in _INLINE and (parent := at.getparent()) is not None:
        at = parent
    return at
