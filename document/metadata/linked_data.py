"""Schema.org facts in a page's JSON-LD scripts, which are often malformed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from winnow.document.parsing.signature import needs

if TYPE_CHECKING:
    from winnow.document.document import Document

MAX_NODES: Final = 10_000
"""How many JSON values are looked at: a page cannot make this step long."""
_PIECES: Final = (
    "Article", "BlogPosting", "NewsArticle", "Report", "Product", "Recipe", "QAPage",
    "DiscussionForumPosting", "TechArticle", "ScholarlyArticle", "Review", "Event", "JobPosting",
    "LiveBlogPosting", "AnalysisNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "Book",
)  # fmt: skip
_PAGES: Final = ("WebPage", "ItemPage", "CollectionPage", "AboutPage", "FAQPage")


@dataclass(frozen=True, slots=True)
class LinkedFacts:
    """What the page's linked data states; "" where it is silent. ``is_work``: of a work, not of the
    page that shows it."""

    title: str = ""
    byline: str = ""
    published: str = ""
    modified: str = ""
    licence: str = ""
    is_work: bool = False
    site: str = ""
    excerpt: str = ""
    image: str = ""


@needs("ld+json", absent=LinkedFacts())
def read(document: Document) -> LinkedFacts:
    """The facts of the first node that is a work, else a page; raises nothing."""
    nodes = document.linked_nodes
    for types in (_PIECES, _PAGES):
        for node in nodes:
            if _is_of(node, types):
                return _facts(node, nodes, is_work=types is _PIECES)
    return LinkedFacts(site=_site(nodes))


def nodes_of(document: Document) -> list[dict[str, Any]]:
    """All objects of all scripts, each script's breadth first."""
    return [node for script in _scripts(document) for node in _nodes(script)]


def _scripts(document: Document) -> Iterator[Any]:
    elements, markup = document.elements, document.markup
    for script in document.elements_named("script"):
        start, end = int(elements.open_start[script]), int(elements.open_end[script])
        if markup.find("ld+json", start, end) < 0:  # few have it anywhere in their tag
            continue
        if "ld+json" not in document.attributes_of(script, {"type"}).get("type", ""):
            continue
        source = markup[end : elements.close_start[script]].strip().removesuffix(";")
        try:
            yield _parsed(source)
        except (ValueError, RecursionError):  # broken JSON is common, and says nothing
            continue


def _parsed(source: str) -> Any:
    """A JSON text, in which control characters may stand; the strict parser is twice as fast."""
    try:
        return msgspec.json.decode(source)
    except (msgspec.MsgspecError, UnicodeError):
        return json.loads(source, strict=False)


def _nodes(root: Any) -> list[dict[str, Any]]:
    """All objects of a JSON value, breadth first, at most MAX_NODES values looked at."""
    queue: list[Any] = [root]
    for value in islice(queue, MAX_NODES):  # what is added meanwhile is looked at, too
        if type(value) is dict:
            queue += value.values()
        elif type(value) is list:
            queue += value
    return [value for value in queue[:MAX_NODES] if type(value) is dict]


def _facts(node: dict[str, Any], nodes: list[dict[str, Any]], *, is_work: bool) -> LinkedFacts:
    return LinkedFacts(
        title=_text(node.get("headline")) or _text(node.get("name")),
        byline=", ".join(dict.fromkeys(names_of(node.get("author"), nodes))),
        published=_text(node.get("datePublished")) or _text(node.get("dateCreated")),
        modified=_text(node.get("dateModified")),
        licence=_address(node.get("license")),
        is_work=is_work,
        site=next(names_of(node.get("publisher"), nodes), "") or _site(nodes),
        excerpt=_text(node.get("description")),
        image=_address(node.get("image")),
    )


def _site(nodes: list[dict[str, Any]]) -> str:
    return next((_text(node.get("name")) for node in nodes if _is_type(node, "WebSite")), "")


def _is_type(node: dict[str, Any], name: str) -> bool:
    types = node.get("@type")
    return name == types or (isinstance(types, list) and name in types)


def _is_of(node: dict[str, Any], among: tuple[str, ...]) -> bool:
    types = node.get("@type")
    return types in among or (isinstance(types, list) and any(name in types for name in among))


def names_of(value: Any, nodes: list[dict[str, Any]]) -> Iterator[str]:
    """The names of one or several persons or organisations, references by ``@id`` resolved."""
    for person in value if isinstance(value, list) else [value]:
        name = person.get("name") if isinstance(person, dict) else person
        if name is None and isinstance(person, dict) and "@id" in person:
            others = (other for other in nodes if other.get("@id") == person["@id"])
            name = next((other["name"] for other in others if "name" in other), None)
        if text := _text(name):
            yield text


def _address(value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    return _text(value.get("url") if isinstance(value, dict) else value)


def _text(value: Any) -> str:
    return " ".join(unescape(value).split()) if isinstance(value, str) else ""
