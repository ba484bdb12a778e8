"""Has pages drawn; what that needs is loaded with the first of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import TypeVar

from winnow.compose.pooled import PooledWorkers
from winnow.document.values import Page
from winnow.jobs.pool import Pool
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Sender
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.rendering.drawn_page import DrawnPage

Result = TypeVar("Result")


def at_first_use(
    make: Callable[[], Callable[..., Awaitable[Result]]],
) -> Callable[..., Awaitable[Result]]:
    """What ``make`` makes, imported at its first call: hardly anybody needs it."""
    made = cache(make)

    async def call(*given: object) -> Result:
        return await made()(*given)

    return call


def drawing(client: OriginClient) -> Callable[[str, str], Awaitable[DrawnPage]]:
    """Draws pages in a browser of ours."""

    def renderer() -> Callable[..., Awaitable[DrawnPage]]:
        from winnow.rendering.page_renderer import PageRenderer  # noqa: PLC0415 - see at_first_use

        return PageRenderer(client.connector)

    return at_first_use(renderer)


def alternates_by(
    sender: Sender, pool: Pool
) -> Callable[[Page], Awaitable[tuple[Page, str] | None]]:
    """Fetches other forms of a page; a redirect could lead to another site, so none is followed."""

    def pages() -> Callable[..., Awaitable[tuple[Page, str] | None]]:
        from winnow.rendering.alternate_pages import AlternatePages  # noqa: PLC0415 - see at_first_use

        return AlternatePages(Fetcher(sender, Policy, max_redirects=0), PooledWorkers(pool))

    return at_first_use(pages)


def sheets_by(sender: Sender, pool: Pool) -> Callable[..., Awaitable[Mapping[str, str]]]:
    """Fetches the style sheets of pages that are laid out, from public addresses alone."""

    def sheets() -> Callable[..., Awaitable[Mapping[str, str]]]:
        from winnow.rendering.page_sheets import PageSheets  # noqa: PLC0415 - see at_first_use

        return PageSheets(Fetcher(sender, Policy), PooledWorkers(pool))

    return at_first_use(sheets)
