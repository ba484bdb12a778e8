"""Times what is learned while serving as sites become many; prints microseconds of CPU as JSON.

``python -m tests.load.lessons 10 100 1000``: for each size a store that knows so many sites of
eight pages each, then pages of some of them: what a recipe knows, a lesson folded, and what is new
kept after every tenth page. The benchmark of scaling runs it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

from winnow.data_folder import pages_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.extractors.layout import layout_memory
from winnow.extractors.layout.page_rows import page_rows_of
from winnow.extractors.site_learners import merged, pack
from winnow.proxy.http.request_target import Origin
from winnow.proxy.learning.service import LearningService
from winnow.proxy.stores.site_store import SiteStoreBounds
from winnow.proxy.stores.sqlite_sites import SqliteSites

TIMED, EVERY, PAGES, PARAGRAPHS = 200, 10, 8, 80
KEY, DAY = b"key", 20_000


def lesson(number: int) -> bytes:
    """What a page of some size teaches."""
    said = "".join(f"<p class=c{part % 7}>Words {number:b} {part:b}." for part in range(PARAGRAPHS))
    page = Page(f"<main>{said}".encode(), f"http://a.example/{number}")
    return pack({"layout": layout_memory.trace(page_rows_of(Document.parse(page), KEY), DAY)})


async def timed(folder: Path, size: int) -> float:
    """Microseconds of CPU a page, with so many sites known."""
    store = await SqliteSites.open(folder, merged, SiteStoreBounds(sites=size))
    lessons = [lesson(number) for number in range(PAGES + 1)]
    known = reduce(merged, lessons[:PAGES])
    await store.fold({f"http://site-{number}.example": known for number in range(size)})
    learning = LearningService(store, merged, pages_of)
    await learning.start()
    start = time.process_time()
    for number in range(TIMED):
        host = f"site-{number * size // TIMED}.example"
        assert learning.knowledge(Origin("http", host, 80)).memory
        learning.take(f"http://{host}/", lessons[PAGES])
        await learning.settled()
        if number % EVERY == 0:
            await learning.save()
    spent = time.process_time() - start
    await learning.aclose()
    return 1e6 * spent / TIMED


def main(sizes: list[int]) -> None:
    with TemporaryDirectory() as folder:
        costs = [asyncio.run(timed(Path(folder) / str(size), size)) for size in sizes]
    sys.stdout.write(json.dumps(costs) + "\n")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]])
