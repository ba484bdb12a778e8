"""``winnow evaluate PACKAGE --measure confidence``: how far a confidence can be believed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from winnow.command_errors import CommandError
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.measuring.measures import word_f1
from winnow.evaluation.measuring.reliability import Reliability, reliability, reliability_table
from winnow.evaluation.running.progress import watched
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.evaluation.subjects.subject_specs import method_of
from winnow.extractors.auto.auto_model import manifest
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.registry import DEFAULT, make
from winnow.jobs.quality import QualityLimits

NAME = "confidence"


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each extractor; what auto learned from is taken from its manifest."""
    try:
        packages = chosen(arguments)
        for name in arguments.extractor or [DEFAULT]:
            rows = list(_rows(packages, make(method_of(name)), arguments))
            sys.stdout.write(f"{name}\n{reliability_table(rows)}\n")
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    return 0


def _rows(
    packages: list[Package], extractor: Extractor, arguments: argparse.Namespace
) -> Iterator[tuple[str, Reliability]]:
    folds = manifest()["reliability"] if extractor.name == DEFAULT else {}
    for package in packages:
        if package.name in folds:
            yield f"{package.name}, cross-validated", Reliability(**folds[package.name])
        else:
            pages = list(_pages(package, extractor, arguments))
            yield package.name, reliability(pages, QualityLimits().is_sure)


def _pages(
    package: Package, extractor: Extractor, arguments: argparse.Namespace
) -> Iterator[tuple[float, float]]:
    """The confidence and the word F1 of each page."""
    names = package.ids[:: arguments.every][: arguments.limit]
    for name in watched(names, len(names), package.name):
        entry = package.entry(name)
        document = Document.parse(Page(entry.body, entry.url))
        extraction = extractor.extract(document)
        yield (
            extraction.confidence,
            word_f1(text_of_spans(document.text, extraction), entry.gold).f1,
        )
