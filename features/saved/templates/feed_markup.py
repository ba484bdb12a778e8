"""Saved pages as feeds: an OPDS 1.2 catalogue with its OpenSearch description, RSS 2.0, a podcast.

OPDS Catalog 1.2 (specs.opds.io), RFC 4287, OpenSearch 1.1, RSS 2.0 with RSS's content module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final
from urllib.parse import quote, urlencode
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup

from winnow.features.listen.templates.audio_links import audio_path
from winnow.features.saved.stores.saved_page import PageQuery, SavedEntry, SavedPage
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
_DECLARATION: Final = Markup('<?xml version="1.0" encoding="utf-8"?>\n')
_FEED: Final = Markup(
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/" '
    'xmlns:opds="http://opds-spec.org/2010/catalog" '
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">\n'
    "<id>{id}</id>\n<title>{title}</title>\n<updated>{updated}</updated>\n"
    "<author><name>Winnow</name></author>\n{links}\n{entries}\n</feed>\n"
)


@dataclass(frozen=True, slots=True)
class FeedFrame:
    """``base``: Winnow's own address with a slash at its end; ``owner``: whose feed it is."""

    base: str
    owner: str

    def address(self, path: str, **fields: str) -> str:
        """An absolute address."""
        written = urlencode({name: value for name, value in fields.items() if value})
        return f"{self.base.rstrip('/')}{path}{'?' if written else ''}{written}"

    def id(self, name: str) -> str:
        """The same for the same owner and name, and nobody else's."""
        return f"urn:uuid:{uuid5(NAMESPACE_URL, f'winnow {self.owner} {name}')}"


def catalogue(frame: FeedFrame, tags: Mapping[str, int]) -> bytes:
    """The root of the catalogue: the latest pages, and each tag."""
    entries = [_shelf(frame, "All saved pages", "The latest first", "")]
    entries += [_shelf(frame, name, f"{count} saved pages", name) for name, count in tags.items()]
    links = [_link(frame.address(OPDS), "self", NAVIGATION), *_common(frame)]
    head = _FeedHead(frame.id(OPDS), "Winnow: saved pages", "")
    return _feed(head, links, entries)


def acquisition(
    frame: FeedFrame, entries: Sequence[SavedEntry], query: PageQuery, *, more: bool
) -> bytes:
    """A part of the saved pages, each with its EPUB."""
    number = query.offset // query.limit + 1

    def part(to: int) -> str:
        page = str(to) if to > 1 else ""
        return frame.address(OPDS_PAGES, q=query.words, tag=query.tag, page=page)

    links = [_link(part(number), "self", ACQUISITION), _link(part(1), "first", ACQUISITION)]
    links += [_link(part(number - 1), "previous", ACQUISITION)] if number > 1 else []
    links += [_link(part(number + 1), "next", ACQUISITION)] if more else []
    links += _common(frame)
    counts = Markup(
        "<opensearch:startIndex>{}</opensearch:startIndex>"
        "<opensearch:itemsPerPage>{}</opensearch:itemsPerPage>"
    ).format(query.offset + 1, query.limit)
    title = " ".join(filter(None, ("Saved pages", query.tag, query.words)))
    shown = [_entry(frame, entry) for entry in entries if entry.is_fetched]
    latest = max((entry.page.saved for entry in entries), default="")
    name = f"{OPDS_PAGES} {query.tag} {query.words}"
    return _feed(_FeedHead(frame.id(name), title, latest), [*links, counts], shown)


def search_description(frame: FeedFrame) -> bytes:
    """How an e-reader searches (OpenSearch 1.1)."""
    template = frame.address(OPDS_PAGES) + "?q={searchTerms}"
    return str(
        _DECLARATION
        + Markup(
            '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
            "<ShortName>Winnow</ShortName><Description>Saved pages</Description>"
            "<InputEncoding>UTF-8</InputEncoding>"
            '<Url type="{}" template="{}"/>\n</OpenSearchDescription>\n'
        ).format(ACQUISITION, template)
    ).encode()


def rss(frame: FeedFrame, pages: Sequence[SavedPage], tag: str) -> bytes:
    """The latest saved pages with their whole text."""
    items = Markup("\n").join(_item(frame, page) for page in pages)
    title = f"Saved pages: {tag}" if tag else "Saved pages"
    return str(
        _DECLARATION
        + Markup(
            '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
            'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            "\n<channel>\n<title>{}</title>\n<link>{}</link>\n"
            "<description>Pages saved in Winnow</description>\n"
            '<atom:link href="{}" rel="self" type="application/rss+xml"/>\n{}\n</channel>\n</rss>\n'
        ).format(
            legal(title),
            frame.address(SAVED_PAGES, tag=tag),
            frame.address(RSS, tag=tag),
            items,
        )
    ).encode()


def podcast(frame: FeedFrame, entries: Sequence[SavedEntry], tag: str, form: AudioFormat) -> bytes:
    """The latest saved pages, each with its audio file, which is made when it is fetched.

    RSS 2.0 with enclosures and the elements of Apple's namespace that applications ask for. The
    length of a file that is not made yet is 0.
    """
    items = Markup("\n").join(_episode(frame, entry, form) for entry in entries)
    return str(
        _DECLARATION
        + Markup(
            '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
            'xmlns:atom="http://www.w3.org/2005/Atom">\n'
            "<channel>\n<title>{}</title>\n<link>{}</link>\n<language>{}</language>\n"
            "<description>Pages saved in Winnow, read aloud</description>\n"
            "<itunes:author>Winnow</itunes:author><itunes:explicit>false</itunes:explicit>"
            '<itunes:category text="News"/><itunes:block>Yes</itunes:block>\n'
            '<atom:link href="{}" rel="self" type="application/rss+xml"/>\n{}\n</channel>\n</rss>\n'
        ).format(
            legal(f"Saved pages: {tag}" if tag else "Saved pages"),
            frame.address(SAVED_PAGES, tag=tag),
            next((legal(entry.page.language) for entry in entries if entry.page.language), "en"),
            frame.address(PODCAST, tag=tag),
            items,
        )
    ).encode()


def _episode(frame: FeedFrame, entry: SavedEntry, form: AudioFormat) -> Markup:
    page = entry.page
    return Markup(
        '<item><title>{}</title><link>{}</link><guid isPermaLink="false">{}</guid>'
        "<pubDate>{}</pubDate><description>{}</description><itunes:author>{}</itunes:author>"
        '<enclosure url="{}" length="0" type="{}"/></item>'
    ).format(
        legal(page.title or page.url),
        quote(page.url, safe=_ADDRESS),
        frame.id(f"audio {page.url}"),
        format_datetime(_moment(page.saved)),
        legal(page.excerpt),
        legal(page.byline or page.site or "Winnow"),
        frame.address(audio_path(entry.number, form.value)),
        form.media_type,
    )


def legal(text: str) -> str:
    """Without the characters that XML 1.0 has no place for (section 2.2)."""
    return _ILLEGAL.sub("", text)


@dataclass(frozen=True, slots=True)
class _FeedHead:
    id: str
    title: str
    updated: str


def _feed(head: _FeedHead, links: Sequence[Markup], entries: Sequence[Markup]) -> bytes:
    feed = _FEED.format(
        id=head.id,
        title=legal(head.title),
        updated=_moment(head.updated).isoformat(),
        links=Markup("\n").join(links),
        entries=Markup("\n").join(entries),
    )
    return str(_DECLARATION + feed).encode()


def _common(frame: FeedFrame) -> list[Markup]:
    return [
        _link(frame.address(OPDS), "start", NAVIGATION),
        _link(frame.address(OPDS_SEARCH), "search", SEARCH),
    ]


def _link(href: str, relation: str, media_type: str) -> Markup:
    return Markup('<link rel="{}" href="{}" type="{}"/>').format(relation, href, media_type)


def _shelf(frame: FeedFrame, title: str, about: str, tag: str) -> Markup:
    return Markup(
        "<entry><id>{}</id><title>{}</title><updated>{}</updated>"
        '<content type="text">{}</content>{}</entry>'
    ).format(
        frame.id(f"tag {tag}"),
        legal(title),
        _moment("").isoformat(),
        about,
        _link(frame.address(OPDS_PAGES, tag=tag), "subsection", ACQUISITION),
    )


def _entry(frame: FeedFrame, entry: SavedEntry) -> Markup:
    page, place = entry.page, f"{SAVED_PAGES}/{entry.number}"
    author = page.byline or page.site
    parts = [
        Markup("<author><name>{}</name></author>").format(legal(author)) if author else "",
        Markup("<dc:language>{}</dc:language>").format(legal(page.language))
        if page.language
        else "",
        Markup('<summary type="text">{}</summary>').format(legal(page.excerpt)),
        *(Markup('<category term="{0}" label="{0}"/>').format(legal(tag)) for tag in page.tags),
        _link(
            frame.address(f"{place}/book.epub"),
            "http://opds-spec.org/acquisition",
            "application/epub+zip",
        ),
        _link(frame.address(place), "alternate", "text/html"),
    ]
    return Markup("<entry><id>{}</id><title>{}</title><updated>{}</updated>{}</entry>").format(
        frame.id(page.url),
        legal(page.title or page.url),
        _moment(page.saved).isoformat(),
        Markup("").join(parts),
    )


def _item(frame: FeedFrame, page: SavedPage) -> Markup:
    tags = Markup("").join(
        Markup("<category>{}</category>").format(legal(tag)) for tag in page.tags
    )
    author = Markup("<dc:creator>{}</dc:creator>").format(legal(page.byline))
    return Markup(
        '<item><title>{}</title><link>{}</link><guid isPermaLink="false">{}</guid>'
        "<pubDate>{}</pubDate>{}{}<description>{}</description>"
        "<content:encoded>{}</content:encoded></item>"
    ).format(
        legal(page.title or page.url),
        quote(page.url, safe=_ADDRESS),
        frame.id(page.url),
        format_datetime(_moment(page.saved)),
        author if page.byline else "",
        tags,
        legal(page.excerpt),
        legal(page.content),
    )


def _moment(text: str) -> datetime:
    """A date of ISO 8601 with its zone; 1970 for any other text."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
