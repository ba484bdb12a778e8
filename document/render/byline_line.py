"""Who wrote a page, when, and how long it takes to read: in the page's language.

Words and their order are CLDR's (Unicode Technical Standard 35); the calendar is Gregorian.
"""

from __future__ import annotations

from datetime import date, timedelta
from html import escape
from typing import Final

from babel import Locale
from babel.dates import format_date, format_timedelta

from winnow.document.date_words import ENGLISH, locale_of
from winnow.document.metadata import Metadata

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


def _reading_time(about: Metadata, minutes: int) -> str:
    if _locale(about).language == ENGLISH:
        return f"{minutes} min read"
    duration = timedelta(minutes=minutes)
    return format_timedelta(duration, granularity="minute", threshold=_NEVER, locale=_locale(about))


def _locale(about: Metadata) -> Locale:
    return locale_of(about.language)


def _in_english(about: Metadata) -> str:
    """The attributes of English words in a page whose language CLDR does not have."""
    return about.english_attributes if _locale(about).language == ENGLISH else ""
