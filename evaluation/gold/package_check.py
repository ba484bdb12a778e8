"""Is a test package sound? What is missing, unreadable, or gold that its own page does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import DESCRIPTION, Package
from winnow.evaluation.measuring.words import words

DESCRIBED = ("name", "language", "licence", "source")
COVERED = 0.5
"""The share of gold's words that the page must hold before the gold is doubted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``grave``: the page cannot be measured; else: its figure should be doubted."""

    where: str
    what: str
    grave: bool = False


def check(package: Package) -> Iterator[Finding]:
    """All findings: the description's first, then in the order of the pages."""
    for key in DESCRIBED:
        if not package.description.get(key):
            yield Finding(DESCRIPTION, f"says no {key}")
    yield from _orphans(package.path, set(package.ids))
    for name in package.ids:
        yield from _of_page(package, name)


def covered(body: bytes, gold: str) -> float:
    """The share of gold's words, counted as often as they occur, that the page's text holds."""
    wanted = Counter(words(gold))
    if not wanted:
        return 1.0
    held = Counter(words(Document.parse(Page(body)).text))
    return (wanted & held).total() / wanted.total()


def _of_page(package: Package, name: str) -> Iterator[Finding]:
    try:
        entry = package.entry(name)
    except PackageError as error:
        yield Finding(name, str(error), grave=True)
        return
    if not entry.body:
        yield Finding(name, "is empty")
    if not (package.path / f"{name}.json").is_file():
        yield Finding(name, "has no notes: url, language and page type are unknown")
    if not entry.gold.strip() and not entry.meta.get("gold_empty"):
        yield Finding(name, "has empty gold: say so with gold_empty in its notes, if it is meant")
    share = covered(entry.body, entry.gold)
    if share < COVERED:
        yield Finding(name, f"holds only {share:.0%} of its gold's words")


def _orphans(folder: Path, ids: set[str]) -> Iterator[Finding]:
    for path in sorted(folder.glob("*.txt")):
        if path.stem not in ids:
            yield Finding(path.name, "has no page beside it", grave=True)
