"""Dates and times of day as records show them, in the languages that most pages are written in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_MONTH: Final = (
    r"(?:jan|feb|f[e\u00e9]v|mar|m\u00e4r|apr|a[pv]r|abr|ma[iy]|jun|jui|jul|aug|ago|ao[u\u00fb]|sep|set"
    r"|o[ck]t|out|nov|de[czk]|d[e\u00e9]c|dic|\u044f\u043d\u0432|\u0444\u0435\u0432|\u043c\u0430\u0440"
    r"|\u0430\u043f\u0440|\u043c\u0430\u044f|\u0438\u044e\u043d|\u0438\u044e\u043b|\u0430\u0432\u0433"
    r"|\u0441\u0435\u043d|\u043e\u043a\u0442|\u043d\u043e\u044f|\u0434\u0435\u043a)[^\W\d]*\.?"
)
_UNIT: Final = (
    r"(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mo|years?|yrs?|y)"
)
DATE: Final = re.compile(
    r"\b(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\b\d{1,2}[-/.]\d{1,2}[-/.](?:(?:19|20)\d\d|\d\d)\b"
    rf"|\b{_MONTH},?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?(?:(?:19|20)\d\d|\d{{1,2}}\b)"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?{_MONTH}(?:,?\s+(?:de\s+)?(?:19|20)\d\d)?"
    rf"|\b(?:\d+|an?|one)\s*{_UNIT}\.?\s+ago\b|\b(?:vor|hace|il y a)\s+\w+\s+\w+"
    r"|\b(?:yesterday|today|gestern|heute|hier|ayer|hoy)\b|(?:19|20)\d\d\u5e74\d",
    re.IGNORECASE,
)
OF_SOMETHING_ELSE: Final = re.compile(
    r"join|member since|registered|last (?:seen|active|edited|visit)|edited|modified|birth"
    r"|updated",
    re.IGNORECASE,
)
"""What stands with a date that is not the record's own."""
_SHORT: Final = 60
"""Characters of a text whose date is remembered."""
_BEFORE: Final = re.compile(
    r"^(?:(?:original(?:ly)? )?(?:posted|asked|answered|written|commented|replied|reviewed|said|on"
    r"|am|le|el)\b:?\s*)+",
    re.IGNORECASE,
)


def date_in(text: str) -> str:
    """A text that is hardly more than a date, without what stands around it; "" for others."""
    return _short_date_in(text) if len(text) <= _SHORT else _date_in(text)


@lru_cache(maxsize=1024)
def _short_date_in(text: str) -> str:
    """Several steps ask for the date of the same few texts."""
    return _date_in(text)


def _date_in(text: str) -> str:
    if not DATE.search(text) or OF_SOMETHING_ELSE.search(text):
        return ""
    return _BEFORE.sub("", " ".join(text.split())).strip(" ,|\u00b7\u2022\u00bb-")
