"""The options of ``winnow extract`` for corpora, and what it does with them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe, SiteKnowledge
from winnow.evaluation.running.progress import watched
from winnow.features.batch.output import check, join, refuse_existing, send
from winnow.features.batch.page_locations import is_remote, page_locations
from winnow.features.batch.plan import BatchPlan, Chunk, planned
from winnow.features.batch.progress_log import ProgressLog
from winnow.features.batch.rows import FORMATS, BatchJob, ChunkTask, sites_of
from winnow.features.batch.site_lessons import KEY, SiteMemories, memories_of
from winnow.jobs.answers import Fallback


def declare(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("corpora")
    add = batch.add_argument
    add(
        "--batch",
        action="store_const",
        const=run,
        dest="instead",
        help="sources are folders, WARC files, lists of addresses or of archives (*.paths)",
    )
    add(
        "--out",
        metavar="FILE",
        help="write there: JSON Lines, or Parquet for *.parquet; a file, or an address as s3://",
    )
    add("--workers", type=int, default=0, metavar="N", help="processes (one for each core)")
    add("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    add(
        "--chunk",
        type=int,
        default=64,
        metavar="N",
        help="pages in one chunk (64), at least; an archive is divided by bytes",
    )


def run(arguments: argparse.Namespace, recipe: Recipe, settings: Settings) -> int:
    """Return 0; a record with an error is a row. Raises CommandError if a chunk was lost.

    Where ``--out`` is an address the parts, and the file before it is sent, stand in this folder.
    """
    out = _out(arguments, recipe.format)
    remote = arguments.out if is_remote(arguments.out) else ""
    if remote:
        refuse_existing(remote)
    slim = Settings(
        upstream=settings.upstream, gateway=settings.gateway, extraction=settings.extraction
    )  # users and passwords are not sent to the workers
    learning = settings.learning
    knowledge = SiteKnowledge(key=KEY, pages=learning.pages, learn=learning.enabled)
    fallback = Fallback(arguments.fallback)
    if fallback is Fallback.ORIGINAL:
        raise UsageError("--fallback original can only stand with one SOURCE")
    job = BatchJob(replace(recipe, knowledge=knowledge), slim, fallback)
    options = {
        "sources": arguments.sources,
        "format": recipe.format.value,
        "method": job.fingerprint,
        "sites": learning.enabled and learning.pages,
    }
    if fallback is not Fallback.NONE:  # a plan of an earlier version has no such option
        options["fallback"] = fallback.value
    folder = out.with_name(f"{out.name}.parts")
    if out.exists() and not folder.exists():
        raise CommandError(f"{out} exists: move it away or name another --out")
    with planned(folder, options, arguments.chunk, page_locations(arguments.sources)) as plan:
        with _workers(arguments, job, plan) as work:
            lost = _both_passes(plan, job, work)
        if lost:
            raise CommandError(f"{lost[0]}; run the same command again to continue")
        join(plan.last_rows(), out, recipe.format)
        if remote:
            send(out, remote)
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
    named: str = arguments.out
    out = Path(named.rpartition("/")[2] if is_remote(named) else named).absolute()
    if is_remote(named) and not named.rpartition("/")[2]:
        raise UsageError(f"{named} names no file")
    check(out)
    return out


Work = Callable[[Iterator[ChunkTask]], Iterator[tuple[Chunk, int | str]]]
"""Extracts chunks and writes their rows; with the number of these, or the reason of their loss."""


@contextmanager
def _workers(arguments: argparse.Namespace, job: BatchJob, plan: BatchPlan) -> Iterator[Work]:
    if not arguments.cluster:
        number = arguments.workers or len(os.sched_getaffinity(0))
        here = import_module("winnow.features.batch.processes")  # loads parsers: where it is needed
        yield lambda tasks: here.done(tasks, job, number, plan)
        return
    try:
        cluster = import_module("winnow.features.batch.cluster")
    except ImportError as error:
        raise UsageError(
            "--cluster needs the extra batch: pip install '.[batch]' in Winnow's checkout"
        ) from error
    with cluster.remote(arguments.cluster) as client:
        yield lambda tasks: cluster.done(client, tasks, job, plan)


def _both_passes(plan: BatchPlan, job: BatchJob, work: Work) -> list[str]:
    """Extract the chunks that are missing; return the reasons of those that were lost."""
    before = plan.done()
    if before:
        sys.stderr.write(f"winnow: {before} of {plan.parts} chunks were done before\n")
    lost: list[str] = []
    first = work(ChunkTask(chunk) for chunk in plan.left())
    _watch(first, plan.parts - before, lost)
    if job.recipe.knowledge.learn and not lost:
        files = (plan.lessons(number) for number in range(1, plan.parts + 1))
        memories = plan.folder / "sites.sqlite3"
        with memories_of(files, memories, job.recipe.knowledge.pages) as sites:
            again = _watch(work(_second_pass(plan, sites)), 0, lost)
        sys.stderr.write(f"winnow: {again} chunks again, by what their sites' pages teach\n")
    return lost


def _watch(answers: Iterator[tuple[Chunk, int | str]], chunks: int, lost: list[str]) -> int:
    """Say how far a pass is; return how many chunks it wrote."""
    log, done = ProgressLog(chunks, sys.stderr), 0
    for chunk, answer in watched(answers, chunks, "extract"):
        if isinstance(answer, str):
            lost.append(f"chunk {chunk.number} ({chunk.locations[0].source}) was lost: {answer}")
        else:
            log.add(answer)
            done += 1
    if done:
        log.end()
    return done


def _second_pass(plan: BatchPlan, sites: SiteMemories) -> Iterator[ChunkTask]:
    for chunk in plan.chunks():
        file = plan.rows_by_site(chunk.number)
        if file.exists():
            continue
        first = plan.rows(chunk.number).read_bytes()
        known = sites.knowledge(sites_of(first))
        if known:
            task, begun = ChunkTask(chunk, first, known), plan.begun(file)
            yield task.after(begun) if begun else task
