"""Odd but legal request targets, signed ones among them; all must reach an origin as they are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from tests.proxy.origins import reply

_PLAIN: Final = "abcXYZ019-._~"
_ODD: Final = "!$&'()*+,;=:@/?|[]{}\"^`<>\\%"
_SCRAPS: Final = (
    "%2F", "%2f", "%00", "%0d%0a", "%25", "%E2%82%AC", "%c3%a4", "%zz", "%", "%u20AC", "//", "/./",
    "/../", ";jsessionid=1", "?", "&&", "==", "&amp;", "+", "http://b.example/", "..", "~u",
    "a" * 300,
)  # fmt: skip
_SIGNED: Final = (
    "/b/k%20e%2By.html?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F2026%2Fs3%2F"
    "aws4_request&X-Amz-SignedHeaders=host%3Bx-amz-date&X-Amz-Signature={hex}",
    "/c/blob?sv=2024-11-04&st=2026-01-01T00%3A00%3A00Z&sr=b&sp=r&sig={hex}%2B%2f%3D",
    "/~u/f(1);v=1.2/'x'?e=1790000000&Signature={hex}~&Key-Pair-Id=K|{hex}",
    '/photo,w_100/{hex}==?q=[1,2]&f={{"a":"{hex}"}}',
)


def odd_targets(seed: int) -> Iterator[bytes]:
    """Targets in origin form, without end; the same for the same seed."""
    random = Random(seed)
    while True:
        if random.random() < 0.2:
            yield random.choice(_SIGNED).format(hex=f"{random.getrandbits(128):x}").encode()
            continue
        pieces = [
            random.choice(random.choice((_PLAIN, _PLAIN, _ODD, _SCRAPS)))
            for _ in range(random.randrange(40))
        ]
        yield ("/" + "".join(pieces)).encode()


class Echo:
    """An origin that notes the targets it is asked for."""

    def __init__(self) -> None:
        self.targets: list[bytes] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = reply(b"ok", "Cache-Control: no-store")
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.targets.append(head.split(b" ", 1)[1].split(b" HTTP/1.1\r\n", 1)[0])
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def sent_through(proxy: int, origin: int, targets: Iterable[bytes]) -> None:
    """Ask for each in absolute form on one connection. Raises AssertionError unless all are 200."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
    at = b"127.0.0.1:%d" % origin
    for target in targets:
        writer.write(b"GET http://%b%b HTTP/1.1\r\nHost: %b\r\n\r\n" % (at, target, at))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), (target, head[:80])
        await reader.readexactly(2)
    writer.close()
    await writer.wait_closed()


async def all_arrive(proxy: int, targets: list[bytes]) -> None:
    """Send targets through a proxy. Raises AssertionError where one does not arrive as it is."""
    echo = Echo()
    server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    async with server:
        await sent_through(proxy, server.sockets[0].getsockname()[1], targets)
    assert echo.targets == targets
