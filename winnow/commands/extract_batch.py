"""``winnow extract --batch``: a corpus to one file, by many processes or machines; resumable."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from winnow.batch.output import check, join
from winnow.batch.page_locations import page_locations
from winnow.batch.plan import BatchPlan, planned, write_whole
from winnow.batch.rows import FORMATS, BatchJob, sites_of
from winnow.batch.site_lessons import KEY, SiteMemories, as_lines, memories_of
from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe, SiteKnowledge
from winnow.evaluation.progress import watched


def declare(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("corpora")
    add = batch.add_argument
    add(
        "--batch", action="store_true", help="sources are folders, WARC files or lists of addresses"
    )
    add(
        "--out", type=Path, metavar="FILE", help="write there: JSON Lines, or Parquet for *.parquet"
    )
    add("--workers", type=int, default=0, metavar="N", help="processes (one for each core)")
    add("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    add("--chunk", type=int, default=64, metavar="N", help="records in one chunk (64)")


def run(arguments: argparse.Namespace, recipe: Recipe, settings: Settings) -> int:
    """Return 0; a record with an error is a row. Raises CommandError if a chunk was lost."""
    out = _out(arguments, recipe.format)
    slim = Settings(
        upstream=settings.upstream, gateway=settings.gateway, extraction=settings.extraction
    )  # users and passwords are not sent to the workers
    learning = settings.learning
    knowledge = SiteKnowledge(key=KEY, pages=learning.pages, learn=learning.enabled)
    job = BatchJob(replace(recipe, knowledge=knowledge), slim)
    options = {
        "sources": arguments.sources,
        "format": recipe.format.value,
        "method": job.fingerprint,
        "sites": learning.enabled and learning.pages,
    }
    folder = out.with_name(f"{out.name}.parts")
    if out.exists() and not folder.exists():
        raise CommandError(f"{out} exists: move it away or name another --out")
    with planned(folder, options, arguments.chunk, page_locations(arguments.sources)) as plan:
        lost = _work(plan, job, _cluster(arguments))
        if lost:
            raise CommandError(f"{lost[0]}; run the same command again to continue")
        join(plan.last_rows(), out, recipe.format)
        plan.remove()
    return 0


def _out(arguments: argparse.Namespace, shown: Format) -> Path:
    if arguments.out is None:
        raise UsageError("--batch needs --out FILE")
    if shown not in FORMATS:
        raise UsageError(f"--batch writes {', '.join(FORMATS)}")
    if arguments.chunk < 1 or arguments.workers < 0:
        raise UsageError("--chunk and --workers must be at least 1")
    if arguments.url:
        raise UsageError("--url can only stand with one SOURCE")
    out: Path = arguments.out.absolute()
    check(out)
    return out


def _cluster(arguments: argparse.Namespace) -> AbstractContextManager[Any]:
    cluster = _dask_module()
    if arguments.cluster:
        remote: AbstractContextManager[Any] = cluster.remote(arguments.cluster)
        return remote
    here: AbstractContextManager[Any] = cluster.local(arguments.workers or os.cpu_count() or 1)
    return here


def _dask_module() -> Any:
    try:
        return import_module("winnow.batch.cluster")
    except ImportError as error:
        raise UsageError(
            "--batch needs the extra batch: pip install 'winnow-proxy[batch]'"
        ) from error


def _work(plan: BatchPlan, job: BatchJob, cluster: AbstractContextManager[Any]) -> list[str]:
    """Extract the chunks that are missing; return the reasons of those that were lost."""
    before, start = plan.done(), time.monotonic()
    if before:
        sys.stderr.write(f"winnow: {before} of {plan.records} records were done before\n")
    lost: list[str] = []
    with cluster as client:
        done = 0
        if before < plan.records:
            records = _records(plan, job, client, lost)
            done = sum(1 for _ in watched(records, plan.records - before, "extract"))
        if job.recipe.knowledge.learn and not lost:
            again = sum(1 for _ in _by_site(plan, job, client, lost))
            sys.stderr.write(f"winnow: {again} chunks again, by what their sites' pages teach\n")
    seconds = time.monotonic() - start
    sys.stderr.write(f"winnow: {done} records in {seconds:.1f} s, {done / seconds:.1f} a second\n")
    return lost


def _records(plan: BatchPlan, job: BatchJob, client: Any, lost: list[str]) -> Iterator[int]:
    """Return the number of each record once it is on disk."""
    cluster = _dask_module()
    tasks = (cluster.ChunkTask(chunk) for chunk in plan.left())
    for chunk, answer in cluster.done(client, tasks, job):
        if isinstance(answer, str):
            lost.append(f"records {chunk.first} and following were lost: {answer}")
            continue
        plan.write(chunk.number, answer.rows, as_lines(answer.lessons))
        yield from range(chunk.first, chunk.first + len(chunk.locations))


def _by_site(plan: BatchPlan, job: BatchJob, client: Any, lost: list[str]) -> Iterator[int]:
    """Return the number of each chunk that has pages of known sites, once it is on disk again."""
    cluster = _dask_module()
    files = (plan.lessons(number) for number in range(1, plan.parts + 1))
    memories = plan.folder / "sites.sqlite3"
    with memories_of(files, memories, job.recipe.knowledge.pages) as sites:
        for chunk, answer in cluster.done(client, _second_pass(plan, sites), job):
            if isinstance(answer, str):
                lost.append(f"records {chunk.first} and following were lost: {answer}")
                continue
            write_whole(plan.rows_by_site(chunk.number), answer.rows)
            yield chunk.number


def _second_pass(plan: BatchPlan, sites: SiteMemories) -> Iterator[Any]:
    for chunk in plan.chunks():
        if plan.rows_by_site(chunk.number).exists():
            continue
        first = plan.rows(chunk.number).read_bytes()
        known = sites.knowledge(sites_of(first))
        if known:
            yield _dask_module().ChunkTask(chunk, first, known)
