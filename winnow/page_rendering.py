"""Draws one page for the command line."""

from __future__ import annotations

import asyncio

from winnow.command_errors import CommandError
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.proxy.http.proxy_errors import TransformError
from winnow.rendering.page_renderer import PageRenderer


def drawn(url: str, settings: Settings) -> Page:
    """The page at an address as its scripts write it. Raises CommandError."""
    try:
        return asyncio.run(_drawn(url, settings))
    except TransformError as error:
        raise CommandError(f"cannot render {url}: {error}") from error


async def _drawn(url: str, settings: Settings) -> Page:
    client = client_of(settings)
    try:
        return (await PageRenderer(client.connector)(url)).page
    finally:
        await client.aclose()
