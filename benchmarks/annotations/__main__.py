"""``python -m benchmarks.annotations DIR``: 198 pages of wcxb-dev, labelled anew by two annotators.

Writes each one's labels, and the given gold of those pages, as packages for ``winnow evaluate``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from benchmarks.annotations.offsets import ANNOTATORS, DATA, marked, read
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import Package, PackageEntry, find, load

WCXB: Final = "wcxb-dev"
GIVEN: Final = "given-gold"
Golds = dict[str, list[PackageEntry]]
"""By annotator, or GIVEN: the entries with that gold."""


def main(arguments: list[str]) -> int:
    """Write the packages."""
    try:
        (out,) = map(Path, arguments)
        package = load(find(WCXB))
        for name, entries in all_golds(package).items():
            write_package(out / name, {**package.description, "name": name}, entries)
    except (PackageError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def all_golds(package: Package) -> Golds:
    """The pages that both annotated, whose text is today what they saw; says which is not."""
    pages = {who: {page.name: page for page in read(DATA / f"{who}.json")} for who in ANNOTATORS}
    golds: Golds = {who: [] for who in (*ANNOTATORS, GIVEN)}
    for name in sorted(set.intersection(*(set(each) for each in pages.values()))):
        entry = package.entry(name)
        try:
            of_page = {who: marked(pages[who][name], entry) for who in ANNOTATORS}
        except PackageError as error:
            sys.stderr.write(f"Left out: {error}\n")
            continue
        for who, found in {**of_page, GIVEN: entry}.items():
            golds[who].append(found)
    return golds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
