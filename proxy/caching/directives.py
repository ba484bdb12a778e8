"""Cache-Control, dates and ages as numbers: syntax alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import gmtime
from typing import Final

from winnow.proxy.http.headers import Headers, cached_by_text, number

FOREVER: Final = 2**31
"""Seconds that stand for any larger number (RFC 9111, section 1.2.2)."""

_DIRECTIVE: Final = re.compile(r"""([^\s,;="]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?""")
_ESCAPED: Final = re.compile(r"\\.")
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME: Final = r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
_WEEKDAY: Final = "(?:mon|tue|wed|thu|fri|sat|sun)"
_WHOLE_WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATE_FORMS: Final = tuple(
    re.compile(rf"{form}\Z", re.ASCII)
    for form in (
        rf"{_WEEKDAY}, (?P<day>\d\d) {_MONTH} (?P<year>\d{{4}}) {_TIME} gmt",
        rf"{_WHOLE_WEEKDAY}, (?P<day>\d\d)-{_MONTH}-(?P<year>\d\d) {_TIME} gmt",
        rf"{_WEEKDAY} {_MONTH} (?P<day>\d\d| \d) {_TIME} (?P<year>\d{{4}})",
    )
)
"""IMF-fixdate, RFC 850's and asctime's form, in lower case."""
_THIS_YEAR: Final = gmtime().tm_year


@dataclass(frozen=True, slots=True)
class Directives:
    """The directives of Cache-Control; of a repeated one the first counts (RFC 9111, 4.2.1)."""

    values: Mapping[str, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, headers: Headers, name: str = "cache-control") -> Directives:
        """Parse a message's field, all its lines as one list; invalid members are skipped."""
        text = headers.joined(name)
        return _read(text) if text else NONE

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def has_any(self, names: Iterable[str]) -> bool:
        """Whether one of ``names`` is there."""
        return not self.values.keys().isdisjoint(names)

    def seconds(self, name: str) -> int | None:
        """A directive's delta-seconds: None without it, 0 where it is no number."""
        return delta_seconds(self.values[name] or "") if name in self.values else None

    def unqualified(self, name: str) -> bool:
        """Whether a directive stands there without field names."""
        return self.values.get(name, "") is None


NONE: Final = Directives()
"""Those of a message without the field."""


@cached_by_text
def _read(text: str) -> Directives:
    found = _DIRECTIVE.findall(_without_strays(text))
    return Directives({key.lower(): value.strip('"') or None for key, value in reversed(found)})


def _without_strays(text: str) -> str:
    """Without quotes where one is not closed: it would hide the rest of the field."""
    closed = _ESCAPED.sub("", text).count('"') % 2 == 0
    return text if closed else text.replace('"', "")


def delta_seconds(text: str) -> int:
    """Seconds as RFC 9111 writes them; 0 for anything else, since stale is the safe side."""
    return number(text, FOREVER) or 0


def age_of(headers: Headers) -> int:
    """The Age field: the first member that counts; 0 where it says nothing (section 5.1)."""
    return delta_seconds(headers.joined("age").split(",")[0].strip())


@cached_by_text
def date_of(text: str) -> float | None:
    """An HTTP date as seconds since 1970; None for anything else (RFC 9110, section 5.6.7).

    One of its three forms exactly, but for upper and lower case (RFC 9111, section 4.2): what
    looks like a date to people, in another zone say, is none.
    """
    text = text.strip().lower()
    matches = (form.match(text) for form in _DATE_FORMS)
    found = next((match for match in matches if match), None)
    if not found:
        return None
    year, month = _four_digits(found["year"]), _MONTHS.index(found["month"]) + 1
    day, hour, minute, second = (int(found[name]) for name in ("day", "hour", "minute", "second"))
    second -= second == 60  # a leap second, which datetime does not know
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _four_digits(year: str) -> int:
    """The year meant; two digits stand for one at most 50 years from now, else in the past."""
    if len(year) == 4:
        return int(year)
    full = _THIS_YEAR - _THIS_YEAR % 100 + int(year)
    return full - 100 if full > _THIS_YEAR + 50 else full
