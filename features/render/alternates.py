"""Other addresses of a page on its own site that may have its text without scripts. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

from winnow.document.addresses import joined, parts_of, port_of
from winnow.document.values import Page

MOST: Final = 3
"""Addresses that are tried."""
_HEAD_BYTES: Final = 128 * 1024
FEED: Final = "feed"
_FEEDS: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_FORMS: Final = frozenset({"www", "amp", "m", "mobile", "print"})


@dataclass(frozen=True, slots=True)
class Alternate:
    """``kind``: what the page calls it."""

    url: str
    kind: str


def alternates(page: Page) -> tuple[Alternate, ...]:
    """The AMP and print forms and the feeds that a page names in its head, on its own site."""
    reader = _Links()
    reader.feed(page.body[:_HEAD_BYTES].decode("latin-1"))
    base = page.url or ""
    named = (Alternate(_absolute(base, link), kind) for link, kind in reader.found)
    unlike = {each.url: each for each in named if _is_beside(each.url, base)}
    return tuple(unlike.values())[:MOST]


class _Links(HTMLParser):
    """The links of a head that lead to another form of the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "link":
            self.found += _alternate({name: value or "" for name, value in attrs})


def _alternate(attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    relations, address = attributes.get("rel", "").lower().split(), attributes.get("href", "")
    media = attributes.get("media", "").lower()
    if not address:
        return
    if "amphtml" in relations:
        yield address, "AMP"
    elif "alternate" in relations and media == "print":
        yield address, "print"
    elif "alternate" in relations and attributes.get("type", "").lower() in _FEEDS:
        yield address, FEED


def _absolute(base: str, address: str) -> str:
    return joined(base, address.strip()).partition("#")[0]


def _is_beside(url: str, page: str) -> bool:
    """Whether an address is another one of the page's own site: no third party hears of it."""
    there, here = parts_of(url), parts_of(page)
    return (
        there.scheme in ("http", "https")
        and there.scheme in (here.scheme, "https")
        and port_of(url) == port_of(page)
        and _site(there.hostname or "") == _site(here.hostname or "")
        and url != page
    )


def _site(host: str) -> str:
    """A host without the label that names a form of its pages."""
    label, _, rest = host.partition(".")
    return rest if label in _FORMS and "." in rest else host
