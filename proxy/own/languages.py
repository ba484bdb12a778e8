"""The languages of own pages, bars and errors, and which of them a reader gets."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from winnow.proxy.http.headers import cached_by_text


class Language(StrEnum):
    """The value is the ``lang`` attribute and the name of the catalogue's file."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    PORTUGUESE = "pt"
    CHINESE = "zh"
    JAPANESE = "ja"
    ARABIC = "ar"

    @property
    def direction(self) -> str:
        """The ``dir`` attribute."""
        return "rtl" if self is Language.ARABIC else "ltr"


NAMES: Final = {
    Language.ENGLISH: "English",
    Language.GERMAN: "Deutsch",
    Language.FRENCH: "Français",
    Language.SPANISH: "Español",
    Language.PORTUGUESE: "Português",
    Language.CHINESE: "简体中文",
    Language.JAPANESE: "日本語",
    Language.ARABIC: "العربية",
}
"""Each in its own words."""
CHECKED: Final = frozenset({Language.ENGLISH})
"""Those that a native reader has checked; the language menu marks the others."""
_KNOWN: Final = frozenset(Language)


def choose_language(accept_language: str | None) -> Language:
    """The reader's preferred one (RFC 9110, section 12.5.4); English if none fits."""
    return _best(accept_language or "")


@cached_by_text
def _best(accept_language: str) -> Language:
    ranges = [_range(part) for part in accept_language.split(",")]
    best = sorted((one for one in ranges if one[1] > 0), key=lambda one: -one[1])
    for tag, _ in best:
        primary = tag.partition("-")[0]
        if primary in _KNOWN:
            return Language(primary)
    return Language.ENGLISH


def _range(part: str) -> tuple[str, float]:
    tag, _, parameter = part.strip().partition(";")
    name, _, value = parameter.strip().partition("=")
    if name.strip().lower() != "q":
        return tag.strip().lower(), 1.0 if tag.strip() else 0.0
    try:
        return tag.strip().lower(), float(value)
    except ValueError:
        return tag.strip().lower(), 0.0
