"""Which elements of a page hold a record each: marked as such, numbered, or of one form.

Liu, Grossman and Zhai (Mining Data Records in Web Pages, KDD 2003) compare tag trees; here the
dates say where records are: an element is one where it holds one date, and others of its form one
each.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from winnow.document.arrays import Numbers, prefix_sums
from winnow.document.document import Document, Mask
from winnow.engine.record_dates import DATE
from winnow.engine.record_marks import Mark, RecordMarks

_NUMBERED: Final = re.compile(r"([a-z_-]*?)_?\d+(?:_[a-z]+)?", re.IGNORECASE)
_CLASS: Final = re.compile(r' class="\s*([^"\d\s]*)')
_LONGEST_DATE: Final = 60
"""Characters of a text that is hardly more than a date."""
_MOST: Final = 5000
"""Dates that are looked at."""
_NEARLY_ALL: Final = 0.9
Group = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RecordElements:
    """The elements of a document that may hold records; ``among``: pieces that they hold."""

    document: Document
    marks: RecordMarks
    among: Mask

    def found(self) -> Group:
        """The elements of the group whose records say most, in document order; () if none."""
        groups = {group for group in self._groups() if group}
        best = max(sorted(groups), key=self._worth, default=())
        if not best or self._worth(best) <= 0:
            return ()
        return tuple(sorted({*best, *self._first(best), *self._comments(best)}))

    def _groups(self) -> Iterator[Group]:
        yield self._marked
        yield from self._numbered()
        yield from self._authored
        yield from self._dated()

    def _worth(self, group: Group) -> float:
        """Words outside of links in the records of a group; they count fully where a date and an
        author stand with them, and of one alone hardly."""
        share = 1.0 if len(group) > 1 else 0.5
        last = self.document.elements.last
        worth = 0.0
        for element, (words, dates) in zip(group, self._own(group), strict=True):
            if len(group) == 1 and not 1 <= dates <= 3:
                return 0.0
            says_who = self._authors_before[last[element]] > self._authors_before[element]
            dated = 1.0 if dates == 1 else 0.9 if dates else 0.1
            worth += words * dated * (1.0 if says_who else 0.5)
        return share * worth

    def _own(self, group: Group) -> list[tuple[int, int]]:
        """Of each element words and dates that stand in no other one of the group."""
        found, words, dates = self.document.elements, self._words_before, self._dates_before
        own, around = list[list[int]](), list[int]()
        for at, element in enumerate(group):
            while around and found.last[group[around[-1]]] <= element:
                around.pop()
            counts = (
                int(words[found.last_piece[element]] - words[found.first_piece[element]]),
                int(dates[found.last[element]] - dates[element]),
            )
            own.append(list(counts))
            if around:
                own[around[-1]][0] -= counts[0]
                own[around[-1]][1] -= counts[1]
            around.append(at)
        return [(words, dates) for words, dates in own]

    def _comments(self, best: Group) -> list[int]:
        """What is numbered as a comment within the best ones, each with its date."""
        last, dates = self.document.elements.last, self._dates_before
        outer = [(element, int(last[element])) for element in best]
        return [
            element
            for group in self._commented
            for element in group
            if any(first < element < behind for first, behind in outer)
            and element not in best
            and dates[last[element]] - dates[element] == 1
        ]

    def _first(self, best: Group) -> list[int]:
        """The first record, where it is marked in another way than those that answer it."""
        last = self.document.elements.last
        marked = {*self._marked, *(element for group in self._authored for element in group)}
        before = [
            element
            for element in sorted(marked)
            if element < best[0] and (last[element] <= best[0] or last[element] >= last[best[-1]])
        ]
        if not before or before[-1] in best:
            return []
        words, dates = self._own((before[-1], *best))[0]
        return before[-1:] if words > 0 and (dates or before[-1] in self._marked) else []

    # Groups.

    @cached_property
    def _marked(self) -> Group:
        return self._holding(self.marks.of(Mark.RECORD, 0, len(self.document.elements)))

    @cached_property
    def _authored(self) -> list[Group]:
        """Elements of one form that name an author in an attribute, and articles."""
        articles = self.document.elements_named("article")
        roles = [at for at, role in self.marks.values("role") if role in {"article", "comment"}]
        return self._of_one_form({*self.marks.names, *articles, *roles})

    def _of_one_form(self, elements: Collection[int]) -> list[Group]:
        forms: dict[str, list[int]] = defaultdict(list)
        for element in sorted(elements):
            forms[self._form(element)].append(element)
        return [self._holding(found) for found in forms.values()]

    def _numbered(self) -> Iterator[Group]:
        """Elements with ids that differ by their numbers alone."""
        yield from self._by_stem.values()

    @cached_property
    def _commented(self) -> list[Group]:
        return [group for stem, group in self._by_stem.items() if stem.endswith("li comment-")]

    @cached_property
    def _by_stem(self) -> dict[str, Group]:
        stems: dict[str, list[int]] = defaultdict(list)
        for attribute in ("id", "data-post-id", "data-comment-id"):
            for element, value in self.marks.values(attribute):
                if found := _NUMBERED.fullmatch(value):
                    name = self.document.name_of(element)
                    stems[f"{attribute} {name} {found[1]}"].append(element)
        return {stem: self._holding(found) for stem, found in stems.items()}

    def _dated(self) -> Iterator[Group]:
        """The highest elements of one form that hold one date each, for each form of dates."""
        forms: dict[str, list[int]] = defaultdict(list)
        parent = self.document.elements.parent
        for date in self._dates:
            forms[f"{self._form(int(parent[date]))} {self._form(date)}"].append(date)
        for dates in forms.values():
            if len(dates) > 1:
                yield self._around(dates)

    def _around(self, dates: Sequence[int]) -> Group:
        """Around each of some dates the highest element of a form that nearly all of them have."""
        row = np.array(dates)
        chains = [dict(self._holding_one(date, row)) for date in dates]
        counts = Counter(form for chain in chains for form in chain)
        least = _NEARLY_ALL * max(counts.values())
        common = {form for form, count in counts.items() if count >= least}
        highest = (
            [element for form, element in chain.items() if form in common] for chain in chains
        )
        return self._holding(sorted({min(fit) for fit in highest if fit}))

    def _holding_one(self, date: int, dates: Numbers) -> Iterator[tuple[str, int]]:
        """A date and the elements around it that hold no other one, each with its form."""
        elements, times = self.document.elements, Counter[str]()
        element = date
        while element > 0:
            low, high = dates.searchsorted((element, elements.last[element]))
            if high - low > 1:
                return
            form = self._form(element)
            times[form] += 1
            yield f"{form} {times[form]}", element
            element = int(elements.parent[element])

    def _holding(self, elements: Sequence[int]) -> Group:
        """Those that hold some of the pieces that are looked at; never the root."""
        before, found = self._among_before, self.document.elements
        return tuple(
            element
            for element in dict.fromkeys(elements)
            if before[found.last_piece[element]] > before[found.first_piece[element]]
            and found.parent[element] >= 0
        )

    # What is counted.

    def _form(self, element: int) -> str:
        """An element's name and the letters of its first class."""
        elements = self.document.elements
        start, end = int(elements.open_start[element]), int(elements.open_end[element])
        found = _CLASS.search(self.document.markup, start, end)
        return f"{self.document.name_of(element)}.{found[1] if found else ''}"

    @cached_property
    def _dates(self) -> list[int]:
        """The elements that hold a date and hardly more, in document order."""
        document, pieces = self.document, self.document.pieces
        found = set(self.marks.of(Mark.MOMENT, 0, len(document.elements)))
        found.update(document.elements_named("time"))
        short = self.among & (pieces.end - pieces.start <= _LONGEST_DATE)
        for piece in np.flatnonzero(short).tolist()[:_MOST]:
            if DATE.search(document.text, pieces.start[piece], pieces.end[piece]):
                found.add(int(pieces.owner[piece]))
        first, outer, behind = document.elements.first_piece, list[int](), 0
        for element in sorted(found):
            is_among = self.among[first[element] : first[element] + 1].any()
            if element >= behind and is_among:
                outer.append(element)
                behind = int(document.elements.last[element])
        return outer

    @cached_property
    def _dates_before(self) -> Numbers:
        row = np.zeros(len(self.document.elements), dtype=np.int32)
        row[self._dates] = 1
        return prefix_sums(row)

    @cached_property
    def _authors_before(self) -> Numbers:
        size = len(self.document.elements)
        row = np.zeros(size, dtype=np.int32)
        for mark in (Mark.AUTHOR, Mark.PROFILE):
            row[self.marks.of(mark, 0, size)] = 1
        row[list(self.marks.names)] = 1
        return prefix_sums(row)

    @cached_property
    def _among_before(self) -> Numbers:
        return prefix_sums(self.among)

    @cached_property
    def _words_before(self) -> Numbers:
        document = self.document
        return prefix_sums(document.piece_words * (self.among & ~document.linked))
