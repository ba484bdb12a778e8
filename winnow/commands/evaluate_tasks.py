"""``winnow evaluate PACKAGE --measure tasks``: pages as a proxy treats them where nobody asks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from winnow.command_errors import CommandError, UsageError
from winnow.compose.factories import recipe_of, treatments_of
from winnow.config.settings import Settings
from winnow.document.values import Page, Recipe, Treatment
from winnow.engine.pipeline import transform
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.packages import Package, PackageEntry, found, load
from winnow.evaluation.progress import watched
from winnow.evaluation.proxy_subject import ThroughProxy
from winnow.evaluation.tasks import ORIGINAL, TaskOutcome, TaskRow, Treat, task_row, task_table
from winnow.jobs.job_types import PipelineError

NAME = "tasks"
_DONE = {Treatment.EXTRACT: "extracted", Treatment.TIDY: "tidied"}


def run(arguments: argparse.Namespace) -> int:
    """Print a table for this program's defaults, or for each proxy."""
    try:
        packages = [load(path) for path in found(arguments.package)]
        for name, treat in _subjects(arguments):
            rows = [row for package in packages for row in _rows(package, treat, arguments)]
            sys.stdout.write(f"{name}\n{task_table(rows)}\n")
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    return 0


def _subjects(arguments: argparse.Namespace) -> Iterator[tuple[str, Treat]]:
    for address in arguments.through:
        try:
            proxy = ThroughProxy.at(address, (("Winnow-Mode", "auto"),))
        except EvaluationError as error:
            raise UsageError(str(error)) from error
        yield address, partial(_behind, proxy)
    if not arguments.through:
        settings = Settings()
        treatments = treatments_of(settings)
        recipe = replace(recipe_of(settings), live=True, treatments=treatments)
        yield "default settings", partial(_treated, recipe)


def _rows(package: Package, treat: Treat, arguments: argparse.Namespace) -> Iterator[TaskRow]:
    names = package.ids[:: arguments.every][: arguments.limit]
    for name in watched(names, len(names), "pages"):
        yield task_row(package.name, package.page(name), treat)


def _treated(recipe: Recipe, entry: PackageEntry) -> TaskOutcome:
    try:
        rendered = transform(Page(entry.body, entry.url), recipe)
    except PipelineError:
        return TaskOutcome(ORIGINAL, entry.body)
    if rendered.treatment is Treatment.ORIGINAL:
        return TaskOutcome(ORIGINAL, entry.body)
    return TaskOutcome(_DONE[rendered.treatment], rendered.body)


def _behind(proxy: ThroughProxy, entry: PackageEntry) -> TaskOutcome:
    page, action = proxy.treated(entry)
    is_same = action == ORIGINAL or page.body == entry.body
    return TaskOutcome(ORIGINAL if is_same else action or "changed", page.body)
