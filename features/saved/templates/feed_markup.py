"""Saved pages as feeds: an OPDS 1.2 catalogue with its OpenSearch description, RSS 2.0, a podcast.

OPDS Catalog 1.2 (specs.opds.io), RFC 4287, OpenSearch 1.1, RSS 2.0 with RSS's content module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode
from uuid import NAMESPACE_URL, uuid5

from winnow.features.listen.templates.audio_links import audio_path
from winnow.features.saved.stores.saved_page import PageQuery, SavedEntry, SavedPage
from winnow.proxy.own.checked_values import Address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.speech.values import AudioFormat

OPDS: Final = "/-/opds"
OPDS_PAGES: Final = f"{OPDS}/pages"
OPDS_SEARCH: Final = f"{OPDS}/search.xml"
RSS: Final = f"{SAVED_PAGES}/rss"
PODCAST: Final = f"{SAVED_PAGES}/podcast"
NAVIGATION: Final = "application/atom+xml;profile=opds-catalog;kind=navigation"
ACQUISITION: Final = "application/atom+xml;profile=opds-catalog;kind=acquisition"
SEARCH: Final = "application/opensearchdescription+xml"
_ADDRESS: Final = "/:?#[]@!$&'()*+,;=%~"
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_FEED: Final = page_template(__package__, "opds.html")
_SEARCH: Final = page_template(__package__, "opensearch.html")
_RSS: Final = page_template(__package__, "rss.html")
_PODCAST: Final = page_template(__package__, "podcast.html")


@dataclass(frozen=True, slots=True)
class FeedFrame:
    """``base``: Winnow's own address with a slash at its end; ``owner``: whose feed it is."""

    base: str
    owner: str

    def address(self, path: str, **fields: str) -> Address:
        """An absolute address."""
        written = urlencode({name: value for name, value in fields.items() if value})
        return Address(f"{self.base.rstrip('/')}{path}{'?' if written else ''}{written}")

    def id(self, name: str) -> str:
        """The same for the same owner and name, and nobody else's."""
        return f"urn:uuid:{uuid5(NAMESPACE_URL, f'winnow {self.owner} {name}')}"


class FeedLink(NamedTuple):
    """A link of Atom (RFC 4287, section 4.2.7)."""

    relation: str
    address: Address
    kind: str


def catalogue(frame: FeedFrame, tags: Mapping[str, int]) -> bytes:
    """The root of the catalogue: the latest pages, and each tag."""
    shelves = [("", "The latest first")]
    shelves += [(name, f"{count} saved pages") for name, count in tags.items()]
    links = [FeedLink("self", frame.address(OPDS), NAVIGATION)]
    head = {"id": frame.id(OPDS), "title": "Winnow: saved pages", "updated": _moment("")}
    return _feed(frame, links, shelves=shelves, **head)


def acquisition(
    frame: FeedFrame, entries: Sequence[SavedEntry], query: PageQuery, *, more: bool
) -> bytes:
    """A part of the saved pages, each with its EPUB."""
    number = query.offset // query.limit + 1

    def part(relation: str, to: int) -> FeedLink:
        page = str(to) if to > 1 else ""
        address = frame.address(OPDS_PAGES, q=query.words, tag=query.tag, page=page)
        return FeedLink(relation, address, ACQUISITION)

    links = [part("self", number), part("first", 1)]
    links += [part("previous", number - 1)] if number > 1 else []
    links += [part("next", number + 1)] if more else []
    head = {
        "id": frame.id(f"{OPDS_PAGES} {query.tag} {query.words}"),
        "title": " ".join(filter(None, ("Saved pages", query.tag, query.words))),
        "updated": _moment(max((entry.page.saved for entry in entries), default="")),
    }
    shown = [entry for entry in entries if entry.is_fetched]
    return _feed(frame, links, entries=shown, query=query, **head)


def search_description(frame: FeedFrame) -> bytes:
    """How an e-reader searches (OpenSearch 1.1)."""
    return _SEARCH(acquisition=ACQUISITION, address=frame.address(OPDS_PAGES)).encode()


def rss(frame: FeedFrame, pages: Sequence[SavedPage], tag: str) -> bytes:
    """The latest saved pages with their whole text."""
    return _RSS(pages=pages, **_channel(frame, tag)).encode()


def podcast(frame: FeedFrame, entries: Sequence[SavedEntry], tag: str, form: AudioFormat) -> bytes:
    """The latest saved pages, each with its audio file, which is made when it is fetched.

    RSS 2.0 with enclosures and the elements of Apple's namespace that applications ask for. The
    length of a file that is not made yet is 0.
    """
    languages = (legal(entry.page.language) for entry in entries if entry.page.language)
    values = {"entries": entries, "audio": form, "audio_path": audio_path}
    return _PODCAST(language=next(languages, "en"), **values, **_channel(frame, tag)).encode()


def legal(text: str) -> str:
    """Without the characters that XML 1.0 has no place for (section 2.2)."""
    return _ILLEGAL.sub("", text)


def _channel(frame: FeedFrame, tag: str) -> dict[str, object]:
    """What each RSS feed of saved pages says."""
    return {
        "frame": frame,
        "tag": tag,
        "title": f"Saved pages: {tag}" if tag else "Saved pages",
        "legal": legal,
        "link_of": lambda page: quote(page.url, safe=_ADDRESS),
        "date_of": lambda page: format_datetime(_moment(page.saved)),
    }


def _feed(frame: FeedFrame, links: Sequence[FeedLink], **values: object) -> bytes:
    start = FeedLink("start", frame.address(OPDS), NAVIGATION)
    search = FeedLink("search", frame.address(OPDS_SEARCH), SEARCH)
    functions = {"legal": legal, "moment_of": _moment}
    usual: dict[str, object] = {"shelves": (), "entries": (), "query": None}
    constants = {"frame": frame, "pages": OPDS_PAGES, "acquisition": ACQUISITION}
    named = {**usual, **constants, **functions, **values}
    return _FEED(links=[*links, start, search], **named).encode()


def _moment(text: str) -> datetime:
    """A date of ISO 8601 with its zone; 1970 for any other text."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
