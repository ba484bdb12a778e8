"""Where else an article may rightly begin and end: at its headline, its byline, a closing byline.

Pasternack & Roth 2009, section 4.1: up to six right answers, stretches of the page around the main
text; the shortest is the main text alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.tokens import WORD
from winnow.document.values import Page
from winnow.evaluation.gold.alignment import align
from winnow.evaluation.gold.labelling import ALIGNED
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.words import words
from winnow.extractors.subsequence import Run

Words = list[str]

REACH: Final = 200
"""Words from the main text beyond which a headline's words are another mention of it."""
_BY: Final = frozenset("by von par por di de door af av przez".split())


def interpretations(entry: PackageEntry) -> tuple[str, ...]:
    """The right answers besides the gold: those in the package, and those found on the page.

    None are found where less than 90 % of the gold stands in one stretch of the page.
    """
    given = entry.snippets("variants")
    names = headline_of(entry), bylines_of(entry)
    if not any(names):
        return given
    document = Document.parse(Page(entry.body, entry.url))
    found = align(document, entry.gold)
    if found.share < ALIGNED:
        return given
    return given + tuple(_stretches(entry.gold, *_around(document, found.run), *names))


def _stretches(
    gold: str, before: Words, behind: Words, headline: Words, bylines: Sequence[Words]
) -> Iterator[str]:
    starts = {*_starts(before, headline, bylines), len(before)}
    ends = {*_ends(behind, bylines), 0}
    for start, end in product(starts, ends):
        if (start, end) != (len(before), 0):
            yield " ".join((*before[start:], gold, *behind[:end]))


def headline_of(entry: PackageEntry) -> Words:
    """The words of the headline in the package's notes."""
    return words(str(entry.meta.get("title") or ""))


def bylines_of(entry: PackageEntry) -> list[Words]:
    """The words of each author in the package's notes: ``byline``, ``author`` or ``authors``."""
    given = next(filter(None, map(entry.meta.get, ("byline", "author", "authors"))), None)
    given = given or _nested(entry.meta.get("gold_json"))
    names = given if isinstance(given, list) else str(given or "").split(",")
    return [name for name in (words(str(each)) for each in names) if name]


def _nested(notes: object) -> object:
    return notes.get("authors") if isinstance(notes, dict) else None


def _around(document: Document, run: Run) -> tuple[Words, Words]:
    """The words near before and near behind a run of tokens."""
    at = np.flatnonzero(document.tokens.kind == WORD)
    first, end = np.searchsorted(at, [run.start, run.end]).tolist()
    near = at[max(first - REACH, 0) : first], at[end : end + REACH]
    before, behind = (_words(document, chosen.tolist()) for chosen in near)
    return before, behind


def _words(document: Document, chosen: Sequence[int]) -> Words:
    starts, ends = document.tokens.start, document.tokens.end
    return [document.text[starts[token] : ends[token]].lower() for token in chosen]


def _starts(before: Words, headline: Words, bylines: Sequence[Words]) -> list[int]:
    """Where the nearest headline and the nearest byline start, "By" included."""
    named = _places(before, bylines)
    bylined = [at - 1 if at and before[at - 1] in _BY else at for at in named]
    return [*_places(before, [headline])[-1:], *bylined[-1:]]


def _ends(behind: Words, bylines: Sequence[Words]) -> list[int]:
    """Where the first byline behind ends."""
    first = _places(behind, bylines)[:1]
    return [at + len(name) for at in first for name in bylines if _stands(behind, at, name)][:1]


def _places(text: Words, wanted: Sequence[Words]) -> list[int]:
    """Where one of the wanted runs of words starts, in order."""
    return [at for at in range(len(text)) if any(_stands(text, at, name) for name in wanted)]


def _stands(text: Words, at: int, name: Words) -> bool:
    return bool(name) and text[at : at + len(name)] == name
