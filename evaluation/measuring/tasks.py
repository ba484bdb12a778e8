"""The measure "tasks": what can still be done with a page behind a proxy, and what reads better.

A page's notes say what is ``expected`` (``original`` or ``extracted``) and what it must still hold
(``keeps``, texts or markup). Where they say nothing its structured data do: a price that the page
shows is to be shown, an article is to be extracted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from winnow.document.document import Document
from winnow.document.metadata.fact_values import shows_amount
from winnow.document.values import Page
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.reporting.tables import aligned

ORIGINAL: Final = "original"
_PRICE: Final = re.compile(
    r'"price"\s*:\s*"?(\d[\d.,]*\d|\d)|itemprop="price"[^>]* content="(\d[\d.,]*)"'
)
_ARTICLE: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(?:News)?Article"')
_OFFER: Final = re.compile(r'"@type"\s*:\s*\[?\s*"(?:Aggregate)?Offer"|schema\.org/Offer"')
COLUMNS: Final = ("package", "kind", "pages", "extracted", "tidied", "original", "harm", "idle")


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came back: ``action`` as in Winnow-Action, of another proxy ``changed`` or not."""

    action: str
    body: bytes


Treat = Callable[[PackageEntry], TaskOutcome]


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One page: ``harm`` says which task was lost, ``idle``: it was passed on but reads better."""

    package: str
    page: str
    kind: str
    action: str
    harm: str
    idle: bool


def task_row(package: str, entry: PackageEntry, treat: Treat) -> TaskRow:
    """What became of a page, beside what is expected of it."""
    document, outcome = Document.parse(Page(entry.body, entry.url)), treat(entry)
    price = shown_price(document) if entry.page_type in (None, "product") else ""
    expected = entry.meta.get("expected")
    is_same = outcome.action == ORIGINAL
    harm = "" if is_same else _harm(entry, document, outcome, price)
    if not harm and expected == ORIGINAL and not is_same:
        harm = f"it was {outcome.action}"
    reads = bool(price) or bool(_ARTICLE.search(document.markup))
    reads = expected == "extracted" or (reads and expected != ORIGINAL)
    kind = str(entry.meta.get("kind") or entry.page_type or "")
    return TaskRow(package, entry.id, kind, outcome.action, harm, reads and is_same)


def shown_price(document: Document) -> str:
    """The first price of an offer in the page's structured data that its text shows; "" if none."""
    if not _OFFER.search(document.markup):
        return ""
    found = (first or second for first, second in _PRICE.findall(document.markup))
    return next((price for price in found if shows_amount(price, shown_text(document))), "")


def shown_text(document: Document) -> str:
    """The text that is shown, pieces apart."""
    pieces, shown = document.pieces, ~document.hidden
    bounds = zip(pieces.start[shown].tolist(), pieces.end[shown].tolist(), strict=True)
    return " ".join(document.text[start:end] for start, end in bounds)


def _harm(entry: PackageEntry, document: Document, outcome: TaskOutcome, price: str) -> str:
    shown = Document.parse(Page(outcome.body, entry.url, "utf-8"))
    if _asks_password(document) and not _asks_password(shown):
        return "a password field is lost"
    lost = [kept for kept in entry.snippets("keeps") if kept.encode() not in outcome.body]
    if lost:
        return f"{lost[0]!r} is lost"
    is_lost = price and not shows_amount(price, shown_text(shown))
    return f"the price {price} is lost" if is_lost else ""


def _asks_password(document: Document) -> bool:
    """Whether a field for a password is an element of the page, not of a script's template."""
    return any(
        document.attributes_of(field, {"type"}).get("type", "").strip().lower() == "password"
        for field in document.elements_named("input")
    )


def task_table(rows: Iterable[TaskRow]) -> str:
    """A line for each kind of page of a package, then one for each page that was harmed."""
    listed = list(rows)
    groups = dict.fromkeys((row.package, row.kind) for row in listed)
    lines = [
        _line(group, [row for row in listed if (row.package, row.kind) == group])
        for group in groups
    ]
    harmed = (f"{row.package} {row.page}: {row.harm}" for row in listed if row.harm)
    return "\n".join((aligned(COLUMNS, lines, 2), *harmed))


def _line(group: tuple[str, str], rows: list[TaskRow]) -> list[str]:
    actions = Counter(row.action for row in rows)
    counts: Iterator[int] = (actions[name] for name in COLUMNS[3:6])
    harm, idle = sum(bool(row.harm) for row in rows), sum(row.idle for row in rows)
    return [*group, *map(str, (len(rows), *counts, harm, idle))]
