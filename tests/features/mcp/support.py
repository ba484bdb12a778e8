"""A running Winnow whose public sites a test writes: it asks them through an upstream proxy."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from mcp import Client
from mcp.types import CallToolResult, TextContent

from tests.proxy.origins import Origin, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Access, Settings


@asynccontextmanager
async def winnow(
    folder: Path,
    access: Access | None = None,
    *,
    extractor: str = "auto",
    log_requests: bool = False,
) -> AsyncIterator[tuple[Running, Origin]]:
    """``Origin.replies``: by whole addresses."""
    plain = Settings()
    async with serving(Origin()) as sites:
        settings = replace(
            plain,
            access=access or plain.access,
            server=replace(plain.server, port=0, log_requests=log_requests),
            storage=replace(plain.storage, folder=folder),
            upstream=replace(plain.upstream, proxy=f"http://127.0.0.1:{sites.port}"),
            extraction=replace(UNHURRIED, extractor=extractor, max_page=100_000),
        )
        async with running(settings) as proxy:
            yield proxy, sites


def address(proxy: Running) -> str:
    return f"http://127.0.0.1:{proxy.port}/-/mcp"


async def told(client: Client, tool: str, **arguments: object) -> str:
    """The text of a tool's result, which must be no error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
