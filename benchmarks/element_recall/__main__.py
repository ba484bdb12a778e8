"""``python -m benchmarks.element_recall PACKAGE``: what reader pages lose, by kind and extractor.

A line for each extractor, and one for the gold text: what is lost there, the renderer lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.element_recall.measuring import KINDS, Survival, gold_region, page, survival, total
from winnow.document.document import Document
from winnow.evaluation.packages import Package, find, load
from winnow.evaluation.progress import watched
from winnow.extractors import registry

GOLD = "gold"
"""The extraction that the gold text asks for: what is lost then, the renderer lost."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each extractor; exit 1 where a share is below ``--least``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.element_recall")
    parser.add_argument("package")
    parser.add_argument("--extractor", action="append", default=[], metavar="NAME")
    parser.add_argument("--type", action="append", default=[], help="only these page types")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth page only")
    parser.add_argument("--least", type=float, default=0.0, metavar="SHARE")
    options = parser.parse_args(arguments)
    package = load(find(options.package))
    worst = 1.0
    sys.stdout.write("\t".join(("extractor", *KINDS, "all")) + "\n")
    for name in (GOLD, *options.extractor):
        found = _survival(package, name, options.type, options.every)
        worst = min(worst, _share(found))
        cells = (f"{found.share(kind):.3f} of {found.there[kind]}" for kind in KINDS)
        sys.stdout.write("\t".join((name, *cells, f"{_share(found):.4f}")) + "\n")
    return int(worst < options.least)


def _survival(package: Package, name: str, types: Sequence[str], every: int) -> Survival:
    entries = [package.entry(one) for one in package.ids[::every]]
    wanted = [entry for entry in entries if not types or entry.page_type in types]
    return total(
        _of_one(name, entry.gold, page(entry)) for entry in watched(wanted, len(wanted), name)
    )


def _of_one(name: str, gold: str, document: Document) -> Survival:
    if name == GOLD:
        return survival(document, gold, gold_region(document, gold))
    return survival(document, gold, registry.make(name).extract(document))


def _share(found: Survival) -> float:
    there = sum(found.there.values())
    return sum(found.shown.values()) / there if there else 1.0


if __name__ == "__main__":
    sys.exit(main())
