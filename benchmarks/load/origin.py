"""An origin made for measuring: pages, streams and slow replies.

As a program it prints its port and serves until its input ends.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

from benchmarks.hostile_shapes import SHAPES

SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
MIB = 1024 * 1024
DEAR = SHAPES["reviews"](MIB).encode()
_PIECE = b"0123456789abcdef" * 4096


def page(number: int, paragraphs: int = 40) -> bytes:
    """An article among chaff, some 20 kB; each number has a text of its own."""
    links = "".join(f'<li><a href="/story/{each}">Story {each}</a>' for each in range(60))
    text = "".join(f"<p>{number}-{each}. {SENTENCE * 4}</p>" for each in range(paragraphs))
    return (
        f"<!doctype html><html><head><title>Flood {number}</title></head><body><ul>{links}</ul>"
        f"<h1>Flood {number}</h1><article>{text}</article><ul>{links}</ul></body></html>"
    ).encode()


def dear(number: str) -> bytes:
    """A page of 1 MB that takes an extracting process some .7 s; made once but for its number."""
    return DEAR + f"<!-- {number} -->".encode()


def head(size: int, *fields: str) -> bytes:
    """A reply's head for so many bytes."""
    lines = ("HTTP/1.1 200 OK", f"Content-Length: {size}", *fields)
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def answer(path: str) -> Iterator[bytes]:
    """``/kept/N`` may be cached, ``/story/N`` and ``/dear/N`` not; ``/stream`` is no page."""
    kind, _, number = path.lstrip("/").rpartition("/")
    if number == "stream":
        yield head(MIB, "Content-Type: application/octet-stream", "Cache-Control: no-store")
        for _ in range(MIB // len(_PIECE)):
            yield _PIECE
        return
    body = dear(number) if kind == "dear" else page(int(number) if number.isdecimal() else 0)
    caching = "max-age=3600" if kind == "kept" else "no-store"
    yield head(len(body), "Content-Type: text/html; charset=utf-8", f"Cache-Control: {caching}")
    yield body


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection; ``/slow/S`` waits so many hundredths of a second first."""
    try:
        while True:
            line = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n", 1)[0]
            path = line.split(b" ")[1].decode()
            if path.startswith("/slow/"):
                await asyncio.sleep(int(path.split("/")[2]) / 100)
            for piece in answer(path):
                writer.write(piece)
                await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
