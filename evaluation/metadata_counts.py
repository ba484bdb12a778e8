"""How well title, byline and date of pages are found, beside those that a package's notes hold.

A wrong value and one where the page has none are counted apart from a missing one: to show nothing
is the lesser fault.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from winnow.evaluation.measures import Values
from winnow.evaluation.statistic import means
from winnow.evaluation.tables import aligned

_VERDICTS: Final = ("exact", "wrong", "missing", "spurious")
_ROWS: Final = (
    ("title", "exact"),
    *((fact, verdict) for fact in ("byline", "date") for verdict in _VERDICTS),
)
_BETWEEN_NAMES: Final = re.compile(r"[,;&]|\band\b")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a subject or a package's notes say of a page; "" where they say nothing.

    ``date`` is a calendar date (ISO 8601, of which a package may have the year and month alone).
    """

    title: str = ""
    byline: str = ""
    date: str = ""


def noted_facts(notes: Mapping[str, object]) -> PageFacts:
    """The facts in a package's notes: ``title``, ``author``, ``date``."""
    return PageFacts(*(_text(notes.get(name)) for name in ("title", "author", "date")))


def metadata_values(answer: PageFacts, gold: PageFacts) -> Values:
    """One page's values in 0..1; the mean of each over those pages that have it is its share.

    ``title.exact``; where gold has a byline, ``byline.exact``, ``byline.wrong`` and
    ``byline.missing``, else ``byline.spurious``; for the date likewise. Letters and digits alone
    count, authors in any order.
    """
    values = {"title.exact": float(_key(answer.title) == _key(gold.title))} if gold.title else {}
    values |= _compared(
        "byline", answer.byline, gold.byline, _names(answer.byline) == _names(gold.byline)
    )
    is_day = bool(gold.date) and answer.date.startswith(gold.date)
    return values | _compared("date", answer.date, gold.date, is_day)


def metadata_table(package: str, found: Mapping[str, Sequence[Values]]) -> str:
    """A line for each fact and verdict, a column for each subject; "" where notes have none."""
    shares = {name: means(values) for name, values in found.items()}
    lines = [
        [
            package,
            fact,
            verdict,
            *(f"{share.get(f'{fact}.{verdict}', 0.0):.3f}" for share in shares.values()),
        ]
        for fact, verdict in _ROWS
    ]
    is_noted = any(value for share in shares.values() for value in share)
    return aligned(["package", "fact", "verdict", *found], lines, 3) if is_noted else ""


def _compared(name: str, answer: str, gold: str, is_exact: bool) -> dict[str, float]:
    if not gold:
        return {f"{name}.spurious": float(bool(answer))}
    return {
        f"{name}.exact": float(is_exact),
        f"{name}.wrong": float(bool(answer) and not is_exact),
        f"{name}.missing": float(not answer),
    }


def _names(byline: str) -> frozenset[str]:
    return frozenset(filter(None, map(_key, _BETWEEN_NAMES.split(byline))))


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
