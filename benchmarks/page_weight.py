"""``python -m benchmarks.page_weight [FOLDER ...]``: bytes of pages with Save-Data, and without.

Thirty written pages (``page_weight_pages``) and, of each folder of saved pages, up to thirty are
sent through a running Winnow, as to a phone that sends ``Save-Data: on``. Bytes are those of
bodies, text as gzip, images as they are: the page with all that it loads against the reader's page
with all of its images, and the reader's page alone against the original HTML.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from html import unescape
from http import HTTPStatus
from pathlib import Path
from re import findall
from typing import Final

from aiohttp import ClientSession, ClientTimeout, web

from benchmarks.page_weight_pages import PAGES, WrittenPage, written_page
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

PHONE: Final = {
    "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36",
    "Save-Data": "on",
    "Accept": "text/html,image/avif,image/webp,*/*;q=0.8",
    "Accept-Encoding": "gzip",
    "Winnow-Mode": "extract",
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
}
IMAGE: Final = {
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Mode": "no-cors",
    "Sec-Fetch-Dest": "image",
}
PACKAGED: Final = 30
Files = Mapping[str, tuple[bytes, str]]


@dataclass(frozen=True)
class Weight:
    """Bytes of one page: all of the original, its HTML; the reader's page, its images."""

    whole: int
    html: int
    page: int
    images: int


@asynccontextmanager
async def served(files: Files) -> AsyncIterator[str]:
    """A site of these files on a free port of loopback; its address."""

    async def answer(request: web.Request) -> web.Response:
        body, kind = files.get(request.path, (b"", ""))
        return web.Response(body=body, status=200 if kind else 404, headers={"Content-Type": kind})

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def zipped(body: bytes) -> int:
    """The size of a text as it is sent."""
    return len(gzip.compress(body, 6, mtime=0))


async def weight(proxy: Running, page: WrittenPage) -> Weight | None:
    """None where the page is shown as it is."""
    gateway = f"http://127.0.0.1:{proxy.port}"
    async with (
        served(page.files) as site,
        ClientSession(auto_decompress=False, timeout=ClientTimeout(120)) as client,
    ):
        async with client.get(f"{gateway}/{site}{page.path}", headers=PHONE) as response:
            body, action = await response.read(), response.headers.get("Winnow-Action")
        if action != "extracted":
            return None
        images, loads = 0, len(page.files) > 1
        for address in image_addresses(gzip.decompress(body), gateway) if loads else ():
            fields = {**PHONE, **IMAGE, "Referer": f"{gateway}/{site}{page.path}"}
            async with client.get(address, headers=fields, allow_redirects=False) as response:
                if response.status != HTTPStatus.OK:
                    raise SystemExit(f"An image was not sent: status {response.status}.")
                images += len(await response.read())
    files = page.files.items()
    pixels = sum(len(body) for _, (body, kind) in files if kind.startswith("image/"))
    texts = sum(zipped(body) for _, (body, kind) in files if not kind.startswith("image/"))
    return Weight(pixels + texts, zipped(page.files[page.path][0]), len(body), images)


def image_addresses(body: bytes, gateway: str) -> Sequence[str]:
    """Each image that a browser would load from the gateway."""
    found = findall(r'<img [^>]*?\bsrc="([^"]+)"', body.decode())
    return [unescape(each) for each in dict.fromkeys(found) if each.startswith(gateway)]


def packaged(folder: Path) -> Iterator[WrittenPage]:
    """Saved pages of a folder, evenly chosen, without what they load. Exits where it has none."""
    files = sorted(folder.glob("*.html"))
    if not files:
        raise SystemExit(f"No *.html files in {folder}.")
    for file in files[:: max(len(files) // PACKAGED, 1)][:PACKAGED]:
        yield WrittenPage("/", {"/": (file.read_bytes(), "text/html")})


async def weights(proxy: Running, pages: Iterator[WrittenPage]) -> list[Weight]:
    found = [await weight(proxy, page) for page in pages]
    return [each for each in found if each]


def line(name: str, found: Sequence[Weight], *, loads: bool) -> str:
    """The sums over pages, and the shares."""
    page, html = sum(each.page for each in found), sum(each.html for each in found)
    text = f"{name}: {len(found)} pages; without images {page / html:.1%} of the HTML by gzip"
    if not loads:
        return text
    whole, sent = sum(each.whole for each in found), page + sum(each.images for each in found)
    sizes = sorted(each.whole / 1e6 for each in found)
    share = max((each.page + each.images) / each.whole for each in found)
    return (
        f"{text}; of {sizes[0]:.1f} to {sizes[-1]:.1f} MB each, {whole / 1e6:.1f} MB in all, "
        f"{sent / whole:.1%} are sent with images (at most {share:.1%} of a page)"
    )


async def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="*", type=Path)
    chosen, plain = parser.parse_args(arguments), Settings()
    extraction = replace(plain.extraction, deadline=60.0)
    settings = replace(plain, server=replace(plain.server, port=0), extraction=extraction)
    async with running(settings) as proxy:
        written = await weights(proxy, map(written_page, range(PAGES)))
        print(line("written", written, loads=True))  # noqa: T201 - a command's output
        for folder in chosen.folder:
            found = await weights(proxy, packaged(folder))
            print(line(folder.name, found, loads=False))  # noqa: T201 - the same


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
