"""``winnow evaluate PACKAGE --measure steps``: what each step behind the method takes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from winnow.command_errors import CommandError
from winnow.document.document import Document
from winnow.document.values import Comments, Extraction, Page
from winnow.engine.net.completion import completed
from winnow.engine.purpose.page_purpose import with_purpose
from winnow.engine.records.page_records import with_records
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.halves import Half
from winnow.evaluation.gold.packages import Package, found_with_gold
from winnow.evaluation.measuring.steps import lost_recall, steps_table, that_lose_much
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.task_runner import sample
from winnow.evaluation.subjects.subject_specs import method_of
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.registry import DEFAULT, make

NAME = "steps"


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each extractor, and below it the pages of whose gold a step takes much;
    of the half that is scored only no page is named."""
    try:
        packages = chosen(arguments, found_with_gold(arguments.package))
        for name in arguments.extractor or [DEFAULT]:
            losses = {
                package.name: dict(_pages(package, make(method_of(name)), arguments))
                for package in packages
            }
            sys.stdout.write(f"{name}\n{steps_table(losses)}\n")
            if arguments.half is not Half.SCORED:
                sys.stdout.writelines(f"{line}\n" for line in that_lose_much(losses))
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    return 0


def _pages(
    package: Package, extractor: Extractor, arguments: argparse.Namespace
) -> Iterator[tuple[str, dict[str, float]]]:
    names = sample(package.ids, arguments.every, arguments.limit)
    for name in watched(names, len(names), package.name):
        entry = package.entry(name)
        document = Document.parse(Page(entry.body, entry.url))
        stages = list(_stages(document, extractor.extract(document)))
        yield name, lost_recall(document, stages, entry.gold)


def _stages(document: Document, extraction: Extraction) -> Iterator[tuple[str, Extraction]]:
    """The steps as they follow each other, with the extraction behind each."""
    whole = completed(document, extraction)
    yield "method", extraction
    yield "copies", whole
    yield "comments", with_records(document, with_purpose(document, whole), Comments.FOLD)
