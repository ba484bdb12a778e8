"""``winnow extract --batch``: a corpus to one file, by many processes or machines; can go on.

Knows the command's options and what is said of a run; refuses to know how pages are read.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Any

from winnow.batch.output import check, join
from winnow.batch.places import places
from winnow.batch.plan import BatchPlan, planned
from winnow.batch.rows import FORMATS, Job
from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe
from winnow.evaluation.progress import watched


def declare(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("a whole corpus")
    add = batch.add_argument
    add("--batch", action="store_true", help="sources are folders, WARC files, lists of addresses")
    add("--out", type=Path, metavar="FILE", help="the rows: JSON Lines, or Parquet for *.parquet")
    add("--workers", type=int, default=0, metavar="N", help="processes (as many as cores)")
    add("--cluster", metavar="ADDRESS", help="a Dask scheduler, say tcp://10.0.0.1:8786")
    add("--chunk", type=int, default=64, metavar="N", help="records written at once (64)")


def run(arguments: argparse.Namespace, recipe: Recipe, settings: Settings) -> int:
    """Return 1 where chunks are left, else 0: a record with an error is a row."""
    out = _out(arguments, recipe.format)
    slim = Settings(
        upstream=settings.upstream, gateway=settings.gateway, extraction=settings.extraction
    )  # names and passwords stay at home
    job = Job(recipe, slim)
    options = {
        "sources": arguments.sources,
        "format": recipe.format.value,
        "method": job.fingerprint,
    }
    folder = out.with_name(f"{out.name}.parts")
    if out.exists() and not folder.exists():
        raise CommandError(f"{out} is there already: move it away or name another --out")
    with planned(folder, options, arguments.chunk, places(arguments.sources)) as plan:
        lost = _work(plan, job, _cluster(arguments))
        if lost:
            raise CommandError(f"{lost[0]}; run the same command again to go on")
        join((plan.rows(number) for number in range(1, plan.parts + 1)), out, recipe.format)
        plan.forget()
    return 0


def _out(arguments: argparse.Namespace, shown: Format) -> Path:
    if arguments.out is None:
        raise UsageError("--batch needs --out FILE")
    if shown not in FORMATS:
        raise UsageError(f"--batch shows articles as {', '.join(FORMATS)}")
    if arguments.chunk < 1 or arguments.workers < 0:
        raise UsageError("--chunk and --workers count from 1")
    if arguments.url:
        raise UsageError("--url can only stand with one SOURCE")
    out: Path = arguments.out.absolute()
    check(out)
    return out


def _cluster(arguments: argparse.Namespace) -> AbstractContextManager[Any]:
    cluster = _engine()
    if arguments.cluster:
        remote: AbstractContextManager[Any] = cluster.remote(arguments.cluster)
        return remote
    here: AbstractContextManager[Any] = cluster.local(arguments.workers or os.cpu_count() or 1)
    return here


def _engine() -> Any:
    try:
        return import_module("winnow.batch.cluster")
    except ImportError as error:
        raise UsageError("--batch needs more: pip install 'winnow-proxy[batch]'") from error


def _work(plan: BatchPlan, job: Job, cluster: AbstractContextManager[Any]) -> list[str]:
    """Do what is left; return why chunks could not be done."""
    before, start = plan.done(), time.monotonic()
    if before:
        sys.stderr.write(f"winnow: {before} of {plan.records} records are done already\n")
    if before == plan.records:
        return []
    lost: list[str] = []
    with cluster as client:
        records = _records(plan, job, client, lost)
        done = sum(1 for _ in watched(records, plan.records - before, "extract"))
    seconds = time.monotonic() - start
    sys.stderr.write(f"winnow: {done} records in {seconds:.1f} s, {done / seconds:.1f} a second\n")
    return lost


def _records(plan: BatchPlan, job: Job, client: Any, lost: list[str]) -> Iterator[int]:
    """The number of each record once it is on disk."""
    for chunk, answer in _engine().done(client, plan.left(), job):
        if isinstance(answer, str):
            lost.append(f"records {chunk.first} and following were lost: {answer}")
            continue
        plan.keep(chunk.number, answer)
        yield from range(chunk.first, chunk.first + len(chunk.places))
