"""``python -m tests.load.handover``: long flows over a ``winnow restart``, and what was cut.

Downloads, WebSockets, tunnels, HTTP/2 and intercepted TLS, whose origins send for as long as is
asked for. Pages fill the caches of the old process before, so that its memory afterwards is seen.
"""

from __future__ import annotations

import argparse
import asyncio
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import trustme

from benchmarks.load.programs import children, memory, origin
from tests.proxy.origins import ask
from tests.winnow.test_handover import (
    HALF,
    SETTINGS,
    WEBSOCKET,
    Far,
    begun,
    by_http2,
    download,
    far,
    intercepted,
    own,
    restarted,
    through_tunnel,
    until,
)

PAGES: Final = 5000
"""Pages of 20 kB: more than ``cache.memory`` holds; one of four is extracted."""
MOST: Final = 150 * 10**6
"""Bytes that an old process may hold."""
WORKER: Final = "winnow.engine"
_MB: Final = 10**6


@dataclass
class Slow(Far):
    """Sends its second half in so many seconds, a piece each second."""

    seconds: int = 1

    async def rest(self, writer: asyncio.StreamWriter) -> None:
        piece = -(-len(HALF) // self.seconds)
        for at in range(0, len(HALF), piece):
            writer.write(HALF[at : at + piece])
            await writer.drain()
            await asyncio.sleep(1)


@dataclass(frozen=True)
class HandedOver:
    """What a run showed; ``held``: bytes of the old process before and, at most, a minute after."""

    flows: int
    cut: int
    seconds: float
    held: tuple[int, int]
    workers: int
    status: int | None

    @property
    def is_fine(self) -> bool:
        return not (self.cut or self.workers or self.status) and self.held[1] < MOST

    def told(self) -> str:
        before, after = (each // _MB for each in self.held)
        return (
            f"{self.flows} flows, {self.cut} cut; the old process ended after {self.seconds:.0f} s "
            f"with status {self.status}; it held {before} MB with full caches before, {after} MB "
            f"with its flows after (at most {MOST // _MB}), and {self.workers} extractors\n"
        )


async def fill(port: int, pages: int) -> None:
    """Have so many pages fetched, and some of them extracted."""
    async with origin() as far_port:
        for number in range(pages):
            mode = "extract" if number % 4 == 0 else "original"
            at = f"127.0.0.1:{far_port}"
            fields = f"Host: {at}\r\nAccept: text/html\r\nWinnow-Mode: {mode}\r\nConnection: close"
            await ask(port, f"GET http://{at}/kept/{number} HTTP/1.1\r\n{fields}\r\n\r\n".encode())


async def handed_over(folder: Path, flows: int, seconds: int, pages: int) -> HandedOver:
    """One restart while so many flows, of so many seconds each, are under way."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "theirs.pem")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(tls)
    more = {**SETTINGS, "WINNOW_UPSTREAM__CA_BUNDLE": str(folder / "theirs.pem")}
    kind = partial(Slow, seconds=seconds)
    async with (
        begun(folder, environment=more) as (process, port),
        far(kind=kind) as plain,
        far(tls, kind) as secret,
    ):
        await fill(port, pages)
        ours = (await ask(port, own(port, "GET", "/-/ca.crt"))).body.decode()
        at, begin = f"127.0.0.1:{plain.port}", time.monotonic()
        tasks = [asyncio.ensure_future(each) for each in mixed(flows, port, at, secret.port, ours)]
        await until(lambda: plain.open + secret.open == flows or any(one.done() for one in tasks))
        before = memory([process.pid])
        assert children(process.pid, WORKER), "an extractor is found by its name"
        now, said = await restarted(folder)
        assert now, said
        ended = asyncio.gather(*tasks, return_exceptions=True)
        workers, after = await settled(process.pid, seconds / 2)
        got = await ended
        await until(lambda: process.returncode is not None)
        cut = sum(each != 2 * len(HALF) for each in got)
        took = time.monotonic() - begin
        return HandedOver(flows, cut, took, (before, after), workers, process.returncode)


def mixed(
    number: int, port: int, at: str, secret: int, authority: str
) -> Sequence[Coroutine[Any, Any, int]]:
    """So many flows, of each kind alike."""
    kinds: tuple[Callable[[], Coroutine[Any, Any, int]], ...] = (
        lambda: download(port, at),
        lambda: download(port, at, WEBSOCKET),
        lambda: through_tunnel(port, at),
        lambda: by_http2(port, at, patience=86_400),
        lambda: intercepted(port, f"localhost:{secret}", authority),
    )
    return [kind() for kind in islice(cycle(kinds), number)]


async def settled(pid: int, seconds: float) -> tuple[int, int]:
    """How many extractors a process has after so many seconds, and the bytes that it holds."""
    await asyncio.sleep(seconds)
    return len(children(pid, WORKER)), memory([pid])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.handover")
    parser.add_argument("--flows", type=int, default=40)
    parser.add_argument("--seconds", type=int, default=600, help="of each flow")
    parser.add_argument("--pages", type=int, default=PAGES, help="that fill the caches before")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(handed_over(Path(folder), given.flows, given.seconds, given.pages))
    sys.stdout.write(found.told())
    return 0 if found.is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
