"""The text around the words that a search found, with the words marked. Pure.

SQLite's ``snippet`` would show the text as it is indexed: without case, accents and spaces.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from winnow.features.saved.stores.search_words import MOST_WORDS, UNSPACED

BEFORE: Final = 60
AFTER: Final = 140
"""Characters around the first word."""
FoundText = tuple[tuple[str, bool], ...]
"""Pieces of a text in order, and whether each was searched for."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_PART: Final = re.compile(r'"([^"]*)"?|([^\s"]+)')
_WORD: Final = re.compile(rf"[{UNSPACED}]+|(?:(?![{UNSPACED}])[\w\u0300-\u036f])+")
_ALONE: Final = re.compile(rf"(?![{UNSPACED}])\w")


def found_text(text: str, query: str) -> FoundText:
    """What stands around the first place of a word of the query; () where there is none."""
    wanted = _pattern(query)
    for line in text.split("\n") if wanted else ():
        if wanted and (found := wanted.search(_plain(line))):
            return _around(line, wanted, found.start())
    return ()


def _pattern(query: str) -> re.Pattern[str] | None:
    parts = [
        expression
        for part in _PART.finditer(_plain(query))
        for expression in _expressions(part[1], part[2])
    ]
    return re.compile("|".join(parts[:MOST_WORDS])) if parts else None


def _expressions(phrase: str | None, words: str | None) -> list[str]:
    """A phrase as one expression, each word that stands alone as another."""
    if phrase is None:
        return [_expression(word) for word in _WORD.findall(words or "")]
    together = r"\W*".join(re.escape(word) for word in _WORD.findall(phrase))
    begins = r"(?<!\w)" if _ALONE.match(phrase.strip()) else ""
    return [f"{begins}{together}"] if together else []


def _expression(word: str) -> str:
    """Words that begin so; a letter alone stands for itself (search_words)."""
    if not _ALONE.match(word):
        return re.escape(word)
    rest = r"(?!\w)" if len(word) == 1 else r"\w*"
    return rf"(?<!\w){re.escape(word)}{rest}"


def _around(line: str, wanted: re.Pattern[str], start: int) -> FoundText:
    """The pieces of a line around a place of its plain form."""
    first = max(_place(line, start) - BEFORE, 0)
    first = line.rfind(" ", 0, first) + 1 if line.rfind(" ", 0, first) > first - BEFORE else first
    shown = line[first : first + BEFORE + AFTER + BEFORE]
    cut = first + len(shown) < len(line)
    if cut and " " in shown[BEFORE + AFTER :]:
        shown = shown[: shown.rindex(" ")]
    pieces, end = [("…", False)] if first else [], 0
    for found in wanted.finditer(_plain(shown)):
        begin, past = _place(shown, found.start()), _place(shown, found.end())
        pieces += [(shown[end:begin], False), (shown[begin:past], True)]
        end = past
    pieces += [(shown[end:], False), ("…" if cut else "", False)]
    return tuple(piece for piece in pieces if piece[0])


def _place(text: str, plain: int) -> int:
    """Where the character stands that an offset of the plain form belongs to."""
    if text.isascii():
        return plain
    for place, letter in enumerate(text):
        if plain <= 0 and _plain(letter):
            return place
        plain -= len(_plain(letter))
    return len(text)


def _plain(text: str) -> str:
    """Without case and accents, as the index; each letter for itself."""
    if text.isascii():
        return text.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
