"""Feeds: which pages the items of one name, and the feed with the pages' content put in.

Everything else in a feed stays; only its items' content is replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lxml import etree

from winnow.document.addresses import joined
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.features.books.jobs import Feed

ATOM: Final = "http://www.w3.org/2005/Atom"
CONTENT: Final = "http://purl.org/rss/1.0/modules/content/"
_XML: Final = "http://www.w3.org/XML/1998/namespace"
_ITEMS: Final = {"rss": "item", "RDF": "item", "feed": "entry"}
_KINDS: Final = (
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/json",
)
_MEDIA_TYPES: Final = {
    "rss": "application/rss+xml; charset=utf-8",
    "RDF": "application/rss+xml; charset=utf-8",
    "feed": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
}


def read_feed(page: Page) -> Feed:
    """What a body is as a feed; raises nothing."""
    if feed := feed_object(page.body):
        links = tuple(json_link(item, page.url or "") for item in feed["items"])
        return Feed("json", links)
    root = xml_root(page.body)
    kind = _local(root) if root is not None else ""
    if root is None or kind not in _ITEMS:
        return Feed(elsewhere=_advertised(page))
    return Feed(kind, tuple(item_link(item, page.url or "") for item in xml_items(root)))


def filled(page: Page, contents: Mapping[str, str]) -> tuple[bytes, str]:
    """The feed with the content of items by link, and its media type. The page must be a feed."""
    feed = feed_object(page.body)
    if feed:
        for item in feed["items"]:
            if content := contents.get(json_link(item, page.url or "")):
                item["content_html"] = content
        return json.dumps(feed, ensure_ascii=False).encode(), _MEDIA_TYPES["json"]
    root = xml_root(page.body)
    if root is None:
        raise ValueError("no feed")
    for item in xml_items(root):
        if content := contents.get(item_link(item, page.url or "")):
            _fill(item, content, atom=_local(root) == "feed")
    body = etree.tostring(root, xml_declaration=True, encoding="utf-8")
    return bytes(body), _MEDIA_TYPES[_local(root)]


def feed_object(body: bytes) -> dict[str, Any] | None:
    """A JSON feed; None for what is none."""
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        feed = json.loads(body)
    except ValueError:
        return None
    items = feed.get("items")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    found: dict[str, Any] = feed
    return found


def json_link(item: Mapping[str, Any], base: str) -> str:
    link = item.get("url") or item.get("external_url") or ""
    return _absolute(base, link) if isinstance(link, str) else ""


def xml_root(body: bytes) -> etree._Element | None:
    """The root, read without entities, network or unbounded memory; None for what is no XML."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False
    )
    try:
        return etree.fromstring(body.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _local(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def xml_items(root: etree._Element) -> Iterator[etree._Element]:
    """The items of a feed; none of what is no feed."""
    wanted = _ITEMS.get(_local(root), "")
    return (element for element in root.iter() if _local(element) == wanted)


def item_link(item: etree._Element, base: str) -> str:
    """The address of an item's page: its link, or a guid that is one."""
    for child in item:
        name = _local(child)
        if name == "link" and child.get("href") and child.get("rel", "alternate") == "alternate":
            inner = joined(base, child.base or "") if child.get(f"{{{_XML}}}base") else base
            return _absolute(inner, child.get("href") or "")
        if name == "link" and (child.text or "").strip():
            return _absolute(base, child.text or "")
    for child in item:
        if _local(child) == "guid" and child.get("isPermaLink", "true") == "true":
            return _absolute(base, child.text or "")
    return ""


def _absolute(base: str, link: str) -> str:
    found = joined(base, link.strip()).partition("#")[0]
    return found if found.startswith(("http://", "https://")) else ""


def _fill(item: etree._Element, content: str, *, atom: bool) -> None:
    name = f"{{{ATOM}}}content" if atom else f"{{{CONTENT}}}encoded"
    for old in item.findall(name):
        item.remove(old)
    element = etree.SubElement(item, name, nsmap=None if atom else {"content": CONTENT})
    if atom:
        element.set("type", "html")
    element.text = "".join(
        sign for sign in content if sign in "\t\n\r" or (sign >= " " and sign not in "\ufffe\uffff")
    )


def _advertised(page: Page) -> str:
    """The feed that a page's head names."""
    document = Document.parse(page)
    for element in document.elements_named("link"):
        attributes = document.attributes_of(element)
        is_feed = attributes.get("type", "").lower().partition(";")[0].strip() in _KINDS
        if is_feed and "alternate" in attributes.get("rel", "").lower().split():
            return _absolute(page.url or "", attributes.get("href", ""))
    return ""
