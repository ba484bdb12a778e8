"""Which elements of a page hold a record each: marked as such, numbered, or of one form.

Liu, Grossman and Zhai (Mining Data Records in Web Pages, KDD 2003) compare tag trees; here the
dates say where records are: an element is one where it holds one date, and others of its form one
each.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask, derived
from winnow.engine.records.record_counts import RecordCounts
from winnow.engine.records.record_marks import Mark, RecordMarks

_NUMBERED: Final = re.compile(r"([a-z_-]*?)_?\d+(?:_[a-z]+)?", re.IGNORECASE)
_NEARLY_ALL: Final = 0.9
_HARDLY_LESS: Final = 0.95
Group = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RecordElements:
    """The elements of a document that may hold records; ``among``: pieces that they hold.

    ``stated``: the pieces in which posts begin that the page's structured data state.
    """

    document: Document
    marks: RecordMarks
    among: Mask
    stated: Sequence[int] = ()

    def found(self) -> Group:
        """The elements of the group whose records say most, in document order; () if none."""
        worth = {group: self._worth(group) for group in self._groups() if group}
        best = max(sorted(worth), key=worth.__getitem__, default=())
        if not best or worth[best] <= 0:
            return ()
        if len(best) > 1 and self.document.elements.last[best[0]] > best[-1]:
            best = self._without_thread(best, _HARDLY_LESS * worth[best], worth)
        others = (*self._first(best), *self._comments(best), *self._outside(best))
        return tuple(sorted({*best, *others}))

    def _without_thread(self, best: Group, least: float, worth: Mapping[Group, float]) -> Group:
        """Another group with the same posts, whose first is the first post, not what holds all."""
        apart = (
            group
            for group in sorted(worth)
            if worth[group] >= least
            and {*best[1:]} <= {*group}
            and self.document.elements.last[group[0]] <= group[-1]
        )
        return max(apart, key=worth.__getitem__, default=best)

    def _groups(self) -> Iterator[Group]:
        yield self._marked
        yield from self._numbered()
        yield from self._authored
        yield from self._dated()
        yield self._stated

    def _worth(self, group: Group) -> float:
        """Words outside of links in the records of a group; they count fully where a date and an
        author stand with them, or structured data state half of the posts, and of one alone hardly.
        """
        share = 1.0 if len(group) > 1 else 0.5
        last, authors = self.document.elements.last.data, self._counts.authors_before.data
        worth, own = 0.0, self._own(group)
        certain = sum(stated == 1 for _, _, stated in own)
        is_vouched_for = certain > 1 and 2 * certain >= len(self.stated)
        for element, (words, dates, stated) in zip(group, own, strict=True):
            if len(group) == 1 and not 1 <= dates <= 3:
                return 0.0
            says_who = authors[last[element]] > authors[element]
            says_who |= stated == 1
            dated = 1.0 if is_vouched_for or dates == 1 else 0.9 if dates else 0.1
            worth += words * dated * (1.0 if says_who else 0.5)
        return share * worth

    def _own(self, group: Group) -> list[tuple[int, int, int]]:
        """Of each element words, dates and stated posts that stand in no other one of the group."""
        words, dates = self._counts.words_before.data, self._counts.dates_before.data
        elements, stated = self.document.elements, self.stated
        firsts, behinds = elements.first_piece.data, elements.last_piece.data
        last, own, around = elements.last.data, list[list[int]](), list[int]()
        for at, element in enumerate(group):
            while around and last[group[around[-1]]] <= element:
                around.pop()
            low, high = firsts[element], behinds[element]
            counts = (
                words[high] - words[low],
                dates[last[element]] - dates[element],
                bisect_left(stated, high) - bisect_left(stated, low),
            )
            own.append(list(counts))
            if around:
                own[around[-1]] = [
                    outer - inner for outer, inner in zip(own[around[-1]], counts, strict=True)
                ]
            around.append(at)
        return [(words, dates, stated) for words, dates, stated in own]

    def _outside(self, best: Group) -> list[int]:
        """What holds a stated post each, where it stands in none of the best ones."""
        elements = self.document.elements
        inside = self.document.inside(np.array(best))
        return [
            element
            for element in self._stated
            if not inside[elements.first_piece[element] : elements.last_piece[element]].any()
        ]

    def _comments(self, best: Group) -> list[int]:
        """What is numbered as a comment within the best ones, each with its date."""
        last, known = self.document.elements.last, frozenset(best)
        dates = self._counts.dates_before.data
        steps = np.zeros(len(last) + 1, dtype=np.int64)
        steps[np.array(best) + 1] += 1
        np.subtract.at(steps, last[list(best)], 1)
        inside = steps.cumsum() > 0
        return [
            element
            for group in self._commented
            for element in group
            if inside[element]
            and element not in known
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
        words, dates, _ = self._own((before[-1], *best))[0]
        return before[-1:] if words > 0 and (dates or before[-1] in self._marked) else []

    @derived
    def _counts(self) -> RecordCounts:
        return RecordCounts(self.document, self.marks, self.among)

    # Groups.

    @derived
    def _marked(self) -> Group:
        return self._holding(self.marks.of(Mark.RECORD, 0, len(self.document.elements)))

    @derived
    def _authored(self) -> list[Group]:
        """Elements of one form that name an author in an attribute, and articles."""
        articles = self.document.elements_named("article")
        roles = [at for at, role in self.marks.values("role") if role in {"article", "comment"}]
        return self._of_one_form({*self.marks.names, *articles, *roles})

    def _of_one_form(self, elements: Collection[int]) -> list[Group]:
        forms: dict[str, list[int]] = defaultdict(list)
        for element in sorted(elements):
            forms[self._counts.form(element)].append(element)
        return [self._holding(found) for found in forms.values()]

    def _numbered(self) -> Iterator[Group]:
        """Elements with ids that differ by their numbers alone."""
        yield from self._by_stem.values()

    @derived
    def _commented(self) -> list[Group]:
        return [group for stem, group in self._by_stem.items() if stem.endswith("li comment-")]

    @derived
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
        parent = self.document.elements.parent.data
        for date in self._counts.dates:
            forms[f"{self._counts.form(parent[date])} {self._counts.form(date)}"].append(date)
        for dates in forms.values():
            if len(dates) > 1:
                yield self._around(dates)

    @derived
    def _stated(self) -> Group:
        """Around the beginning of each stated post the highest element without another one."""
        elements, places = self.document.elements, np.array(self.stated, dtype=np.int64)
        found = list[int]()
        for piece in self.stated:
            element = int(self.document.pieces.owner[piece])
            while (outer := int(elements.parent[element])) >= 0:
                ends = (elements.first_piece[outer], elements.last_piece[outer])
                if np.diff(places.searchsorted(ends))[0] > 1:
                    break
                element = outer
            found.append(element)
        return self._holding(sorted(found)) if len(found) > 1 else ()

    def _around(self, dates: Sequence[int]) -> Group:
        """Around each of some dates the highest element of a form that nearly all of them have."""
        chains = [dict(self._holding_one(date, dates)) for date in dates]
        counts = Counter(form for chain in chains for form in chain)
        least = _NEARLY_ALL * max(counts.values())
        common = {form for form, count in counts.items() if count >= least}
        highest = (
            [element for form, element in chain.items() if form in common] for chain in chains
        )
        return self._holding(sorted({min(fit) for fit in highest if fit}))

    def _holding_one(self, date: int, dates: Sequence[int]) -> Iterator[tuple[str, int]]:
        """A date and the elements around it that hold no other one, each with its form."""
        parents, lasts = self.document.elements.parent.data, self.document.elements.last.data
        times, element = Counter[str](), date
        while element > 0:
            if bisect_left(dates, lasts[element]) - bisect_left(dates, element) > 1:
                return
            form = self._counts.form(element)
            times[form] += 1
            yield f"{form} {times[form]}", element
            element = parents[element]

    def _holding(self, elements: Sequence[int]) -> Group:
        """Those that hold some of the pieces that are looked at; never the root."""
        before, found = self._counts.among_before.data, self.document.elements
        firsts, behinds, parents = found.first_piece.data, found.last_piece.data, found.parent.data
        return tuple(
            element
            for element in dict.fromkeys(elements)
            if before[behinds[element]] > before[firsts[element]] and parents[element] >= 0
        )
