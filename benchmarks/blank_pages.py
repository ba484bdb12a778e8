"""``python -m benchmarks.blank_pages PACKAGE...``: pages of which a reader gets hardly a word.

Each page goes the way of each method, level and profile, chosen for its site and requested
explicitly, and by the default settings. A page that is sent is blank where it shows no word,
and near-blank where it shows fewer than ``extraction.min_words`` and less than half of its words.
Both are counted in the bytes that are sent. Without options every method but vips is tried.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from winnow.compose.factories import recipe_of, treatments_of
from winnow.config.settings import Settings
from winnow.document.document import Document
from winnow.document.values import BAR_MARK, Page, PartLimits, Profile, Recipe, Treatment
from winnow.engine.pipeline import transform
from winnow.evaluation.packages import PackageEntry, found, load
from winnow.evaluation.progress import watched
from winnow.evaluation.tables import aligned
from winnow.extractors.registry import BUILT_IN
from winnow.jobs.job_types import PipelineError
from winnow.jobs.quality import QualityLimits
from winnow.proxy.decisions.preferences import by_level

LEVELS: Final = range(1, 13)
UNCHECKED: Final = frozenset({"vips"})
"""Methods that need a browser for each page."""
COLUMNS: Final = ("way", "pages", "sent", "original", "failed", "blank")
FEWEST: Final = QualityLimits().min_words


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each way; exit 1 where a page that is sent is blank or near-blank."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.blank_pages")
    parser.add_argument("package", nargs="+", help="a folder, a name in $WINNOW_PACKAGES, or all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth page only")
    parser.add_argument("--only", action="append", default=[], metavar="WAY")
    options = parser.parse_args(arguments)
    tried = {name: way for name, way in ways().items() if not options.only or name in options.only}
    counts: dict[str, Counter[str]] = {name: Counter() for name in tried}
    for package in map(load, found(options.package)):
        names = package.ids[:: options.every]
        for page in watched(names, len(names), package.name):
            for name, outcome in outcomes(package.page(page), tried):
                counts[name].update(("pages", outcome))
                if outcome == "blank":
                    sys.stdout.write(f"{package.name} {page}: {name}\n")
    lines = [
        [name, *(str(found[column]) for column in COLUMNS[1:])] for name, found in counts.items()
    ]
    sys.stdout.write(aligned(COLUMNS, lines, 1) + "\n")
    return int(any(found["blank"] for found in counts.values()))


def ways() -> Mapping[str, Recipe]:
    """Each way that a page may go, by what was chosen; in the proxy, so for a browser."""
    settings = Settings()
    usual = replace(recipe_of(settings), live=True, treatments=treatments_of(settings))
    methods = {name: replace(usual, extractor=name) for name in BUILT_IN if name not in UNCHECKED}
    levels = {f"level {number}": _at_level(usual, number) for number in LEVELS}
    profiles = {name.value: replace(usual, profile=name) for name in Profile}
    whole = {"basic, whole": replace(profiles["basic"], part=PartLimits())}
    chosen = {**methods, **levels, **profiles, **whole}
    requested = {f"{name}, requested": replace(way, treatments=()) for name, way in chosen.items()}
    return {"default": usual, **chosen, **requested}


def _at_level(recipe: Recipe, number: int) -> Recipe:
    by = by_level(recipe)
    return replace(by, options=replace(by.options, level=number))


def outcomes(entry: PackageEntry, tried: Mapping[str, Recipe]) -> Iterator[tuple[str, str]]:
    """What becomes of a page on each way: sent, original, failed or blank."""
    page = Page(entry.body, entry.url)
    return ((name, outcome(page, recipe)) for name, recipe in tried.items())


def outcome(page: Page, recipe: Recipe) -> str:
    """What becomes of a page; "failed" is a reason for the original too."""
    try:
        rendered = transform(page, recipe)
    except PipelineError:
        return "failed"
    if rendered.treatment is Treatment.ORIGINAL:
        return "original"
    least = min(FEWEST, max(rendered.words_total // 2, 1))
    return "sent" if min(rendered.words_kept, words_shown(rendered.body)) >= least else "blank"


def words_shown(body: bytes) -> int:
    """The words that a page shows."""
    document = Document.from_html(body.replace(BAR_MARK, b"", 1))
    return int(document.piece_words[~document.hidden].sum())


if __name__ == "__main__":
    sys.exit(main())
