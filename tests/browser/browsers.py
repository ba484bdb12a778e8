"""A headless Chromium behind the proxy, and where its screenshots go; knows no page."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

from tests.programs import require_program

START = 300_000
"""Milliseconds in which Chromium must have started, on a busy machine too."""
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"


@asynccontextmanager
async def chromium(
    proxy: str = "", arguments: Sequence[str] = (), home: Path | None = None
) -> AsyncIterator[Browser]:
    """The system's Chromium; ``proxy`` is an address such as ``http://127.0.0.1:8080``.

    ``home`` is the user's folder, in which Chromium looks for trusted authorities.
    """
    program = require_program("chromium")
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


async def unfold(tab: Page) -> None:
    """Unfold the bar where the window is so small that it is one button."""
    fold = tab.locator("#winnow-fold")
    if await fold.count() and await fold.is_visible() and not await fold.evaluate("f => f.open"):
        await fold.locator("summary").click()


def picture(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    """A PNG of one colour."""
    line = b"\x00" + bytes(colour) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(line * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
