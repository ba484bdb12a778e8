"""``python -m benchmarks.house``: size of the code, and files that a page or a change touches.

Counts lines, functions and imports from the syntax trees, and files entered by a cold GET of an
article under ``sys.setprofile``: in the server process, and in the worker.
"""

from __future__ import annotations

import ast
import asyncio
import statistics
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

from benchmarks import change_cost
from winnow.compose.running import serve
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.document.values import Page, Recipe
from winnow.engine.worker import answer
from winnow.jobs.codec import pack_job
from winnow.jobs.job_types import TransformJob
from winnow.jobs.quality import QualityLimits

ROOT: Final = Path(__file__).resolve().parent.parent
ROOMS: Final = ("chromium", "config", "document", "engine", "extractors", "jobs", "proxy", "winnow")
OWN_PAGE: Final = "RulesPage"
"""An ordinary own page: a handler and its registration."""
COMPOSITION_ROOT: Final = "winnow/compose"
_WORDS: Final = " ".join(f"The river rose by {number} cm, the town says." for number in range(30))
_ARTICLE: Final = (
    "<!doctype html><html lang=en><head><title>{0}</title></head><body>"
    "<nav><a href=/>Home</a></nav><main><h1>{0}</h1><p>{1}</p><p>{1}</p></main>"
    "<footer>Imprint</footer></body></html>"
)


@dataclass(frozen=True, slots=True)
class HouseFigure:
    """One line of the table; ``most`` is the bound, None where there is none."""

    what: str
    value: float
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the bound holds."""
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        bound = "" if self.most is None else f"{self.most:g}"
        mark = "" if self.holds else "  above"
        return f"{self.what:58} {self.value:>9g} {bound:>9}{mark}"


def product_files() -> list[Path]:
    """The Python files of the product; a room below ``winnow`` is a link and is counted once."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return sorted(path for path in found if "models" not in path.parts)


def sizes() -> list[HouseFigure]:
    """Lines of files and functions, and modules that one module imports."""
    files = product_files()
    sources = {path: path.read_text("utf-8") for path in files}
    trees = {path: ast.parse(source) for path, source in sources.items()}
    lines = sorted(source.count("\n") for source in sources.values())
    functions = sorted(length for tree in trees.values() for length in _function_lengths(tree))
    fans = [_fan_out(tree) for path, tree in trees.items() if not _composes(path)]
    flat = Counter(path.parent for path in files if path.name != "__init__.py")
    names = Counter(name for tree in trees.values() for name in _classes(tree))
    return [
        HouseFigure("lines of product code in Python", sum(lines), 43_000),
        HouseFigure("lines of a file, median", statistics.median(lines), 100),
        HouseFigure("lines of a file, at most", lines[-1], 300),
        HouseFigure("lines of a function, median", statistics.median(functions), 5),
        HouseFigure("lines of a function, 95th percentile", _percentile(functions, 0.95), 20),
        HouseFigure("modules of ours that one module imports, at most", max(fans), 20),
        HouseFigure("modules directly in one folder, at most", max(flat.values())),
        HouseFigure("public class names used twice", sum(n > 1 for n in names.values()), 0),
    ]


def changes() -> list[HouseFigure]:
    """How many modules name a thing that changes."""
    trees = change_cost.parsed(product_files())
    keys = len(change_cost.key_modules(trees))
    page = len(change_cost.own_page_modules(trees, OWN_PAGE))
    thresholds = change_cost.threshold_modules(trees)
    formats = change_cost.format_modules(trees)
    extractors = change_cost.extractor_modules(trees)
    return [
        HouseFigure("modules that hash a recipe: a page's cache key", keys, 1),
        HouseFigure("modules that name a quality threshold", thresholds, 2),
        HouseFigure("modules that name an output format, median", formats, 3),
        HouseFigure(f"modules that name an own page ({OWN_PAGE})", page, 2),
        HouseFigure("modules that name an extractor, median", extractors, 2),
    ]


def _function_lengths(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.end_lineno - node.lineno + 1


def _fan_out(tree: ast.Module) -> int:
    modules = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("winnow")
    }
    return len(modules)


def _classes(tree: ast.Module) -> Iterator[str]:
    """Public classes; type aliases are no classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def _composes(path: Path) -> bool:
    return path.relative_to(ROOT).as_posix().startswith(COMPOSITION_ROOT)


def _percentile(ordered: list[int], share: float) -> int:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@contextmanager
def entered() -> Iterator[set[str]]:
    """The files of ours whose functions are called meanwhile, in any thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            files.add(code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def ours(files: Iterable[str]) -> set[str]:
    """The product's files among ``files``, each by its real path below the root."""
    real = (Path(name).resolve() for name in files if not name.startswith("<"))
    inside = (path for path in real if path.is_relative_to(ROOT) and ".venv" not in path.parts)
    return {
        path.relative_to(ROOT).as_posix() for path in inside if path.parent.name != "benchmarks"
    }


async def cold_get() -> set[str]:
    """Files that the server process enters for a page that was not requested before."""
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


async def ways() -> list[HouseFigure]:
    """How many files one cold page passes through."""
    return [
        HouseFigure("files entered by a cold GET, server process", len(await cold_get()), 52),
        HouseFigure("files entered by a cold page, worker", len(worker_job()), 38),
    ]


def worker_job() -> set[str]:
    """Files that a worker enters for one page."""
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
    """Print the table; ``--files`` names the files entered too."""
    figures = [*sizes(), *changes(), *asyncio.run(ways())]
    sys.stdout.write(f"{'':58} {'is':>9} {'at most':>9}\n")
    sys.stdout.writelines(f"{figure}\n" for figure in figures)
    if "--files" in sys.argv:
        listed = sorted(asyncio.run(cold_get())), sorted(worker_job())
        sys.stdout.writelines(f"\n{name}" for files in listed for name in (*files, ""))
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
