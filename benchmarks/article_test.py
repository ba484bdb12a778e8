"""``python -m benchmarks.article_test PACKAGE...``: does the article test help methods decide?

Section 4.1 of Pasternack and Roth asks first whether a page contains an article. For each method
and kind of page: how many pages its test refuses; and how often "refused" is right of "no article",
beside what ``auto`` says of the page's kind.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from benchmarks.experiments import loaded
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.packages import PackageEntry
from winnow.evaluation.tables import aligned
from winnow.extractors.article_test import tested
from winnow.extractors.registry import make

METHODS: Final = ("auto", "mss", "simple-mss", "bte", "dsc", "lqf", "crunch", "largest-block")
ARTICLE: Final = "article"
KIND: Final = "auto's kind of page"


def refusals(entries: Iterable[PackageEntry]) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """Pages by kind, and of each method those that it refuses, by kind."""
    pages, refused = Counter[str](), {name: Counter[str]() for name in (*METHODS, KIND)}
    extractors = {name: make(name) for name in METHODS}
    for entry in entries:
        document, kind = Document.parse(Page(entry.body, entry.url)), entry.page_type or ARTICLE
        pages[kind] += 1
        for name, extractor in extractors.items():
            extraction = extractor.extract(document)
            refused[name][kind] += not tested(document, extraction).spans
            refused[KIND][kind] += name == "auto" and extraction.page_type != ARTICLE
    return pages, refused


def report(pages: Mapping[str, int], refused: Mapping[str, Mapping[str, int]]) -> str:
    """A line a method: the share of each kind refused, and the mean of both kinds of right ones."""
    kinds = sorted(pages, key=lambda kind: (kind != ARTICLE, kind))
    lines = []
    for name, found in refused.items():
        shares = [f"{found[kind] / pages[kind]:.1%}" for kind in kinds]
        accepted = 1 - found[ARTICLE] / max(pages[ARTICLE], 1)
        others = sum(pages.values()) - pages[ARTICLE]
        rejected = (sum(found.values()) - found[ARTICLE]) / max(others, 1)
        lines.append((name, *shares, f"{(accepted + rejected) / 2:.1%}"))
    return aligned(("refused", *kinds, "balanced"), lines, 1)


def main(given: Sequence[str] | None = None) -> int:
    """Print the table of the packages together."""
    parser = argparse.ArgumentParser("benchmarks.article_test", description=__doc__)
    parser.add_argument("package", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th page (1)")
    arguments = parser.parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    entries = [entry for package in packages for entry in [*package][:: arguments.every]]
    sys.stdout.write(report(*refusals(entries)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
