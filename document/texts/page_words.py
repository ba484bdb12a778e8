"""The words that Winnow writes into a page's text: in the page's language, where we have it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

from winnow.document.texts.page_word_table import LANGUAGES, TRANSLATIONS

_ENGLISH: Final = frozenset({"", "en"})
"""Pages of no declared language are not said to hold words of another one."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """``language``: the page's tag (RFC 5646), of which the primary subtag counts."""

    language: str = ""

    def text(self, english: str, **values: object) -> str:
        """The text in the page's language, else as it is; ``values`` are filled in."""
        column = self._column if english in TRANSLATIONS else -1
        text = TRANSLATIONS[english][column] if column >= 0 else english
        return text.format(**values) if values else text

    def span(self, english: str, **values: object) -> str:
        """The same as markup, its language marked where that is not the page's."""
        text = escape(self.text(english, **values), quote=False)
        return f"<span{self.attributes}>{text}</span>" if self.attributes else text

    @property
    def attributes(self) -> str:
        """``lang`` and ``dir`` for these words: English ones in a page of another language."""
        primary = self._primary
        return "" if primary in _ENGLISH or primary in LANGUAGES else ' lang="en" dir="ltr"'

    @property
    def _primary(self) -> str:
        return self.language.lower().partition("-")[0]

    @property
    def _column(self) -> int:
        """Where the language stands among ``LANGUAGES``; -1 where it does not."""
        primary = self._primary
        return LANGUAGES.index(primary) if primary in LANGUAGES else -1


ENGLISH_WORDS: Final = PageWords()
