"""``python -m benchmarks.hostile_growth``: CPU of hostile pages from 10 kB to 10 MB.

For each shape (benchmarks.hostile_shapes), as spans, HTML and Markdown from a worker's pipeline:
e of CPU ~ size ** e over all sizes, microseconds a kB at the largest, and the most memory. A
process for each has ``--seconds`` of CPU and ``--memory``; the size that it ended at is named.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from benchmarks.hostile_shapes import SHAPES
from benchmarks.methods import exponent
from winnow.document.values import Format, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.jobs.job_types import PipelineError

FORMATS: Final = (Format.SPANS, Format.HTML, Format.MARKDOWN)
SIZES: Final = (10_000, 100_000, 1_000_000, 10_000_000)
_HEADING: Final = (
    "| shape | e of spans | of HTML | of Markdown | us/kB: spans | HTML | Markdown | MB |\n"
    "|---|---|---|---|---|---|---|---|\n"
)
_SHORT: Final = 0.5
"""Seconds up to which a page is timed thrice, and the least counts."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A page of ``size`` bytes: ``seconds`` of CPU, ``memory`` at most so far in MB, and the
    reason of one that passes as it came."""

    size: int
    seconds: float
    memory: float
    reason: str = ""


def main() -> int:
    """Print a line a shape."""
    asked = _parser().parse_args()
    if asked.child:
        _measure(asked)
        return 0
    sys.stdout.write(_HEADING)
    for shape in asked.shape or SHAPES:
        times = [_measured(shape, each, asked) for each in FORMATS]
        sys.stdout.write(line_of(shape, times) + "\n")
        sys.stdout.flush()
    return 0


def line_of(shape: str, times: Sequence[Sequence[Timed]]) -> str:
    """A line of the table: the times of each format."""
    memory = max((one.memory for each in times for one in each), default=0)
    cells = (shape, *map(_growth, times), *map(_cost, times), f"{memory:.0f}")
    return f"| {' | '.join(cells)} |"


def _growth(times: Sequence[Timed]) -> str:
    reasons = [one.reason for one in times if one.reason]
    timed = [one for one in times if one.seconds > 0]
    if reasons or len(timed) < 2:
        return reasons[0] if reasons else ""
    return f"{exponent([one.size for one in timed], [one.seconds for one in timed]):.2f}"


def _cost(times: Sequence[Timed]) -> str:
    """At the largest size within the bounds, which is named if it is not the last."""
    if not times:
        return "none within the bounds"
    last = times[-1]
    named = "" if last.size > SIZES[-1] / 2 else f" ({last.size / 1e6:.2g} MB)"
    return f"{1e9 * last.seconds / last.size:,.0f}{named}"


def _measured(shape: str, form: Format, asked: argparse.Namespace) -> list[Timed]:
    """What a process of its own printed until its bounds ended it."""
    sizes = [f"--size={size}" for size in asked.size or SIZES]
    bounds = [f"--seconds={asked.seconds}", f"--memory={asked.memory}"]
    command = [sys.executable, "-m", "benchmarks.hostile_growth", *sizes, *bounds]
    done = subprocess.run(  # noqa: S603 - this module
        [*command, "--child", form.value, "--shape", shape],
        stdout=subprocess.PIPE,
        text=True,
        check=False,  # one that needed too much has printed what it had
    )
    return [Timed(**json.loads(line)) for line in done.stdout.splitlines()]


def _measure(asked: argparse.Namespace) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (asked.seconds, asked.seconds))
    resource.setrlimit(resource.RLIMIT_AS, (asked.memory << 20, asked.memory << 20))
    recipe = Recipe(format=Format(asked.child))
    _seconds(Page(b"<p>a"), recipe)  # imports and lazy tables
    gc.collect()
    gc.freeze()
    for size in asked.size:
        page = Page(SHAPES[asked.shape[0]](size).encode(), "http://site.example/a")
        try:
            reason, spent = "", _seconds(page, recipe)
            if spent < _SHORT:
                spent = min(spent, _seconds(page, recipe), _seconds(page, recipe))
        except PipelineError as error:
            reason, spent = error.failure.reason, 0.0
        except MemoryError:
            return
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        timed = Timed(len(page.body), spent, memory, reason)
        sys.stdout.write(json.dumps(asdict(timed)) + "\n")
        sys.stdout.flush()


def _seconds(page: Page, recipe: Recipe) -> float:
    begun = time.thread_time()  # a limit of CPU makes the process's clock one of ticks
    rendered = transform(page, recipe)
    spent = time.thread_time() - begun
    del rendered  # its release is not timed
    return spent


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hostile_growth", description=__doc__
    )
    add = parser.add_argument
    add("--shape", action="append", choices=list(SHAPES), help="these only; may be repeated")
    add("--size", action="append", type=int, metavar="BYTES")
    add("--seconds", type=int, default=120, help="of CPU for all sizes of a format (120)")
    add("--memory", type=int, default=3072, metavar="MB", help="address space (3072)")
    add("--child", choices=[each.value for each in FORMATS], help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
