"""``/-/feed?url=``: a feed with the whole article in each item."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import TTLCache

from winnow.document.values import Format, Page, Recipe
from winnow.features.books.jobs import FillFeedJob, ReadFeedJob
from winnow.jobs.job_types import Workers
from winnow.proxy.access.private_addresses import permit_across, public_only
from winnow.proxy.decisions.etags import of_body
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.decisions.request.preferences import Preferences, from_query
from winnow.proxy.decisions.request.recipe_choice import recipe_for
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, OriginFaultError, ProxyError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.upstream.fetcher import FEEDS, Fetcher, host_of
from winnow.proxy.upstream.time_limits import results_within

MOST_ITEMS: Final = 30
AT_ONCE: Final = 4
HOLDS: Final = 3600.0
"""Seconds for which an item's content is cached."""
PATIENCE: Final = 45.0
"""Seconds for all items; later ones keep the feed's own content."""


@dataclass(frozen=True)
class FeedPage:
    """One for the process: its cache of items serves all readers."""

    fetcher: Fetcher
    transform: Transform
    workers: Workers
    policy: Callable[[], Policy]
    _read: TTLCache[tuple[str, str, Permit], str] = field(
        default_factory=lambda: TTLCache(2000, HOLDS)
    )
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        permit = request.permit
        preferences = from_query(request.query, replace(self.policy().recipe, format=Format.JSON))
        page, links = await self._feed(address_of(request), permit)
        wanted = {link: _permit(permit, page, link) for link in links[:MOST_ITEMS] if link}
        contents = await self._contents(wanted, preferences, request.head.owner)
        body, media_type = await self.workers.run(FillFeedJob(page, contents))
        tag = f'"{of_body(body).value}"'
        fields = (("ETag", tag), ("Cache-Control", "private, max-age=300"))
        if tag in request.head.headers.joined("if-none-match").split(", "):
            return OwnResponse(b"", media_type, 304, fields)
        return OwnResponse(body, media_type, 200, fields)

    async def _feed(self, url: str, permit: Permit) -> tuple[Page, Sequence[str]]:
        """The feed at an address, or the one that the page there links to."""
        for _ in range(2):
            fetched = await self.fetcher.get(url, permit, accept=FEEDS)
            if fetched.status != 200:
                raise OriginFaultError(
                    says("The origin answered with status {status}.", status=fetched.status)
                )
            feed = await self.workers.run(ReadFeedJob(fetched.page))
            if feed.kind:
                return fetched.page, feed.links
            if not feed.elsewhere:
                break
            url, permit = feed.elsewhere, _permit(permit, fetched.page, feed.elsewhere)
        raise ClientFaultError(
            says("{url} is not a feed and links to none.", url=url), 422, "no-feed"
        )

    async def _contents(
        self, wanted: Mapping[str, Permit], preferences: Preferences, owner: str
    ) -> Mapping[str, str]:
        jobs = {
            link: self._content(link, preferences, permit, owner) for link, permit in wanted.items()
        }
        contents = await results_within(jobs, PATIENCE)
        return {link: content for link, content in contents.items() if content}

    async def _content(
        self, link: str, preferences: Preferences, permit: Permit, owner: str
    ) -> str:
        """An item's content; "" where its page gives none: the feed's own is used."""
        policy = self.policy()
        recipe = recipe_for(preferences, policy.rule_at(link, owner), policy)
        recipe = replace(recipe, format=Format.JSON, link_prefix="")
        key = (link, await self.transform.fingerprint(recipe), permit)
        async with self._places:
            if key not in self._read:
                self._read[key] = await self._fetched(link, recipe, permit)
        return self._read.get(key, "")

    async def _fetched(self, link: str, recipe: Recipe, permit: Permit) -> str:
        try:
            fetched = await self.fetcher.get(link, permit)
            media_type = fetched.headers.get("content-type").partition(";")[0].strip().lower()
            if fetched.status != 200 or media_type not in ("text/html", "application/xhtml+xml"):
                return ""
            rendered = await self.transform(fetched.page, recipe)
        except ProxyError:
            return ""
        if rendered.poor:
            return ""
        content: str = json.loads(rendered.body)["content"]
        return content


def _permit(permit: Permit, page: Page, link: str) -> Permit:
    """What may be reached for a link of a feed; an invalid address is refused when fetched."""
    try:
        return permit_across(permit, host_of(page.url or ""), host_of(link))
    except ClientFaultError:
        return public_only
