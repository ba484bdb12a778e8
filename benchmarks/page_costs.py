"""``python -m benchmarks.page_costs [PACKAGE]``: what a page costs, by its size and what is made.

CPU in bare parses of the same page (``benchmarks.methods``), by the sum and at the median page; by
proxy, cold, in all processes of Winnow. Beside it the functions, of Python and C, that
``winnow.extract(page).html`` enters once all is loaded: exact for one version of Python.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.load.clients import Tally, Visitor, Wanted
from benchmarks.load.origin import head
from benchmarks.load.programs import winnow
from benchmarks.methods import ADDRESS, BARE, LIBRARY, Work, costs, works
from benchmarks.traffic.processes import Server
from winnow.article import extract
from winnow.document.metadata.date_words import dates_in
from winnow.document.texts.short_texts import key_of
from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.reporting.tables import aligned
from winnow.extractors.registry import make

_WORDS: Final = "The river rose by nine cm, the town says. " * 12
PARAGRAPH: Final = (
    "<!doctype html><html lang=en><head><title>The river rose</title></head>"
    f"<body><p>{_WORDS}</p></body></html>"
).encode()
_SIZES: Final = {"6 to 16 kB": range(6_000, 16_000), "below 150 kB": range(150_000)}
_PAGES, _ROUNDS, _CALLS = 24, 5, 200


def functions_entered(page: bytes) -> int:
    """How many calls ``sys.setprofile`` sees while a page is extracted for the second time."""
    calls = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    _ = extract(page, ADDRESS).html
    for kept in (dates_in, key_of):  # which no page has found before
        kept.cache_clear()
    gc.disable()  # what a collection ends is none of this page's
    sys.setprofile(note)
    try:
        _ = extract(page, ADDRESS).html
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls - 1  # the last ends the count


def _timed() -> dict[str, Work]:
    timed = works({"auto": make("auto")})
    timed[".text"] = lambda body: extract(body, ADDRESS).text
    timed[".json"] = lambda body: extract(body, ADDRESS).json
    return timed


async def by_proxy(kinds: Mapping[str, Sequence[bytes]]) -> dict[str, float]:
    """Seconds of CPU for a cold page of each kind, in the mean."""
    pages, numbers = [page for kind in kinds.values() for page in kind], count()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            if line.startswith(b"GET "):
                page = pages[int(line.split(b"/")[1])]
                writer.write(head(len(page), "Content-Type: text/html") + page)
        writer.close()

    origin = await asyncio.start_server(answer, "127.0.0.1", 0)
    site, found = f"http://127.0.0.1:{origin.sockets[0].getsockname()[1]}", dict[str, float]()
    with TemporaryDirectory() as folder:
        async with origin, winnow(Path(folder)) as (process, port):
            visitor, server = Visitor(port, Tally()), Server(process.pid, port)
            for name, kind in kinds.items():
                asked = [site + f"/{pages.index(page)}/" for page in kind]
                for times in (1, max(_CALLS // len(kind), 1)):  # the first loads what it needs
                    before = server.cpu()
                    for address in asked * times:
                        await visitor.ask(Wanted("", f"{address}{next(numbers)}", "text/html"))
                    found[name] = (server.cpu() - before) / len(asked) / times
            visitor.close()
    return found


def main(package: str = "wcxb-dev") -> None:
    """Print all rows. Raises PackageError."""
    loaded = load(find(package))
    sizes = {name: (loaded.path / f"{name}.html").stat().st_size for name in loaded.ids}
    kinds = {"one paragraph": [PARAGRAPH]}
    for kind, wanted in _SIZES.items():
        some = [name for name, size in sizes.items() if size in wanted]
        if chosen := some[:: max(1, len(some) // _PAGES)][:_PAGES]:
            kinds[kind] = [loaded.entry(name).body for name in chosen]
    whole = asyncio.run(by_proxy(kinds))
    for kind, pages in kinds.items():
        found = {cost.method: cost for cost in costs(pages, _timed(), _ROUNDS)}
        bare = found.pop(BARE).milliseconds
        entered = statistics.median(map(functions_entered, pages))
        rows = [(name, f"{c.ratio:.1f}", f"{c.median_ratio:.1f}") for name, c in found.items()]
        rows.append(("by proxy, cold", f"{1000 * whole[kind] / bare:.1f}", ""))
        rows.append((f"functions entered by {LIBRARY}", "", f"{entered:g}"))
        title = f"\n{kind}: {len(pages)} of {package}, bare parse {bare:.3f} ms"
        sys.stdout.write(f"{title}\n{aligned(('x parse', 'sum', 'median'), rows, 1)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
