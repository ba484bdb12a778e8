"""Dates as pages write them: ISO 8601, in digits, and with months in words of any language of CLDR.

Gregorian years from 1900 to 2099, with the day; a year of two digits says too little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from babel import Locale
from babel.core import UnknownLocaleError

ENGLISH: Final = "en"
_CENTURY: Final = (
    r"(?:19|20|\u0661\u0669|\u0662\u0660|\u06f1\u06f9|\u06f2\u06f0|\u0967\u096f|\u0968\u0966)"
)
"""In the digits of Europe, of Arabic, Persian and Hindi."""
_YEAR: Final = rf"(?P<y>{_CENTURY}\d\d)(?!\d)"
_DAY: Final = r"(?<!\d)(?P<d>\d{1,2})"
_ORDINAL: Final = r"(?:st|nd|rd|th|er|re|º|ª|\.|-?(?:го|ви|ри|ти))?"
_OF: Final = r"(?:(?:of|de|del|d['\u2019]|da|den|di|thg|ngày)\b\s*)?"
_NAME: Final = r"(?P<m>[^\W\d_][^\s\d,/()|:;\u2022\u00b7\u22c5\u2013\u2014]{1,17})"
_ERA: Final = r"(?:ค\.ศ\.\s*)?"
_ISO: Final = r"(?P<s>[-/.])\s?(?P<m>\d{1,2})(?P=s)\s?(?P<d>\d{1,2})(?!\d)"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d)(?P<y>{_CENTURY}\d\d){_ISO}",
        rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<m>\d{{1,2}})\s?[月월]\s?(?P<d>\d{{1,2}})\s?[日일]",
        rf"(?<![\d/.-])(?P<a>\d{{1,2}})(?P<s>\u200f?[-/.])\s?(?P<b>\d{{1,2}})(?P=s)\s?{_YEAR}",
        rf"{_DAY}\s+(?:tháng|thg)\s+(?P<m>\d{{1,2}}),?\s+(?:năm\s+)?{_YEAR}",
        rf"{_DAY}{_ORDINAL}[\s,/-]*{_OF}{_NAME}\.?,?[\s/-]+{_OF}{_ERA}{_YEAR}",
        rf"{_NAME}\.?\s+(?P<d>\d{{1,2}}){_ORDINAL},?\s+(?:de\s+)?{_YEAR}",
        rf"(?<!\d){_YEAR}[.,]?[\s-]+(?:m\.\s+)?{_NAME}\.?[\s-]+(?P<d>\d{{1,2}})(?!\d)",
    )
)
_YEARS: Final = re.compile(rf"{_CENTURY}\d\d")
_GLUED: Final = re.compile(r"(?<=[^\W\d_A-Z])[A-Z]\w+$")
"""A name that stands right behind another word, as in "Jane DoeMarch 9, 2026"."""
_AROUND: Final = 32
"""Characters before and behind a year in which its date stands."""
_LOCALES: Final = 64
"""Languages whose words are in memory."""
_TEXTS: Final = 64
"""Texts whose dates are: a page's lines are asked for its author and for its dates."""
_MONTH_FIRST: Final = frozenset({"en-us", "en-ph", "es-us"})


class FoundDate(NamedTuple):
    """A date of a text (ISO 8601, the day alone) and where it stands there."""

    day: str
    start: int
    end: int


def first_day(text: str, language: str = "") -> str:
    """The first date of a text as ISO 8601, "" if there is none that is certain."""
    found = first_date(text, language)
    return found.day if found else ""


def first_date(text: str, language: str = "") -> FoundDate | None:
    """The first date of a text that is certain."""
    found = dates_in(text, language)
    return found[0] if found else None


@lru_cache(maxsize=_TEXTS)
def dates_in(text: str, language: str = "") -> tuple[FoundDate, ...]:
    """The dates of a text in its order; ``language`` is a BCP 47 tag, English is read beside it.

    What could be two dates (3/4/2025 in no known country's English) is none. O(text).
    """
    behind, dates = 0, list[FoundDate]()
    for year in _YEARS.finditer(text):
        if year.start() < behind:
            continue
        start = max(behind, year.start() - _AROUND)
        around = text[start : year.end() + _AROUND]
        found = _date_with(around, year.start() - start, language)
        if found is not None:
            behind = start + found.end
            dates += (FoundDate(found.day, start + found.start, behind),)
    return tuple(dates)


def _date_with(text: str, year: int, language: str) -> FoundDate | None:
    """The date whose year stands at an offset of the text."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if match.start("y") == year and (day := _day_of(match, language)):
                glued = _GLUED.search(match["m"]) if "m" in match.groupdict() else None
                begin = match.start("m") + glued.start() if glued else match.start()
                return FoundDate(day, begin, match.end())
    return None


def _day_of(match: re.Match[str], language: str) -> str:
    groups = match.groupdict()
    if "a" in groups:
        month, day = _ordered(int(groups["a"]), int(groups["b"]), groups["s"][-1], language.lower())
    else:
        named, day = groups["m"], int(groups["d"])
        month = int(named) if named.isdecimal() else _month(named, language)
    try:
        return date(int(groups["y"]), month, day).isoformat()
    except ValueError:  # no month or no day of it
        return ""


def _ordered(first: int, second: int, sign: str, language: str) -> tuple[int, int]:
    """Month and day of two numbers; (0, 0) where either may be the month."""
    if first > 12 or second > 12 or first == second:
        return (second, first) if first > 12 else (first, second)
    if language in _MONTH_FIRST:
        return first, second
    is_known = sign == "." or language not in {"", ENGLISH}
    return (second, first) if is_known else (0, 0)


def _month(name: str, language: str) -> int:
    """The number of a month by its name, 0 if it is none; Hebrew writes "in" before it."""
    glued = _GLUED.search(name)
    key = _key(glued[0] if glued else name)
    for months in (_months(language), _months(ENGLISH)):
        if number := months.get(key) or months.get(key.removeprefix("ב")):
            return number
    return 0


@lru_cache(maxsize=_LOCALES)
def _months(language: str) -> Mapping[str, int]:
    """The numbers of the months by their names in a language: long, short, inflected."""
    locale = locale_of(language)
    names = {
        _key(name): number
        for form in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in locale.months[form][width].items()
    }
    return names | {"sept": 9} if locale.language == ENGLISH else names


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().rstrip("-.\u05f3\u2019'\u0970\u0654")


@lru_cache(maxsize=_LOCALES)
def locale_of(language: str) -> Locale:
    """The locale of a language tag; of one that CLDR does not have, English."""
    for tag in (language, language.split("-", maxsplit=1)[0]):
        try:
            return Locale.parse(tag, sep="-")
        except (ValueError, UnknownLocaleError):  # not its form, or not known
            continue
    return Locale.parse(ENGLISH)
