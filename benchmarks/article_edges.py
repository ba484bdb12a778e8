"""``python -m benchmarks.article_edges PACKAGE... [--every N]``: what the steps at the edges of an
article bring (winnow.engine.other_stories, winnow.engine.closing_lines).

Word F1 of the text of `auto` without these steps and with them, compared with each package's gold;
the difference with half its 95 % bootstrap interval, and the pages whose F1 changes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from winnow.document.document import Document
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Page
from winnow.engine.completion import completed
from winnow.evaluation.measures import word_f1
from winnow.evaluation.packages import PackageEntry, found_with_gold, load
from winnow.evaluation.progress import watched
from winnow.evaluation.statistic import paired
from winnow.evaluation.tables import aligned
from winnow.extractors.registry import DEFAULT, make


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each package, and with ``--pages`` one for each page that changes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.article_edges")
    parser.add_argument("package", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    parser.add_argument("--pages", action="store_true", help="the pages that change, too")
    given = parser.parse_args(arguments)
    lines = []
    for package in map(load, found_with_gold(given.package)):
        names = package.ids[:: given.every]
        pages = (package.entry(name) for name in watched(names, len(names), "pages"))
        found = {page.id: scores(page) for page in pages}
        lines.append([package.name, *row(found)])
        if given.pages:
            sys.stdout.writelines(changes(found))
    columns = ["package", "pages", "without", "with", "difference", "±", "better", "worse"]
    sys.stdout.write(aligned(columns, lines, 1) + "\n")
    return 0


def scores(entry: PackageEntry) -> tuple[float, float]:
    """Word F1 of a page without the steps, which need its type, and with them."""
    document = Document.parse(Page(entry.body, entry.url))
    extraction = make(DEFAULT).extract(document)
    without, with_steps = (
        completed(document, each) for each in (replace(extraction, page_type=None), extraction)
    )
    before = _f1(document, without, entry)
    return before, before if with_steps.spans == without.spans else _f1(document, with_steps, entry)


def _f1(document: Document, extraction: Extraction, entry: PackageEntry) -> float:
    return word_f1(RenderContext.of(document, extraction).text(), entry.gold).f1


def row(found: dict[str, tuple[float, float]]) -> list[str]:
    """Pages, both means, their difference and its interval, the pages better and worse."""
    before, after = ({page: both[at] for page, both in found.items()} for at in (0, 1))
    more, number = paired(after, before), max(len(found), 1)
    better, worse = (sum(sign * (b - a) > 0 for a, b in found.values()) for sign in (1, -1))
    means = (f"{sum(each.values()) / number:.4f}" for each in (before, after))
    difference = (f"{more.mean:+.4f}", f"{more.plus_minus:.4f}")
    return [str(len(found)), *means, *difference, str(better), str(worse)]


def changes(found: dict[str, tuple[float, float]]) -> list[str]:
    """A line for each page whose F1 changes."""
    changed = ((page, *both) for page, both in found.items() if both[0] != both[1])
    return [f"{page}\t{before:.3f}\t{after:.3f}\n" for page, before, after in changed]


if __name__ == "__main__":
    sys.exit(main())
