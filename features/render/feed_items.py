"""The text of one item of a feed: where a page that scripts write has it in its site's feed."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from lxml import etree

from winnow.document.values import Page
from winnow.features.books.feed_content import (
    ATOM,
    CONTENT,
    feed_object,
    item_link,
    json_link,
    xml_items,
    xml_root,
)

_WHOLE: Final = "<!doctype html><title>{0}</title><main><article><h1>{0}</h1>{1}</article></main>"


def item_page(page: Page, link: str) -> str:
    """A page of the item whose link is ``link``, as HTML; "" without one, or without its content.

    A summary is no content: of RSS only ``content:encoded`` counts, of Atom ``content``.
    """
    title, content = _json_item(page, link) or _xml_item(page, link) or ("", "")
    return _WHOLE.format(escape(title), content) if content.strip() else ""


def _json_item(feed: Page, link: str) -> tuple[str, str] | None:
    found: Mapping[str, Any] = feed_object(feed.body) or {}
    for item in found.get("items", ()):
        if json_link(item, feed.url or "") == link:
            return str(item.get("title") or ""), str(item.get("content_html") or "")
    return None


def _xml_item(feed: Page, link: str) -> tuple[str, str] | None:
    root = xml_root(feed.body)
    for item in xml_items(root) if root is not None else ():
        if item_link(item, feed.url or "") == link:
            return "".join(item.findtext("{*}title") or ""), _content(item)
    return None


def _content(item: etree._Element) -> str:
    encoded = item.findtext(f"{{{CONTENT}}}encoded")
    if encoded:
        return encoded
    content = item.find(f"{{{ATOM}}}content")
    if content is None or content.get("src"):
        return ""
    if content.get("type") == "xhtml":
        return "".join(
            etree.tostring(child, encoding="unicode", method="html") for child in content
        )
    text = content.text or ""
    return text if content.get("type") == "html" else f"<p>{escape(text)}</p>"
