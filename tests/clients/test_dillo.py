"""Dillo through the proxy, on a display of its own: the headline is near the top, and legible."""

from __future__ import annotations

import asyncio
import os
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.browser.browsers import SCREENSHOTS
from tests.clients.test_clients import ARTICLE, site
from tests.programs import require_program
from tests.proxy.origins import Origin, html

__all__ = ["site"]
HEADLINE_WITHIN = 150
"""Pixels from the top of the page in which the headline must stand."""
CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3."""
Colour = tuple[int, int, int]


@asynccontextmanager
async def display() -> AsyncIterator[str]:
    """An X server without a screen."""
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        require_program("Xvfb"), "-displayfd", str(writing), "-screen", "0", "800x600x24",
        pass_fds=[writing], stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        yield f":{(await asyncio.to_thread(os.read, reading, 16)).decode().strip()}"
    finally:
        os.close(reading)
        process.terminate()
        await process.wait()


async def shot(number: str) -> Image.Image:
    """What the display shows (X11's XWDFile.h: a header, colours, rows of BGRX)."""
    process = await asyncio.create_subprocess_exec(
        require_program("xwd"), "-root", "-silent", "-display", number,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    data, _ = await process.communicate()
    header = struct.unpack(">25I", data[:100])
    size, (width, height), line, colours = header[0], header[4:6], header[12], header[19]
    pixels = data[size + 12 * colours :]
    return Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX", line)


@dataclass(frozen=True)
class TextLine:
    """Rows of pixels with ink, from the top of the page, and its two colours."""

    top: int
    height: int
    paper: Colour
    ink: Colour


def text_lines(page: Image.Image) -> list[TextLine]:
    """The lines of text of a picture."""
    paper = most_common(page)
    rows = [is_inked(page.crop((0, y, page.width, y + 1)), paper) for y in range(page.height)]
    found, top = [], -1
    for y, inked in enumerate([*rows, False]):
        if inked and top < 0:
            top = y
        elif not inked and top >= 0:
            ink = furthest(page.crop((0, top, page.width, y)), paper)
            found.append(TextLine(top, y - top, paper, ink))
            top = -1
    return found


def counted(picture: Image.Image) -> Counter[Colour]:
    """How many pixels have each colour."""
    data = picture.tobytes()
    return Counter(zip(data[::3], data[1::3], data[2::3], strict=True))


def most_common(picture: Image.Image) -> Colour:
    return counted(picture).most_common(1)[0][0]


def is_inked(row: Image.Image, paper: Colour) -> bool:
    return any(contrast(colour, paper) > 1.5 for colour in counted(row))


def furthest(line: Image.Image, paper: Colour) -> Colour:
    return max(counted(line), key=lambda colour: contrast(colour, paper))


def contrast(one: Colour, other: Colour) -> float:
    """WCAG 2.2, definition of contrast ratio."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


async def shown(proxy: str, url: str, home: Path) -> Image.Image:
    """The page as Dillo shows it, without the frame of its window."""
    async with display() as number:
        (home / ".dillo").mkdir(parents=True)
        (home / ".dillo" / "dillorc").write_text(
            f'http_proxy="{proxy}/"\nshow_tools=NO\nshow_menubar=NO\nfullwindow_start=YES\n'
        )
        environment = {**os.environ, "HOME": str(home), "DISPLAY": number}
        process = await asyncio.create_subprocess_exec(
            require_program("dillo"), "-f", "-g", "780x580+0+0", url, env=environment,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(120):
                while True:
                    await asyncio.sleep(1)
                    picture = (await shot(number)).crop((4, 24, 760, 570))
                    if len(text_lines(picture)) > 8:
                        return picture
        finally:
            process.terminate()
            await process.wait()


async def test_the_headline_is_near_the_top_and_all_can_be_read(
    site: tuple[Origin, str], tmp_path: Path
) -> None:
    origin, proxy = site
    origin.replies["/story"] = html(ARTICLE)
    picture = await shown(proxy, "http://site.example/story", tmp_path / "home")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    picture.save(SCREENSHOTS / "dillo.png")
    lines = text_lines(picture)
    headline = max(lines[:5], key=lambda line: line.height)
    assert headline.top < HEADLINE_WITHIN
    assert all(contrast(line.ink, line.paper) >= CONTRAST for line in lines[:8])
