"""Whether posts stand in a reader's page with who wrote them and when, each apart from others."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Final

from winnow.document.document import Document
from winnow.document.metadata.date_words import first_day
from winnow.evaluation.fidelity.gold_region import words_of

_BEFORE: Final = 250
_BEHIND: Final = 60
"""Characters before and behind a post's beginning in which its author and its time stand; all of
what stands before it in its ``<article>``, which may be a long quotation."""
_BEFORE_ZONE: Final = re.compile(r"\s(?=(?:[+-]\d\d:?\d\d|Z)$)")


def day_of(moment: str) -> str:
    """The day of a moment, in UTC where it has a zone: pages state it in one and show another."""
    try:
        found = datetime.fromisoformat(_BEFORE_ZONE.sub("", moment.strip()))
    except ValueError:
        return first_day(moment) or moment
    return (found.astimezone(UTC) if found.tzinfo else found).date().isoformat()


@dataclass(frozen=True, eq=False)
class ShownPosts:
    """The words of a page in a row, the day of each ``<time>`` before its own."""

    document: Document
    _starts: list[int] = field(default_factory=list, init=False)
    _pieces: list[int] = field(default_factory=list, init=False)

    def has(self, text: str, author: str, day: str) -> bool:
        """Whether a post's first words are there with its author's name and its day near them."""
        return any(self._is_signed(at, text, author, day) for at in self._places(text))

    def are_apart(self, texts: Sequence[str]) -> bool:
        """Whether no two posts share an ``<article>``, of those that are there; two must be."""
        among = [self._articles_of(text) for text in texts]
        shown = sorted((articles for articles in among if articles is not None), key=len)
        taken = set[int]()
        for articles in shown:
            free = sorted(articles - taken)
            if not free:
                return False
            taken.add(free[0])
        return len(taken) > 1

    def _is_signed(self, at: int, text: str, author: str, day: str) -> bool:
        article = self._article_at(at)
        first = int(self.document.elements.first_piece[article]) if article >= 0 else -1
        begin = self._starts[self._pieces.index(first)] if first in self._pieces else at
        near = self._row[min(begin, max(at - _BEFORE, 0)) : at + len(text) + _BEHIND]
        return f" {author} " in f" {near}" and day in near

    def _places(self, text: str) -> Iterator[int]:
        at = self._row.find(f" {text} ")
        while at >= 0:
            yield at
            at = self._row.find(f" {text} ", at + 1)

    def _articles_of(self, text: str) -> set[int] | None:
        """The innermost articles around each place of a text; None where it is nowhere."""
        places = list(self._places(text))
        return {self._article_at(at) for at in places} - {-1} if places else None

    def _article_at(self, at: int) -> int:
        piece = self._pieces[max(bisect_right(self._starts, at) - 1, 0)]
        elements = self.document.elements
        around = [
            element
            for element in self._articles
            if elements.first_piece[element] <= piece < elements.last_piece[element]
        ]
        return max(around, default=-1)

    @cached_property
    def _articles(self) -> list[int]:
        return self.document.elements_named("article")

    @cached_property
    def _row(self) -> str:
        document, first = self.document, self.document.elements.first_piece
        days: dict[int, str] = {}
        for element in document.elements_named("time"):
            moment = document.attributes_of(element, {"datetime"}).get("datetime", "")
            days[int(first[element])] = day_of(moment)
        row, length = list[str](), 0
        for piece in range(len(document.pieces)):
            for word in (days.get(piece, ""), *words_of(document, [piece])):
                if word:
                    self._starts.append(length)
                    self._pieces.append(piece)
                    row.append(word)
                    length += len(word) + 1
        return f" {' '.join(row)} "
