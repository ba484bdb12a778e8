"""Who wrote a page, when, and how long it takes to read: in the page's language.

Words and their order are CLDR's (Unicode Technical Standard 35); the calendar is Gregorian.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from babel import Locale
from babel.dates import format_date, format_time, format_timedelta, get_datetime_format

from winnow.document.metadata.date_words import ENGLISH, first_day, locale_of
from winnow.document.metadata.page_metadata import Metadata
from winnow.document.texts.escaping import escape

_BEFORE_ZONE: Final = re.compile(r"\s(?=(?:[+-]\d\d:?\d\d|Z|UTC)$)")
_NEVER: Final = float("inf")
"""No number of minutes is written in hours."""


def byline_line(about: Metadata, minutes: int) -> str:
    """One line of HTML; "" where nothing is known."""
    parts = [escape(about.byline)] if about.byline else []
    if day := day_of(about):
        moment = escape(about.published or about.modified)
        parts.append(f'<time datetime="{moment}"{_in_english(about)}>{escape(day)}</time>')
    if minutes:
        parts.append(f"<span{_in_english(about)}>{escape(_reading_time(about, minutes))}</span>")
    return " · ".join(parts)


def day_of(about: Metadata) -> str:
    """The page's date as its readers write it, "" if it has none."""
    if not about.date:
        return ""
    return format_date(date.fromisoformat(about.date), format="long", locale=_locale(about))


def time_element(written: str, about: Metadata) -> str:
    """A ``<time>`` with a moment as the page's readers write it, else as it is written.

    ``datetime`` only where the day is certain (HTML, 4.5.14).
    """
    iso = iso_of(written, about)
    machine = f' datetime="{iso}"' if iso else ""
    english = _in_english(about) if _moment(written) else ""
    return f"<time{machine}{english}>{escape(moment_of(written, about))}</time>"


def iso_of(written: str, about: Metadata) -> str:
    """A moment, or the one day that a text certainly names, in ISO 8601; else ""."""
    found = _moment(written)
    is_whole = found and found.isoformat()[:10] == written[:10]
    return written if is_whole else first_day(written, about.language)


def moment_of(written: str, about: Metadata) -> str:
    """A day and its time, if it has one, in the page's language; what is no ISO 8601 as it is."""
    if (found := _moment(written)) is None:
        return written
    locale = _locale(about)
    day = format_date(found, format="long", locale=locale)
    if len(written) <= len("2026-01-31"):
        return day
    both = str(get_datetime_format("medium", locale=locale)).replace("'", "")
    time = format_time(found, "short", locale=locale).replace("\u202f", " ")  # old fonts lack it
    return both.replace("{1}", day).replace("{0}", time)


def _moment(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(_BEFORE_ZONE.sub("", written))
    except ValueError:  # written for people already
        return None


def _reading_time(about: Metadata, minutes: int) -> str:
    """In a few words, between which no line breaks."""
    locale = _locale(about)
    if locale.language == ENGLISH:
        return f"{minutes}\u00a0min\u00a0read"
    duration = timedelta(minutes=minutes)
    written = format_timedelta(duration, granularity="minute", threshold=_NEVER, locale=locale)
    return written.replace(" ", "\u00a0")


def _locale(about: Metadata) -> Locale:
    return locale_of(about.language)


def _in_english(about: Metadata) -> str:
    """The attributes of English words in a page whose language CLDR does not have."""
    return about.words.attributes if _locale(about).language == ENGLISH else ""
