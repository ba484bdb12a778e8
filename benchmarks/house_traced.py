"""``python -m benchmarks.house_traced``: files and calls of a page, held to ``house.toml``.

Files entered and calls of our functions by a cold GET of an article under ``sys.setprofile``: in
the server process, and in the worker; functions, C's too, that the library enters
(:mod:`benchmarks.page_costs`). ``--files`` names the files, ``--lower`` lowers the bounds
(:mod:`benchmarks.house`).
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

from benchmarks import generated_pages
from benchmarks.house import ROOT, HouseFigure, report
from benchmarks.page_costs import PARAGRAPH, functions_entered
from winnow.compose.running import serve
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.document.values import Page, Recipe
from winnow.engine.worker import answer
from winnow.jobs.codec import pack_job
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits

_WORDS: Final = " ".join(f"The river rose by {number} cm, the town says." for number in range(30))
_ARTICLE: Final = (
    "<!doctype html><html lang=en><head><title>{0}</title></head><body>"
    "<nav><a href=/>Home</a></nav><main><h1>{0}</h1><p>{1}</p><p>{1}</p></main>"
    "<footer>Imprint</footer></body></html>"
)


@contextmanager
def entered() -> Iterator[Counter[str]]:
    """The files whose functions are called meanwhile, in any thread, and how often."""
    files: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            files[code.co_filename] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def ours(calls: Counter[str]) -> Counter[str]:
    """The product's files among ``calls``, each by its real path below the root."""
    found: Counter[str] = Counter()
    for path, number in ((Path(name).resolve(), number) for name, number in calls.items()):
        inside = path.is_file() and path.is_relative_to(ROOT)  # "<string>" is no file
        if inside and not {".venv", "benchmarks"} & set(path.parts):
            found[path.relative_to(ROOT).as_posix()] += number
    return found


async def cold_get() -> Counter[str]:
    """Calls by files that the server process enters for a page that was not requested before."""
    with TemporaryDirectory() as folder:
        settings = Settings(server=Server(port=0), storage=StorageSettings(folder=Path(folder)))
        async with _origin() as port, serve(settings) as running:
            await _get(running.place.port, f"http://127.0.0.1:{port}/warm")  # loads what is lazy
            with entered() as files:
                await _get(running.place.port, f"http://127.0.0.1:{port}/cold")
            return ours(files)


@asynccontextmanager
async def _origin() -> AsyncIterator[int]:
    """A site on loopback that answers every request with an article of its own."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = _article(head.split()[1].decode())
        fields = b"Content-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n%bContent-Length: %d\r\n\r\n" % (fields, len(body)))
        writer.write(body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _get(proxy_port: int, url: str) -> None:
    """Raises RuntimeError unless the page comes back extracted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy_port)
    writer.write(
        f"GET {url} HTTP/1.1\r\nHost: {url.split('/')[2]}\r\nAccept: text/html\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    reply = await reader.read()
    writer.close()
    if b"Winnow-Action: extracted" not in reply:
        raise RuntimeError(f"{url} was not extracted: {reply[:300]!r}")


def worker_job() -> Counter[str]:
    """Calls by files that a worker enters for one page."""
    page = Page(_article("warm"), "http://site.test/warm", "utf-8")
    frame = pack_job(TransformJob(page, Recipe()))
    answer(frame, QualityLimits())
    page = Page(_article("cold"), "http://site.test/cold", "utf-8")
    frame = pack_job(TransformJob(page, Recipe()))
    with entered() as files:
        answer(frame, QualityLimits())
    return ours(files)


def _article(title: str) -> bytes:
    return _ARTICLE.format(f"A page that is {title}", _WORDS).encode()


def main() -> int:
    """Print the figures, and with ``--files`` the files of each."""
    found = server, worker = asyncio.run(cold_get()), worker_job()
    if "--files" in sys.argv:
        sys.stdout.writelines(f"{name}\n" for files in found for name in (*sorted(files), ""))
    figures = [
        HouseFigure("files entered by a cold GET, server process", len(server), 10),
        HouseFigure("files entered by a cold page, worker", len(worker), 10),
        HouseFigure("calls by a cold GET, server process", server.total(), 50),
        HouseFigure("calls by a cold page, worker", worker.total(), 50),
        HouseFigure("functions entered, a page of one paragraph", functions_entered(PARAGRAPH)),
        HouseFigure(
            "functions entered, a page of 30 kB", functions_entered(generated_pages.page(30_000))
        ),
    ]
    return report(figures, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
