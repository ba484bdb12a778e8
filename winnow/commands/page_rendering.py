"""Draws one page for the command line, or fetches another form of it, or its style sheets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from winnow.command_errors import CommandError
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.jobs.job_types import InProcess
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.rendering.alternate_pages import AlternatePages
from winnow.rendering.page_renderer import PageRenderer
from winnow.rendering.page_sheets import PageSheets

Result = TypeVar("Result")


def drawn(url: str, settings: Settings) -> Page:
    """The page at an address as its scripts write it. Raises CommandError."""
    try:
        return _by(settings, lambda client: PageRenderer(client.connector)(url)).page
    except TransformError as error:
        raise CommandError(f"cannot render {url}: {error}") from error


def alternate(page: Page, settings: Settings) -> Page | None:
    """Another form of a page that scripts write, on its own site; None without one."""

    def pages(client: OriginClient) -> AlternatePages:
        return AlternatePages(Fetcher(client, Policy, max_redirects=0), InProcess(), anywhere)

    found = _by(settings, lambda client: pages(client)(page))
    return found[0] if found else None


def styled(page: Page, settings: Settings) -> Page:
    """The page with its style sheets, for a method that lays it out."""

    def sheets(client: OriginClient) -> PageSheets:
        return PageSheets(Fetcher(client, Policy), InProcess(), anywhere)

    found = _by(settings, lambda client: sheets(client)(page))
    return replace(page, sheets=tuple(found.items()), beside=(("sheets", "fetched"),))


def _by(settings: Settings, work: Callable[[OriginClient], Awaitable[Result]]) -> Result:
    async def done() -> Result:
        client = client_of(settings)
        try:
            return await work(client)
        finally:
            await client.aclose()

    return asyncio.run(done())
