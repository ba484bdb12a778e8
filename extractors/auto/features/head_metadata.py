"""Features of a page's head: its kind, its own address.

The address is the one that the page names as its own, not the requested one: a page is the
same through a gateway, from a file or from an archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import Final, NamedTuple

from winnow.document.addresses import parts_of
from winnow.document.document import Document, once
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs

_KIND: Final = re.compile(r'"@type":\s*+(?:\[\s*+)?"(?:https?://schema.org/)?(\w+)"')
KINDS: Final = {
    "article": frozenset(
        "article newsarticle blogposting techarticle reportagenewsarticle".split()
    ),
    "product": frozenset("product productgroup offer".split()),
    "forum": frozenset("discussionforumposting qapage question comment".split()),
    "business": frozenset("localbusiness service softwareapplication webapplication".split()),
}
"""Groups of schema.org's types."""


class Head(NamedTuple):
    """``kinds``: the types that the page's linked data names, in lower case; ``open_graph_type``:
    the content of ``<meta property="og:type">``, in lower case; ``address``: the page's own by
    ``<link rel="canonical">``. "" where there is none.
    """

    kinds: frozenset[str]
    open_graph_type: str
    address: str


@needs("ld+json", '"og:type"', '"canonical"', absent=Head(frozenset(), "", ""))
@once
def head_of(document: Document) -> Head:
    """What a page's head says: features and tokens ask for it."""
    return Head(
        _kinds(document),
        next(_values(document, "meta", '"og:type"', "content"), "").lower(),
        unescape(next(_values(document, "link", '"canonical"', "href"), "")),
    )


def head_features(document: Document) -> dict[str, float]:
    """Numbers about the whole page, by their names."""
    head = head_of(document)
    found = {f"page: says {name}": float(bool(head.kinds & KINDS[name])) for name in KINDS}
    for name in ("article", "website", "product"):
        found[f"page: og {name}"] = float(head.open_graph_type.startswith(name))
    return found | _form(head.address)


def _kinds(document: Document) -> frozenset[str]:
    elements, markup = document.elements, document.markup
    found: set[str] = set()
    for script in _marked(document, "script", "ld+json"):
        source = markup[int(elements.open_end[script]) : int(elements.close_start[script])]
        found.update(map(str.lower, _KIND.findall(source)))
    return frozenset(found)


def _marked(document: Document, name: str, sign: str) -> list[int]:
    """The elements of a name whose opening tags hold a sign, in document order."""
    named, elements = document.elements_named(name), document.elements
    starts, ends = elements.open_start[named], elements.open_end[named]
    return [named[at] for at in start_tags.holding(document.markup, starts, ends, (sign,))]


def _values(document: Document, name: str, sign: str, attribute: str) -> Iterator[str]:
    """What an attribute of each of these says, as it is escaped."""
    starts, ends = document.elements.open_start, document.elements.open_end
    for element in _marked(document, name, sign):
        opening = document.markup[int(starts[element]) : int(ends[element])]
        yield opening.partition(f' {attribute}="')[2].partition('"')[0]


@lru_cache(maxsize=64)
def _form(address: str) -> dict[str, float]:
    """The form of an address, not its words."""
    path = parts_of(address).path
    return {
        "address: depth": path.strip("/").count("/") + (len(path) > 1),
        "address: hyphens": path.count("-"),
        "address: length": len(path),
        "address: digits": sum(map(str.isdigit, path)),
    }
