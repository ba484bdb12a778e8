"""``python -m benchmarks.crf PACKAGE...``: the CRF cross-validated, with and without its chain.

Each document is judged by a model of the other folds' documents; the shipped model stands beside,
where it was not trained on the package. CleanEval's text-only score, and word F1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.experiments import loaded
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.crf_examples import crf_example
from winnow.evaluation.measures import alignment, word_f1
from winnow.evaluation.mss.folds import fold_of
from winnow.evaluation.packages import PackageEntry
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.tables import aligned
from winnow.evaluation.words import words
from winnow.extractors.crf.crf_extractor import Crf
from winnow.extractors.crf.crf_training import CrfExample, learn


class CrfScore(NamedTuple):
    """A page's text-only score and word F1."""

    text_only: float
    word: float


def cross_validated(
    entries: Sequence[PackageEntry], folds: int, *, chain: bool = True, by_site: bool = False
) -> list[CrfScore]:
    """Each entry by a model of the other folds; without a chain in training and use.

    ``by_site``: all pages of a site are in one fold.
    """
    placed = [fold_of(entry, folds) if by_site else at % folds for at, entry in enumerate(entries)]
    examples = [crf_example(entry) for entry in entries]
    found = []
    for fold in range(folds):
        rest = [each for place, each in zip(placed, examples, strict=True) if place != fold]
        tested = [each for place, each in zip(placed, entries, strict=True) if place == fold]
        found += _tested(rest, tested, chain) if tested else []
    return found


def _tested(
    examples: Sequence[CrfExample], entries: Sequence[PackageEntry], chain: bool
) -> list[CrfScore]:
    with TemporaryDirectory() as folder:
        learn(examples, {}, chain=chain).save(Path(folder))
        extractor = Crf(chain=chain, model=folder)
        return [scored(extractor, entry) for entry in entries]


def scored(extractor: Crf, entry: PackageEntry) -> CrfScore:
    """An extractor's scores of a page."""
    document = Document.parse(Page(entry.body, entry.url))
    text = text_of_spans(document.text, extractor.extract(document))
    only = alignment(words(text), words(entry.gold))
    return CrfScore(only, word_f1(text, entry.gold).f1)


def main(given: Sequence[str] | None = None) -> int:
    """Print a line a variant."""
    parser = argparse.ArgumentParser("benchmarks.crf", description=__doc__)
    parser.add_argument("package", nargs="+")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="by document (5)")
    parser.add_argument("--by-site", action="store_true", help="folds by site instead")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th page (1)")
    arguments = parser.parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    entries = [entry for package in packages for entry in [*package][:: arguments.every]]
    by_site = arguments.by_site
    lines = [
        _line(title, cross_validated(entries, arguments.folds, chain=chain, by_site=by_site))
        for title, chain in (("cross-validated", True), ("without the chain", False))
    ]
    if not Crf().training_packages.keys() & {package.name for package in packages}:
        lines.append(_line("shipped model", [scored(Crf(), entry) for entry in entries]))
        alone = Crf(chain=False)
        lines.append(_line("shipped, weights alone", [scored(alone, entry) for entry in entries]))
    sys.stdout.write(aligned((f"{len(entries)} pages", "text-only", "word F1"), lines, 1) + "\n")
    return 0


def _line(title: str, found: Sequence[CrfScore]) -> tuple[str, str, str]:
    only, word = (fmean(column) for column in zip(*found, strict=True))
    return title, f"{100 * only:.2f}", f"{100 * word:.2f}"


if __name__ == "__main__":
    sys.exit(main())
