"""Simple MSS for tag scores from -6 to -1 (section 6.2.2: -4.99 to -2.14 should be as good)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from benchmarks.mss.score_table import table
from winnow.evaluation.mss.folds import articles, scored
from winnow.evaluation.packages import Package
from winnow.extractors.simple_mss import SimpleMss

TAGS: Final = (-6.0, -4.99, -4.5, -4.0, -3.5, -3.25, -3.0, -2.5, -2.14, -1.5, -1.0)


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 by tag score. Every page is parsed once."""
    del arguments
    extractors = {f"simple-mss:{tag}": SimpleMss(tag) for tag in TAGS}
    results = [
        result
        for package, entry in articles(packages)
        for result in scored(package, entry, extractors)
    ]
    return table(results, lambda result: result.package)
