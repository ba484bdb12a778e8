"""``python -m tests.load.growth``: what one extracting process holds after each thousand pages.

Pages of the origin of ``make load``, each with a text of its own, or those of a folder over and
over. A leak goes on; a heap that takes the shape of its pages comes to an end.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from benchmarks.load.origin import page
from benchmarks.load.programs import memory
from winnow.compose.factories import RETURNED
from winnow.document.values import Page, Recipe
from winnow.jobs.codec import LENGTH, pack_job
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits
from winnow.transforms.pooled import worker_command

MOST: Final = 200
Ask = Callable[[Page], bytes]


@contextmanager
def process(recipe: Recipe) -> Iterator[tuple[int, Ask]]:
    """A process as the pool starts it: its id, and what gives it a page."""
    command, pipe = worker_command(QualityLimits(), 0, ""), subprocess.PIPE
    environment = {**os.environ, **RETURNED, "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as worker:
        assert worker.stdin
        assert worker.stdout
        source, sink = worker.stdout, worker.stdin

        def ask(asked: Page) -> bytes:
            frame = pack_job(TransformJob(asked, recipe))
            sink.write(LENGTH.pack(len(frame)) + frame)
            sink.flush()
            return _frame(source)

        _frame(source)
        yield worker.pid, ask


def _frame(source: IO[bytes]) -> bytes:
    return source.read(LENGTH.unpack(source.read(LENGTH.size))[0])


def pages_of(folder: Path | None) -> Callable[[int], Page]:
    """The page of each number."""
    if folder is None:
        return lambda at: Page(page(at), f"http://127.0.0.1/story/{at}", "utf-8")
    bodies = [file.read_bytes() for file in sorted(folder.glob("*.html"))[:MOST]]
    return lambda at: Page(bodies[at % len(bodies)], f"http://site.example/{at % len(bodies)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.growth", description=__doc__)
    parser.add_argument("--pages", type=int, default=12_000)
    parser.add_argument("--extractor", default="auto")
    parser.add_argument("--folder", type=Path, help=f"its first {MOST} pages, over and over")
    asked = parser.parse_args()
    page_of = pages_of(asked.folder)
    with process(Recipe(extractor=asked.extractor)) as (pid, ask):
        for at in range(asked.pages):
            ask(page_of(at))
            if (at + 1) % 1000 == 0:
                sys.stdout.write(f"{at + 1:>7} pages {memory([pid]) / 1e6:8.1f} MB\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
