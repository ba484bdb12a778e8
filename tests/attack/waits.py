"""``python -m tests.attack.waits``: two faults of waiting, as a review found them, measured again.

HTTP/2 whose window is opened by a byte every ten seconds: how many streams of how many are still
held, and for how long at most. Names that do not answer, 32 of each of two clients: seconds until a
third client, and these two, have the address of a name that does.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time

from tests.attack.server_process import MIB, Server
from tests.attack.weights import _frame, serving
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.upstream.connections.lookups import QUERIES, THREADS, Found, LookupLimits, Lookups

STREAMS, SECONDS, EACH = 20, 190.0, 10.0
DEAD, DEAD_SECONDS = 32, 10.5
WINDOW_OF_ONE = b"\x00\x04\x00\x00\x00\x01"
ASKED = b"\x82\x86\x01\x09127.0.0.1\x04\x0f/-/settings/all"  # GET, http, :authority, :path
ENDS = {3, 7}
"""RST_STREAM and GOAWAY."""


async def dripped(port: int) -> float:
    """Seconds until the server gives up a stream that takes a byte at a time, at most SECONDS."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(4, 0, WINDOW_OF_ONE))
    writer.write(_frame(1, 1, ASKED, flags=5))
    begun = time.perf_counter()
    ended = asyncio.create_task(_ended(reader))
    try:
        while (passed := time.perf_counter() - begun) < SECONDS:
            if (await asyncio.wait([ended], timeout=min(EACH, SECONDS - passed)))[0]:
                break
            writer.write(_frame(8, 1, b"\x00\x00\x00\x01"))
        return time.perf_counter() - begun
    finally:
        ended.cancel()
        writer.transport.abort()


async def _ended(reader: asyncio.StreamReader) -> None:
    """Until a frame says so, or the connection ends."""
    try:
        while True:
            head = await reader.readexactly(9)
            await reader.readexactly(int.from_bytes(head[:3], "big"))
            if head[3] in ENDS or (head[3] == 0 and head[4] & 1):
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        return


async def streams(server: Server) -> tuple[list[float], int]:
    """How long each was held; bytes by which the server grew at most."""
    server.begin_peak()
    before = server.memory("VmRSS")
    held = await asyncio.gather(*(dripped(server.port) for _ in range(STREAMS)))
    return list(held), server.memory("VmHWM") - before


async def names(limits: LookupLimits) -> float:
    """Seconds until the last of three clients has the address of a name that answers."""

    async def lookup(host: str, port: int) -> Found:
        if host.startswith("dead"):
            await asyncio.sleep(DEAD_SECONDS)
            raise socket.gaierror(socket.EAI_AGAIN, "nobody answers")
        return Found([(2, 1, 6, "", (host, port))])

    async def by(client: str, host: str) -> Found:
        REQUESTER.set(Requester(client))
        return await lookups(host, 80)

    lookups = Lookups(lookup, limits)
    dead = [
        asyncio.create_task(by(client, f"dead{number}.{client}{number}.example"))
        for client in "ab"
        for number in range(DEAD)
    ]
    await asyncio.sleep(0)
    begun = time.perf_counter()
    await asyncio.gather(*(asyncio.create_task(by(client, f"{client}.test")) for client in "abc"))
    waited = time.perf_counter() - begun
    await asyncio.gather(*dead, return_exceptions=True)
    return waited


def main() -> int:
    with serving() as server:
        held, grown = asyncio.run(streams(server))
    left = sum(each >= SECONDS for each in held)
    said = f"{left} of {STREAMS} streams held after {SECONDS:.0f} s, the longest {max(held):.0f} s"
    sys.stdout.write(f"HTTP/2 by a byte each {EACH:.0f} s: {said}, {grown / MIB:.1f} MiB grown\n")
    for kind, limits in {"DNS": QUERIES, "the system": THREADS}.items():
        waited = asyncio.run(names(limits))
        sys.stdout.write(
            f"{2 * DEAD} names that do not answer, {kind}: others wait {waited:.2f} s\n"
        )
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
