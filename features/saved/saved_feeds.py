"""``/-/opds`` and below: saved pages for e-readers; ``/-/saved/rss``: for feed readers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from winnow.features.listen.templates.audio_links import NO_ENGINE
from winnow.features.saved.saved_page_list import query_of
from winnow.features.saved.stores.saved_page import PageQuery
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.features.saved.templates.feed_markup import (
    ACQUISITION,
    NAVIGATION,
    OPDS,
    OPDS_PAGES,
    OPDS_SEARCH,
    SEARCH,
    FeedFrame,
    acquisition,
    catalogue,
    podcast,
    rss,
    search_description,
)
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import refuse_strange_name
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.own.translation import says
from winnow.speech.values import AudioFormat

MOST_ITEMS: Final = 30
"""Pages of an RSS feed, which has them whole."""


@dataclass(frozen=True)
class OpdsCatalogue:
    """OPDS 1.2: a catalogue of tags, lists of pages in parts, and a search."""

    store: SavedPageStore

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        owner = request.head.owner
        frame = FeedFrame(request.base, owner)
        match request.path:
            case path if path == OPDS:
                return OwnResponse(catalogue(frame, await self.store.tags(owner)), NAVIGATION)
            case path if path == OPDS_SEARCH:
                return OwnResponse(search_description(frame), SEARCH)
            case path if path == OPDS_PAGES:
                query = query_of(request)
                found = await self.store.find(owner, replace(query, limit=query.limit + 1))
                shown, more = found[: query.limit], len(found) > query.limit
                return OwnResponse(acquisition(frame, shown, query, more=more), ACQUISITION)
        raise ClientFaultError(says("The catalogue has no such page."), 404, "not-found")


@dataclass(frozen=True)
class SavedRss:
    """The latest saved pages, of a tag if one is named."""

    store: SavedPageStore

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        owner, tag = request.head.owner, request.query.get("tag", "")
        entries = await self.store.find(owner, PageQuery(tag=tag, limit=MOST_ITEMS))
        numbers = [entry.number for entry in entries if entry.is_fetched]
        pages = await self.store.pages(owner, numbers)
        body = rss(FeedFrame(request.base, owner), pages, tag)
        return OwnResponse(body, "application/rss+xml; charset=utf-8")


@dataclass(frozen=True)
class SavedPodcast:
    """The latest saved pages as a podcast: MP3, which every application plays, where it can be."""

    store: SavedPageStore
    formats: tuple[AudioFormat, ...]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        if not self.formats:
            raise ClientFaultError(NO_ENGINE, 501, "no-engine")
        owner, tag = request.head.owner, request.query.get("tag", "")
        found = await self.store.find(owner, PageQuery(tag=tag, limit=MOST_ITEMS))
        entries = [entry for entry in found if entry.is_fetched]
        form = AudioFormat.MP3 if AudioFormat.MP3 in self.formats else self.formats[0]
        body = podcast(FeedFrame(request.base, owner), entries, tag, form)
        return OwnResponse(body, "application/rss+xml; charset=utf-8")
