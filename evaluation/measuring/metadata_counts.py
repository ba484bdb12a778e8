"""How well title, byline and date of pages are found, beside those that a package's notes hold.

A wrong value and one where the page has none are counted apart from a missing one: to show nothing
is the lesser fault.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from winnow.evaluation.measuring.measures import Values
from winnow.evaluation.measuring.statistic import means
from winnow.evaluation.reporting.tables import aligned

_VERDICTS: Final = ("exact", "wrong", "missing", "spurious")
_ROWS: Final = (
    ("title", "exact"),
    *((fact, verdict) for fact in ("byline", "date") for verdict in _VERDICTS),
)
_NAMES_OF: Final = {"title": "title", "byline": "author", "date": "date"}
_NAMES: Final = tuple(_NAMES_OF.values())
"""What notes call these facts."""
_UNKNOWN: Final = "UNKNOWN"
_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\b")
_BETWEEN_NAMES: Final = re.compile(r"[,;&]|\band\b")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a subject or a package's notes say of a page; "" where they say nothing.

    ``date`` is a calendar date (ISO 8601, of which a package may have the year and month alone).
    ``unknown``: names of facts of which notes do not say whether the page has them.
    """

    title: str = ""
    byline: str = ""
    date: str = ""
    unknown: frozenset[str] = field(default=frozenset(), kw_only=True)


def noted_facts(notes: Mapping[str, object]) -> PageFacts:
    """The facts in a package's notes: ``title``, ``author``, ``date``."""
    title, byline, date = (_text(notes.get(name)) for name in _NAMES)
    unknown = (fact for fact, name in _NAMES_OF.items() if notes.get(name, _UNKNOWN) == _UNKNOWN)
    return PageFacts(title, byline, _day(date), unknown=frozenset(unknown))


def metadata_values(answer: PageFacts, gold: PageFacts) -> Values:
    """One page's values in 0..1; the mean of each over those pages that have it is its share.

    ``title.exact``; where gold has a byline, ``byline.exact``, ``byline.wrong`` and
    ``byline.missing``, else ``byline.spurious``; for the date likewise. Letters and digits alone
    count, authors in any order.
    """
    values = {"title.exact": float(_key(answer.title) == _key(gold.title))} if gold.title else {}
    if "byline" not in gold.unknown:
        is_exact = _names(answer.byline) == _names(gold.byline)
        values |= _compared("byline", answer.byline, gold.byline, is_exact)
    if "date" not in gold.unknown:
        is_day = bool(gold.date) and answer.date.startswith(gold.date)
        values |= _compared("date", answer.date, gold.date, is_day)
    return values


def metadata_table(package: str, found: Mapping[str, Sequence[Values]]) -> str:
    """A line for each fact that notes have and verdict, a column for each subject; "" where they
    have none."""
    shares = {name: means(values) for name, values in found.items()}
    noted = {key.partition(".")[0] for share in shares.values() for key in share}
    lines = [
        [
            package,
            fact,
            verdict,
            *(f"{share.get(f'{fact}.{verdict}', 0.0):.3f}" for share in shares.values()),
        ]
        for fact, verdict in _ROWS
        if fact in noted
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


def _day(date: str) -> str:
    """A date without its time; "" of what is no date."""
    if found := _DAY.match(date):
        return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    return "" if date == _UNKNOWN else date


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
