"""``winnow evaluate PACKAGE --measure tasks``: pages as a proxy treats them where nobody asks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.purposes import treatments_of
from winnow.document.values import Page, Recipe, Treatment
from winnow.engine.pipeline import transform
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.tasks import (
    ORIGINAL,
    TaskOutcome,
    TaskRow,
    Treat,
    task_row,
    task_table,
)
from winnow.evaluation.running.progress import watched
from winnow.evaluation.subjects.proxy_subject import ThroughProxy
from winnow.jobs.job_types import PipelineError
from winnow.usual_recipe import recipe_of

NAME = "tasks"
_DONE = {Treatment.EXTRACT: "extracted", Treatment.TIDY: "tidied"}


def run(arguments: argparse.Namespace) -> int:
    """Print a table for this program's defaults, or for each proxy."""
    try:
        packages = chosen(arguments)
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
        yield "default settings", partial(_treated, default_recipe())


def default_recipe() -> Recipe:
    """How a page is treated where nobody asks and nothing is set."""
    settings = Settings()
    treatments = treatments_of(settings.purposes)
    return replace(recipe_of(settings), live=True, treatments=treatments)


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
