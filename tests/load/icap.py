"""``python -m tests.load.icap``: many clients for minutes, by ICAP itself or through Squid.

Each asks for pages, of which each has a text of its own, and for files, and counts what was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.free_ports import free_port
from benchmarks.load.origin import page
from benchmarks.load.programs import memory, origin, winnow
from tests.features.icap.service import Client, chunked, connected, reqmod, respmod
from tests.features.icap.test_squid import squid
from tests.proxy.origins import ask, get

LONGEST: Final = 60.0
"""Seconds that an answer may take."""
PAGES: Final = 5000
Asks = Callable[[int], Awaitable[str]]
"""Asks once, for the page of this number or a file; what was got. Raises what went wrong."""


@dataclass
class Counted:
    """What was got, by name, and what was wrong, by its text; ``held``: MB, first and last."""

    got: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    held: list[int] = field(default_factory=list)

    def told(self) -> str:
        got = ", ".join(f"{number} {name}" for name, number in sorted(self.got.items()))
        held = " and ".join(str(each // 10**6) for each in self.held)
        return f"{self.wrong.total()} errors {dict(self.wrong)}; {got}; Winnow held {held} MB\n"


async def by_icap(client: Client, number: int) -> str:
    """A request for a file and its response, or a page after its preview."""
    address = f"X-Client-IP: 192.0.2.{number % 250 + 1}"
    if number % 2:
        request = "GET http://site.example/f HTTP/1.1\r\nHost: site.example\r\n\r\n"
        client.writer.write(reqmod(request, address, "Allow: 204"))
        assert b" 204 " in (answer := await client.head()), answer
        file = respmod("Preview: 1024", "Allow: 204", address, found="Content-Type: image/png\r\n")
        client.writer.write(file + chunked(b"\1" * 1024))
        assert b" 204 " in (answer := await client.head()), answer
        return "files"
    body = page(number)
    url = f"http://site.example/story/{number}"
    client.writer.write(respmod("Preview: 1024", address, url=url) + chunked(body[:1024]))
    assert b" 100 " in (answer := await client.head()), answer
    client.writer.write(chunked(body[1024:]))
    _, head, got = await client.answer()
    done = b" as ".join(re.findall(rb"Winnow-(?:Action|Reason): (.*)\r\n", head))
    return checked(done.decode(), got, number)


async def by_squid(port: int, far: int, number: int) -> str:
    """A file or a page of the origin at ``far``, through Squid."""
    at = f"127.0.0.1:{far}"
    path = "stream" if number % 20 == 1 else f"story/{number}"
    fields = ("Accept: text/html", f"X-Forwarded-For: 192.0.2.{number % 250 + 1}")
    answer = await ask(port, get(f"http://{at}/{path}", *fields, "Connection: close"))
    assert answer.status == 200, answer.status
    if path == "stream":
        assert len(answer.body) == 1 << 20
        return "files"
    done = f"{answer.field('winnow-action')} as {answer.field('winnow-reason')}"
    return checked(done, answer.body, number)


def checked(done: str, body: bytes, number: int) -> str:
    """Whether it is this page, and what was done with it."""
    assert f"{number}-39. ".encode() in body, "another page, or not all of it"
    return f"pages {done}"


async def follow(asks: Asks, first: int, step: int, end: float, counted: Counted) -> None:
    """One client, until the end or what is wrong."""
    number = first
    try:
        while time.monotonic() < end:
            async with asyncio.timeout(LONGEST):
                counted.got[await asks(number % PAGES)] += 1
            number += step
    except (AssertionError, OSError, EOFError, TimeoutError) as error:
        counted.wrong[repr(error)] += 1


async def run(folder: Path, clients: int, seconds: float, *, through_squid: bool) -> Counted:
    """So many clients for so long."""
    service, counted = free_port(), Counted()
    environment = {
        "WINNOW_FEATURES__ENABLED": "icap",
        "WINNOW_ICAP__PORT": str(service),
        "WINNOW_ICAP__PEERS": "127.0.0.1",
    }
    async with AsyncExitStack() as stack:
        begun = stack.enter_async_context
        process, _ = await begun(winnow(folder, environment=environment))
        if through_squid:
            proxy, far = await begun(squid(folder, service)), await begun(origin())
            asks: list[Asks] = [partial(by_squid, int(proxy.rpartition(":")[2]), far)] * clients
        else:
            asks = [partial(by_icap, await begun(connected(service))) for _ in range(clients)]
        end = time.monotonic() + seconds
        counted.held.append(memory([process.pid]))
        ways = (follow(each, at, clients | 1, end, counted) for at, each in enumerate(asks))
        await asyncio.gather(*ways)
        counted.held.append(memory([process.pid]))
    return counted


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.icap")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--squid", action="store_true", help="through Squid before Winnow")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        work = run(Path(folder), given.clients, given.seconds, through_squid=given.squid)
        counted = asyncio.run(work)
    sys.stdout.write(counted.told())
    return 1 if counted.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
