"""``winnow evaluate PACKAGE --measure fidelity``: what of a page's structure and facts is left."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial

from winnow.command_errors import CommandError
from winnow.document.document import Document
from winnow.document.render.render_context import RenderContext
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import extracted, transform
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.errors import EvaluationError, SubjectError
from winnow.evaluation.fidelity.counting import FIDELITY, TABLES, Show, Survival, survivals, total
from winnow.evaluation.fidelity.gold_region import GoldRegion
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.metadata_counts import (
    PageFacts,
    metadata_table,
    metadata_values,
    noted_facts,
)
from winnow.evaluation.peers.process import Process
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.task_runner import sample
from winnow.evaluation.subjects.proxy_subject import ThroughProxy
from winnow.evaluation.subjects.subject_specs import method_of, peer
from winnow.extractors.registry import DEFAULT
from winnow.jobs.job_types import PipelineError

GOLD = "gold"
"""The extraction that the gold text asks for: what is lost there, the renderer lost."""


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each package: this program's reader page, the gold region's, the others."""
    try:
        packages = chosen(arguments)
        shows = dict(_subjects(arguments))
        measure = next(name for name in arguments.measure if name in TABLES)
        for package in packages:
            for group, counted in _counted(package, shows, arguments).items():
                sys.stdout.write(TABLES[measure](group, counted) + "\n")
            sys.stdout.write(_facts_table(package, arguments) if measure == FIDELITY else "")
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    return 0


def _counted(
    package: Package, shows: dict[str, Show], arguments: argparse.Namespace
) -> dict[str, dict[str, Survival]]:
    """The sums of each subject, over the package and (``--types``) over its page types."""
    names = sample(package.ids, arguments.every, arguments.limit)
    groups: dict[str, list[dict[str, Survival]]] = {package.name: []}
    for name in watched(names, len(names), "pages"):
        entry = _entry(package, name)
        found = survivals(entry, shows)
        kind = (f"{package.name} {entry.page_type}",) if arguments.types else ()
        for group in (package.name, *kind):
            groups.setdefault(group, []).append(found)
    return {
        group: {name: total(page[name] for page in pages) for name in shows}
        for group, pages in groups.items()
    }


def _facts_table(package: Package, arguments: argparse.Namespace) -> str:
    """How well title, byline and date are found, where the package's notes have them."""
    entries = [package.page(name) for name in sample(package.ids, arguments.every, arguments.limit)]
    noted = [entry for entry in entries if {"title", "author", "date"} & {*entry.meta}]
    table = metadata_table(
        package.name,
        {
            name: [
                metadata_values(_facts(entry, Recipe(method_of(name))), noted_facts(entry.meta))
                for entry in noted
            ]
            for name in _extractors(arguments)
            if name != GOLD
        },
    )
    return f"{table}\n" if table else ""


def _facts(entry: PackageEntry, recipe: Recipe) -> PageFacts:
    document = Document.parse(Page(entry.body, entry.url))
    about = RenderContext.of(document, extracted(document, recipe)[1]).about
    return PageFacts(about.title, about.byline, about.date)


def _extractors(arguments: argparse.Namespace) -> list[str]:
    others = arguments.peer or arguments.through
    return arguments.extractor or ([] if others else [DEFAULT, GOLD])


def _entry(package: Package, name: str) -> PackageEntry:
    """A page, with its gold where the package has it."""
    has_gold = (package.path / f"{name}.txt").exists()
    return package.entry(name) if has_gold else package.page(name)


def _subjects(arguments: argparse.Namespace) -> Iterator[tuple[str, Show]]:
    for name in _extractors(arguments):
        yield name, _gold if name == GOLD else partial(_shown, Recipe(method_of(name)))
    for name in arguments.peer:
        yield name, partial(_of_peer, peer(name))
    for address in arguments.through:
        yield address, partial(_behind, ThroughProxy.at(address))


def _shown(recipe: Recipe, entry: PackageEntry, _document: Document) -> bytes:
    try:
        return transform(Page(entry.body, entry.url), recipe).body
    except PipelineError:
        return b""


def _gold(entry: PackageEntry, document: Document) -> bytes:
    region = GoldRegion.of(document, entry.gold).extraction()
    return renderer_for(Recipe()).render(document, region).body


def _of_peer(process: Process, entry: PackageEntry, _document: Document) -> bytes:
    try:
        return process.markup(entry).encode("utf-8", "replace")
    except SubjectError as error:
        return _failed(process.name, entry, error)


def _behind(proxy: ThroughProxy, entry: PackageEntry, _document: Document) -> bytes:
    try:
        return proxy.page(entry)[0].body
    except SubjectError as error:
        return _failed(proxy.name, entry, error)


def _failed(name: str, entry: PackageEntry, error: SubjectError) -> bytes:
    """A page that a subject has no answer for has lost everything."""
    sys.stderr.write(f"winnow: {name} failed on {entry.id}: {error}\n")
    return b""
