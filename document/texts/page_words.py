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
        text = TRANSLATIONS[english][self._column] if self._is_known(english) else english
        return text.format(**values) if values else text

    def span(self, english: str, **values: object) -> str:
        """The same as markup, its language marked where that is not the page's."""
        text = escape(self.text(english, **values), quote=False)
        return f"<span{self.attributes}>{text}</span>" if self.attributes else text

    @property
    def attributes(self) -> str:
        """``lang`` and ``dir`` for these words: English ones in a page of another language."""
        known = self._primary in _ENGLISH or self._column >= 0
        return "" if known else ' lang="en" dir="ltr"'

    def _is_known(self, english: str) -> bool:
        return self._column >= 0 and english in TRANSLATIONS

    @property
    def _primary(self) -> str:
        return self.language.lower().partition("-")[0]

    @property
    def _column(self) -> int:
        """Where the language stands among ``LANGUAGES``; -1 where it does not."""
        return LANGUAGES.index(self._primary) if self._primary in LANGUAGES else -1


ENGLISH_WORDS: Final = PageWords()
