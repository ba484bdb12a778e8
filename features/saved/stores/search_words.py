"""Words for SQLite's FTS5: without case and accents; scripts without spaces as pairs of letters.

SQLite's own tokenizers take a Chinese or Thai sentence for one word, and its trigrams find no word
of two letters. So a run of such letters is indexed as its overlapping pairs and its last letter:
``ABC`` as ``AB BC C``. A run that is searched is the phrase of its pairs; a single letter is the
beginning of a pair.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

TOKENIZER: Final = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
"""Vowel signs of Indic and Semitic scripts (M*) are parts of words."""
MOST_WORDS: Final = 20
"""Words of one search."""
UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai and Lao, Burmese, Khmer, Kana, Han."""
_RUN: Final = re.compile(f"[{UNSPACED}]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_PART: Final = re.compile(r'"([^"]*)"?|([^\s"]+)')


def indexed(text: str) -> str:
    """What is given to the index for a text."""
    return _RUN.sub(lambda run: f" {' '.join((*_pairs(run[0]), run[0][-1]))} ", folded(text))


def match_of(query: str) -> str:
    """A search as FTS5's MATCH: all words must be there, in any form that begins so.

    Words in quotation marks must stand together. "" where there is nothing to search for.
    """
    terms = [
        term
        for part in _PART.finditer(folded(query))
        for term in ([_phrase(part[1])] if part[1] is not None else _terms(part[2]))
        if term
    ]
    return " AND ".join(terms[:MOST_WORDS])


def folded(text: str) -> str:
    """A text without case and accents, compatible letters the same (Unicode, NFKC)."""
    text = text.replace("\0", " ")
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", plain)


def _terms(word: str) -> list[str]:
    """The terms of what stands between blanks: each script's part for itself."""
    found, end = [], 0
    for run in _RUN.finditer(word):
        found += [_begins(word[end : run.start()]), _run(run[0])]
        end = run.end()
    return [*found, _begins(word[end:])]


def _begins(word: str) -> str:
    """A term for words that begin so, "" for one without letters.

    One letter stands for itself: half of all words begin with one of five.
    """
    letters = sum(map(str.isalnum, word))
    return f'"{word}"{"*" * (letters > 1)}' if letters else ""


def _run(run: str) -> str:
    return f'"{run}"*' if len(run) == 1 else f'"{" ".join(_pairs(run))}"'


def _phrase(words: str) -> str:
    """Words that stand together; a run at the end may go on."""
    pieces: list[str] = []
    end = 0
    for run in _RUN.finditer(words):
        goes_on = run.end() == len(words)
        last = () if goes_on else (run[0][-1],)
        pieces += [words[end : run.start()], *_pairs(run[0]), *last]
        if goes_on and len(run[0]) == 1:
            return f'"{" ".join((*pieces, run[0]))}"*'
        end = run.end()
    phrase = " ".join((*pieces, words[end:])).strip()
    return f'"{phrase}"' if any(map(str.isalnum, phrase)) else ""


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]
