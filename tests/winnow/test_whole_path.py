"""The whole path: a real worker behind the proxy, and pages of every kind, within bounds."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

MIB = 1024 * 1024
BROWSER = "Accept: text/html,*/*;q=0.8"
SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
ARTICLE = (
    "<html lang=en><head><title>The flood</title></head><body><nav>"
    + "<a href=/1>Home</a> <a href=/2>News</a> <a href=/3>Weather</a> " * 5
    + "</nav><article><h1>The flood</h1>"
    + f"<p>{SENTENCE * 5}</p>" * 8
    + "</article><footer><a href=/4>Imprint</a> <a href=/5>Contact</a></footer></body></html>"
).encode()


def settings() -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, max_page=4 * MIB, extractor="bte"),
    )


@pytest.fixture
async def whole() -> AsyncIterator[tuple[Running, Origin]]:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        yield proxy, origin


async def read(whole: tuple[Running, Origin], body: bytes, *fields: str) -> Answer:
    proxy, origin = whole
    origin.replies["/page"] = html(body, *fields)
    return await ask(proxy.port, get(origin.url("/page"), BROWSER))


async def test_an_article_is_read(whole: tuple[Running, Origin]) -> None:
    answer = await read(whole, ARTICLE)
    assert answer.field("winnow-action") == "extracted"
    assert SENTENCE.strip().encode() in answer.body
    assert b"Imprint" not in answer.body


async def test_the_api_gives_its_text(whole: tuple[Running, Origin]) -> None:
    head = f"POST /-/api/extract?format=text HTTP/1.1\r\nHost: x\r\nContent-Length: {len(ARTICLE)}"
    answer = await ask(whole[0].port, head.encode() + b"\r\n\r\n" + ARTICLE)
    assert answer.status == 200
    assert SENTENCE.strip() in answer.body.decode()


async def test_an_unknown_extractor_is_a_problem(whole: tuple[Running, Origin]) -> None:
    head = b"POST /-/api/extract?extractor=btf HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n<p>"
    answer = await ask(whole[0].port, head)
    assert answer.status == 400
    assert "bte" in json.loads(answer.body)["detail"]


def zeros_gzipped(mebibytes: int) -> bytes:
    """So many MiB of zeros, packed a thousandfold, without packing them all."""
    packer = zlib.compressobj(9, wbits=-15)
    packer.compress(b"<p>")
    packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    header = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
    return header + block * mebibytes + packer.flush() + struct.pack("<II", 0, 0)


PAGES = {
    "empty": b"",
    "forty bytes": b"<p>Forty bytes of a page, no more.</p> .",
    "nul bytes": b"\x00" * 4000,
    "nul bytes between tags": b"<p>\x00</p>" * 400,
    "nested": b"<html><body>" + b"<div>" * 500 + b"deep" + b"</div>" * 500,
    "twenty megabytes": b"<p>words and words</p>" * 950_000,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100,
    "unclosed": b"<html><body><p>" + b"<a" * 5000,
}


@pytest.mark.parametrize("name", PAGES)
async def test_an_odd_page_is_passed_on_and_the_next_one_works(
    whole: tuple[Running, Origin], name: str
) -> None:
    answer = await read(whole, PAGES[name])
    assert answer.status == 200
    line = answer.body.removeprefix(PAGES[name])  # which says why, where there is one
    assert answer.body == PAGES[name] + line
    assert not line or re.fullmatch(rb'<aside id="?winnow-notice.*</aside>', line, re.DOTALL)
    assert answer.field("winnow-action") == "original"
    assert (await read(whole, ARTICLE)).field("winnow-action") == "extracted"


async def test_a_bomb_of_a_gigabyte_costs_no_memory(whole: tuple[Running, Origin]) -> None:
    bomb = zeros_gzipped(1024)
    before = begun_peak()
    answer = await read(whole, bomb, "Content-Encoding: gzip")
    assert answer.body == bomb
    assert answer.field("winnow-reason") == "too-large"
    assert peak_memory() - before < 32 * MIB
    assert (await read(whole, ARTICLE)).field("winnow-action") == "extracted"


async def test_a_worker_that_is_killed_is_replaced(whole: tuple[Running, Origin]) -> None:
    await read(whole, ARTICLE)
    for worker in list(whole[0].pool._workers):
        await worker.end()
    assert (await read(whole, ARTICLE)).field("winnow-action") == "extracted"


def begun_peak() -> int:
    """Begin a new peak of memory: what is held now."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak_memory()


def peak_memory() -> int:
    """The most bytes that this process has held since the peak was last begun."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("this system does not tell")
