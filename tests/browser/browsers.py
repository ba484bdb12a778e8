"""A headless Chromium behind the proxy, and where its screenshots go; knows no page."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.async_api import (
    Browser,
    BrowserContext,
    Page,
    ProxySettings,
    async_playwright,
)

from tests.programs import require_program

START = 300_000
"""Milliseconds in which Chromium must have started, or have done what a test waits for."""
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"


class Shared:
    """The Chromium of this worker, in which each test has contexts of its own.

    The headless shell: its engine is Chromium's, and a context takes a sixth of the CPU.
    """

    def __init__(self) -> None:
        self.browser: Browser | None = None

    @asynccontextmanager
    async def started(self) -> AsyncIterator[None]:
        """Start it, for the tests that run in this event loop."""
        async with _launched("chromium-headless-shell") as self.browser:
            yield
        self.browser = None


SHARED = Shared()


@dataclass
class _OwnContexts:
    """What a test needs of a browser that it shares, and its contexts."""

    browser: Browser
    proxy: ProxySettings | None
    made: list[BrowserContext] = field(default_factory=list)

    async def new_context(self, **options: Any) -> BrowserContext:
        context = await self.browser.new_context(proxy=self.proxy, **options)
        context.set_default_timeout(START)
        self.made.append(context)
        return context

    async def new_page(self, **options: Any) -> Page:
        return await (await self.new_context(**options)).new_page()

    async def aclose(self) -> None:
        for context in self.made:
            await context.close()


@asynccontextmanager
async def chromium(
    proxy: str = "", arguments: Sequence[str] = (), home: Path | None = None
) -> AsyncIterator[Browser]:
    """The system's Chromium; ``proxy`` is an address such as ``http://127.0.0.1:8080``.

    ``home`` is the user's folder, in which Chromium looks for trusted authorities. Without one, and
    without arguments, it is the worker's, where one has been started.
    """
    if SHARED.browser is None or arguments or home:
        async with _launched("chromium", proxy, arguments, home) as browser:
            yield browser
        return
    own = _OwnContexts(SHARED.browser, {"server": proxy} if proxy else None)
    try:
        yield cast(Browser, own)
    finally:
        await own.aclose()


@asynccontextmanager
async def _launched(
    name: str, proxy: str = "", arguments: Sequence[str] = (), home: Path | None = None
) -> AsyncIterator[Browser]:
    program = require_program(name)
    flags = ["--proxy-bypass-list=<-loopback>", *arguments]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses root otherwise
    if proxy:
        flags.append(f"--proxy-server={proxy}")
    async with async_playwright() as playwright:
        environment: dict[str, str | float | bool] = {**os.environ}
        if home:
            environment["HOME"] = str(home)
        browser = await playwright.chromium.launch(
            executable_path=program, args=flags, env=environment, timeout=START
        )
        try:
            yield browser
        finally:
            await browser.close()


def picture(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    """A PNG of one colour."""
    line = b"\x00" + bytes(colour) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(line * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
