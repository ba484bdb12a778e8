"""Draws one page for the command line, or fetches another form of it."""

from __future__ import annotations

import asyncio

from winnow.command_errors import CommandError
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.jobs.job_types import InProcess
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.rendering.alternate_pages import AlternatePages
from winnow.rendering.page_renderer import PageRenderer


def drawn(url: str, settings: Settings) -> Page:
    """The page at an address as its scripts write it. Raises CommandError."""
    try:
        return asyncio.run(_drawn(url, settings))
    except TransformError as error:
        raise CommandError(f"cannot render {url}: {error}") from error


def alternate(page: Page, settings: Settings) -> Page | None:
    """Another form of a page that scripts write, on its own site; None without one."""
    return asyncio.run(_alternate(page, settings))


async def _alternate(page: Page, settings: Settings) -> Page | None:
    client = client_of(settings)
    fetcher = Fetcher(client, Policy, max_redirects=0)
    try:
        found = await AlternatePages(fetcher, InProcess(), anywhere)(page)
    finally:
        await client.aclose()
    return found[0] if found else None


async def _drawn(url: str, settings: Settings) -> Page:
    client = client_of(settings)
    try:
        return (await PageRenderer(client.connector)(url)).page
    finally:
        await client.aclose()
