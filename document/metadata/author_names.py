"""A text that should be an author's name, cleaned of what a site writes around it."""

from __future__ import annotations

import re
from typing import Final

from winnow.document.metadata import byline_words as words
from winnow.document.metadata.date_words import first_date
from winnow.document.texts.short_texts import key_of

LONGEST: Final = 100
"""Longer names (characters) are a page's text."""
_MOST: Final = 10
"""Words of the names of all authors of a page."""
_SIGNS: Final = re.compile(r"[{}<>\[\]=?!:]")
_MARKS: Final = " ,;:*-\u2013\u2014|/\u00b7\u2022@\u2019'\"()"


def cleaned(text: str, language: str = "") -> str:
    """A name without "by", address, date and what a site writes behind it; "" if it is none."""
    name = words.CONTACT.sub("", words.BADGES.sub("", " ".join(text.split())))
    by = by_in(language)
    for _ in range(2):  # "Author: By Jane Doe"
        name = words.AT_START.sub("", name, count=1) if words.AT_START.match(name) else name
        name = name[len(by) :].lstrip() if by and name.lower().startswith(by) else name
    dated = first_date(name, language)
    name = words.ENDS.sub("", name[: dated.start] if dated else name)
    name = words.ROLE.sub("", words.WEEKDAY.sub("", name)).strip(_MARKS)
    return name if _is_name(name) else ""


def by_in(language: str) -> str:
    """The word for "by" in a language where it stands alone before a name, and a blank; or ""."""
    word = words.BY.get(language.lower().split("-")[0])
    return f"{word} " if word else ""


def _is_name(name: str) -> bool:
    """Whether it is short, begins with a letter, and is no address, template or label."""
    return (
        1 < len(name) <= LONGEST
        and len(name.split()) <= _MOST
        and name[0].isalpha()
        and not _SIGNS.search(name)
        and not name.lower().endswith(" by")
        and "://" not in name
        and (" " in name or name.count(".") < 2)
        and key_of(name) not in words.NO_NAMES
    )
