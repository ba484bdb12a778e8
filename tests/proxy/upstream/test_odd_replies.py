"""No reply that curl accepts becomes an error by coming through the proxy, but for named ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.programs import require_program
from tests.proxy.odd_replies import odd_replies
from tests.proxy.origins import Origin, Script
from tests.proxy.proxies import Proxy

REPLIES = odd_replies()
REFUSED = {
    "length, list of others": "RFC 9112, section 6.3: a proxy must not pass contradicting lengths",
    "length, twice, others": "as above",
    "length, twice, others, last right": "as above",
    "head, only a status line": "the head is cut short: what was meant is unknown",
    "head, cut in a field": "as above",
}
"""Replies that curl accepts and that we answer with 502, and why."""


@dataclass(frozen=True)
class Seen:
    """What curl made of a reply: its exit code, the status and the body."""

    code: int
    status: int
    body: bytes


def once(data: bytes) -> Script:
    """An origin that sends these bytes and hangs up."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return speak


async def fetched(curl: Path, *arguments: str) -> Seen:
    flags = ("-s", "--max-time", "20", "-w", "\n%{http_code}")
    process = await asyncio.create_subprocess_exec(
        curl, *flags, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    output, _ = await process.communicate()
    body, _, status = output.rpartition(b"\n")
    return Seen(process.returncode or 0, int(status), body)


async def compared(curl: Path, url: str, proxy: int, gate: asyncio.Semaphore) -> tuple[Seen, Seen]:
    through = ("-x", f"http://127.0.0.1:{proxy}", "-H", "Winnow-Mode: original")
    async with gate:
        return await fetched(curl, url), await fetched(curl, *through, url)


def test_there_are_enough_replies_of_every_class() -> None:
    assert len(REPLIES) >= 300
    assert len(Counter(name.split(",", 1)[0] for name in REPLIES)) == 8
    assert REFUSED.keys() <= REPLIES.keys()


async def test_what_curl_accepts_directly_it_accepts_through_the_proxy(
    origin: Origin, proxy: Proxy
) -> None:
    curl, gate = require_program("curl"), asyncio.Semaphore(4)
    origin.replies |= {f"/{at}": once(data) for at, data in enumerate(REPLIES.values())}
    pairs = await asyncio.gather(
        *(compared(curl, origin.url(f"/{at}"), proxy.port, gate) for at in range(len(REPLIES)))
    )
    named = dict(zip(REPLIES, pairs, strict=True))
    accepted = {name: pair for name, pair in named.items() if pair[0].code == 0}
    assert len(accepted) > 200
    refused = {name for name, (ours, theirs) in accepted.items() if worse(ours, theirs)}
    assert refused == set(REFUSED)
    differing = {
        name
        for name, (direct, through) in accepted.items()
        if name not in REFUSED and direct.body != through.body
    }
    assert differing <= {"interim, 101 Switching"}  # unasked for: skipped like other interim ones


def worse(direct: Seen, through: Seen) -> bool:
    """An error that is not the origin's own."""
    return through.code != 0 or (through.status >= 500 and direct.status != through.status)
