"""``python -m tests.attack.weights``: what a byte costs a server of its own, in memory and CPU.

Each attempt is made ``--times`` (100) over connections that stay open; the server's growth is what
it holds at most beyond 64 KiB a connection and what as many ordinary requests hold. More than
GROWTH bytes for a byte sent, or SECONDS a megabyte beyond what ordinary requests take, got through.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import io
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tests.attack.server_process import FREE, MIB, Server, Weight

WAIT: Final = 2.0
"""Seconds in which no byte more was sent: however slow the machine, all was that will be."""
TOKEN: Final = b"{token}".ljust(33, b"-")
"""Stands for the token of a form, which is as long."""
ORDINARY: Final = "ordinary request"
STREAMS: Final = "ordinary streams"
SETTINGS: Final = "ordinary settings"
BESIDE: Final[Mapping[str, str]] = {
    STREAMS: STREAMS,
    "HPACK": STREAMS,
    "cookies": SETTINGS,
    "accept-language": SETTINGS,
    "malformed Referer": SETTINGS,
}
"""What an attempt is weighed beside where that is not ``ORDINARY``: the page that it asks for."""


def _post(path: str, body: bytes, *fields: str, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    lines = (f"POST {path} HTTP/1.1", "Host: {own}", *fields, f"Content-Length: {size}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _form(body: bytes) -> bytes:
    field = b"--b\r\nContent-Disposition: form-data; name="
    part = field + b'"token"\r\n\r\n' + TOKEN + b"\r\n" + field + b'"file"; filename="f"\r\n\r\n'
    return _post(
        "/-/saved/import",
        part + body + b"\r\n--b--\r\n",
        "Content-Type: multipart/form-data; boundary=b",
        "Sec-Fetch-Site: same-origin",
    )


def _get(path: str, *fields: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: {own}", *fields)).encode() + b"\r\n\r\n"


def _streams(named: int) -> bytes:
    """100 of HTTP/2, each naming a field of 4 kB in the table so often (RFC 7541, 2.3.2)."""
    plain = b"\x82\x84\x86" + b"\x01\x01a"  # GET, /, http, :authority
    value = 4096 - 32 - len("x")
    indexed = b"\x40\x01x" + b"\x7f" + _integer(value - 127) + b"a" * value  # literal, then 62
    frames = [_frame(4, 0, b"")]
    for number in range(100):
        block = plain + (indexed if named and not number else b"") + b"\xbe" * named
        frames.append(_frame(1, 2 * number + 1, block, flags=5))
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"".join(frames)


def _frame(kind: int, stream: int, payload: bytes, flags: int = 0) -> bytes:
    size = len(payload).to_bytes(3, "big")
    return size + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _integer(number: int) -> bytes:
    """What is beyond a prefix that is full (RFC 7541, 5.1)."""
    octets = bytearray()
    while number >= 128:
        octets.append(number % 128 + 128)
        number //= 128
    return bytes((*octets, number))


def _archive(packing: int) -> bytes:
    """An export whose one member unpacks to 64 MiB and says so."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive, archive.open("1/info.json", "w") as member:
        for _ in range(64):
            member.write(bytes(MIB))
    return file.getvalue()


ATTEMPTS: Final[Mapping[str, Callable[[], bytes]]] = {
    ORDINARY: lambda: _get("/-/health"),
    SETTINGS: lambda: _get("/-/settings"),
    "unfinished body": lambda: _post("/-/api/extract", b"x" * 3 * MIB, length=15 * MIB),
    "unfinished chunked body": lambda: b"POST /-/api/extract HTTP/1.1\r\nHost: {own}\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 20_000,
    "unfinished head": lambda: _get("/", "X-A: " + "x" * 7000, *["X: y"] * 90)[:-2],
    "unfinished line": lambda: b"GET /" + b"x" * 7000,
    "many short fields": lambda: _get("/-/health", *["a:"] * 98),
    "long query": lambda: _get("/-/read?" + "url=a&" * 1200),
    "cookies": lambda: _get("/-/settings", "Cookie: " + "a=b;" * 1900),
    "accept": lambda: _get("/-/health", "Accept: " + "a/b;q=.1," * 800),
    "accept-language": lambda: _get("/-/settings", "Accept-Language: " + "de;q=.1," * 900),
    "ranges": lambda: _get("/-/ca.crt", "Range: bytes=" + "0-0," * 1900),
    "forwarded": lambda: _get("/-/health", "Forwarded: " + "for=a;by=b," * 700),
    "malformed Referer": lambda: _get("/-/settings", "Referer: http://["),
    "pipelined": lambda: _get("/-/health") * 50,
    "JSON of objects": lambda: _form(b"[" + b"{}," * 400_000 + b"{}]"),
    STREAMS: lambda: _streams(0),
    "HPACK": lambda: _streams(62),
    "archive, deflate": lambda: _form(_archive(zipfile.ZIP_DEFLATED)),
    "archive, bzip2": lambda: _form(_archive(zipfile.ZIP_BZIP2)),
    "multipart without end": lambda: _form(b"\r\n--b" * 100_000),
    "gzip of zeros": lambda: _post(
        "/-/api/extract", gzip.compress(bytes(15 * MIB)), "Content-Encoding: gzip"
    ),
    "nested markup": lambda: _post("/-/api/extract", b"<div>" * 60_000, "Content-Type: text/html"),
    "attributes": lambda: _post(
        "/-/api/extract", b"<a " + b"b " * 100_000 + b">", "Content-Type: text/html"
    ),
    "pairing code": lambda: _post("/-/api/pair", json.dumps({"code": "A" * 5000}).encode()),
    "opml": lambda: _post(
        "/-/opml",
        b"<outline " + b'xmlUrl="' * 60_000,
        "Content-Type: multipart/form-data; boundary=b",
    ),
}  # fmt: skip


@contextmanager
def serving() -> Iterator[Server]:
    """Ends the process at the end."""
    with socket.socket() as free, tempfile.TemporaryDirectory(prefix="winnow-weights-") as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        environment = {**os.environ, "WINNOW_STORAGE__FOLDER": folder, "MALLOC_ARENA_MAX": "2"}
        command = [sys.executable, "-m", "winnow", "serve", "--port", str(port)]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                _wait(port)
                yield Server(process.pid, port)
            finally:
                process.terminate()


def _wait(port: int) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/-/ready", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError("The server did not begin.")


async def weighed(server: Server, name: str, times: int) -> Weight:
    """An attempt so many times at once: what it weighs until the server takes no more of it."""
    own = f"127.0.0.1:{server.port}"
    payload = ATTEMPTS[name]().replace(b"{own}", own.encode())
    if TOKEN in payload:
        payload = payload.replace(TOKEN, await asyncio.to_thread(_token, own))
    server.begin_peak()
    before, cpu = server.memory("VmRSS"), server.cpu()
    sent, had = [0] * times, -1
    tried = [asyncio.create_task(_send(server.port, payload, sent, at)) for at in range(times)]
    while sum(sent) > had:
        had = sum(sent)
        await asyncio.wait(tried, timeout=WAIT)
    for task in tried:
        task.cancel()
    await asyncio.gather(*tried, return_exceptions=True)
    return Weight(name, had, server.memory("VmHWM") - before, server.cpu() - cpu)


def _token(own: str) -> bytes:
    """What the form for imports holds, as its reader's browser has it."""
    with urllib.request.urlopen(f"http://{own}/-/saved/import", timeout=60) as answer:
        found = re.search(rb'name="?token"? value="([^"]+)"', answer.read())
    assert found
    return found[1]


async def _send(port: int, payload: bytes, sent: list[int], number: int) -> None:
    """Count the bytes sent until the server hangs up; the connection stays open till the end."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for at in range(0, len(payload), FREE):
            writer.write(payload[at : at + FREE])
            sent[number] = min(at + FREE, len(payload))
            await writer.drain()
        await asyncio.Event().wait()
    finally:
        writer.transport.abort()


async def weights(server: Server, times: int, names: list[str]) -> list[tuple[Weight, str]]:
    """The weight of each attempt, and what was too much."""
    found = []
    for name in names:
        plain = BESIDE.get(name, ORDINARY)
        await weighed(server, plain, times)  # loads what is loaded at the first use
        ordinary = await weighed(server, plain, times)
        await weighed(server, name, 1)
        weight = await weighed(server, name, times)
        found.append((weight, weight.through(ordinary, times)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.weights", description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("name", nargs="*", help="only attempts whose name holds this")
    chosen = parser.parse_args()
    names = [n for n in ATTEMPTS if not chosen.name or any(word in n for word in chosen.name)]
    with serving() as server:
        found = asyncio.run(weights(server, chosen.times, names))
    sys.stdout.write(f"{'attempt':<26}{'MiB sent':>10}{'MiB grown':>11}{'CPU s':>8}\n")
    for weight, through in found:
        sent, grown = weight.sent / MIB, weight.grown / MIB
        sys.stdout.write(
            f"{weight.name:<26}{sent:>10.2f}{grown:>11.1f}{weight.cpu:>8.2f}  {through}\n"
        )
    return 1 if any(through for _, through in found) else 0


if __name__ == "__main__":
    sys.exit(main())
