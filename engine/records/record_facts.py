"""Who wrote a record, when, its number and its body, as the markup within its element says."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np

from winnow.document.arrays import Mask, prefix_sums
from winnow.document.texts.short_texts import key_of, text_inside
from winnow.engine.records.record_dates import DATE, OF_SOMETHING_ELSE, date_in
from winnow.engine.records.record_marks import Mark
from winnow.engine.records.record_names import NUMBER, name_in
from winnow.engine.records.record_pieces import RecordPieces
from winnow.engine.records.stated_posts import StatedPost

_TIMES: Final = ("datePublished", "dateCreated", "commentTime")
_TEXTS: Final = ("text", "articleBody", "reviewBody", "commentText")
_AUTHORS: Final = ("author", "creator")
_MOMENT: Final = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_VOTES: Final = re.compile(r"(-?\d{1,6})(?: points?| votes?)?")
_SHORT: Final = 3
"""Words of a text that may be a name."""
_HEADLINE: Final = 4
"""Words of a block beside who and when where it says no more."""
_MOST: Final = 15
"""Words of an element that says who or when; a longer one holds the text too."""
_LONGEST_FACT: Final = 60
_LONGEST_TITLE: Final = 1000
"""Characters of the page's title in which a text is looked for."""


@dataclass(frozen=True, eq=False)
class RecordFacts(RecordPieces):
    """What a record says. ``stated``: the post that the page's structured data state, which count
    before the markup.
    """

    stated: StatedPost | None = None

    # Who.

    @cached_property
    def author(self) -> str:
        """The name of who wrote it, "" if it is not said."""
        return next(filter(None, map(name_in, self._authors())), "")

    def _authors(self) -> Iterator[str]:
        yield self.stated.author if self.stated else ""
        yield from self._properties(_AUTHORS)
        yield self.marks.names.get(self.element, "")
        for element in self._marked(Mark.AUTHOR):
            if not self._in_body(element):
                yield self._named(element)
        for element in self._marked(Mark.PROFILE):
            if not self._in_body(element):
                yield text_inside(self.document, element)
        yield self._beside_date()
        yield from self._next_to_date()

    def _named(self, element: int) -> str:
        """The text of an element's first link that may be a name, else all of its text."""
        document = self.document
        links = (
            name_in(text_inside(document, inner))
            for inner in range(element + 1, int(document.elements.last[element]))
            if document.name_of(inner) == "a"
        )
        return next(filter(None, links), text_inside(document, element))

    def _beside_date(self) -> str:
        """What stands in the block of the first date, where it is short."""
        blocks = self._blocks
        for piece in self._facts.tolist():
            if DATE.search(self._piece(piece)):
                beside = self._facts[blocks[self._facts] == blocks[piece]].tolist()
                text = " ".join(self._piece(other) for other in beside if other != piece)
                return text if len(text.split()) <= _SHORT else ""
        return ""

    def _next_to_date(self) -> Iterator[str]:
        """The short texts right before and right behind the first date; buttons last."""
        facts = self._facts[~self.document.media[self.first + self._facts]]
        for pieces in (facts[~self._chaff[facts]].tolist(), facts.tolist()):
            dated = [at for at, piece in enumerate(pieces) if date_in(self._piece(piece))]
            for at in (dated[0] - 1, dated[0] + 1) if dated else ():
                text = self._piece(pieces[at]) if 0 <= at < len(pieces) else ""
                is_topic = key_of(text) in key_of(self.document.title[:_LONGEST_TITLE])
                yield text if len(text.split()) <= _SHORT and not is_topic else ""

    # When.

    @cached_property
    def time(self) -> str:
        """When it was written, "" if it is not said."""
        return next(filter(None, self._times()), "")

    def _times(self) -> Iterator[str]:
        yield self.stated.time if self.stated else ""
        yield from self._properties(_TIMES)
        for element in self._moments:
            before = self._piece(self._range(element)[0] - 1)
            if not self._in_body(element) and not OF_SOMETHING_ELSE.search(before[-30:]):
                yield self._moment(element)
        chaff = self._chaff[self._facts]
        for piece in (*self._facts[~chaff].tolist(), *self._facts[chaff].tolist()):
            text = self._piece(piece)
            if len(text) < _LONGEST_FACT and not OF_SOMETHING_ELSE.search(self._piece(piece - 1)):
                yield date_in(text) and self._precise(piece, text)

    @cached_property
    def _moments(self) -> list[int]:
        return sorted({*self._named_elements("time"), *self._marked(Mark.MOMENT)})

    def _moment(self, element: int) -> str:
        attributes = self.document.attributes_of(element, {"datetime", "title"})
        for name in ("datetime", "title"):
            if _MOMENT.match(attributes.get(name, "").strip()):
                return attributes[name].strip()
        text = text_inside(self.document, element)
        return attributes.get("datetime", "").strip() or date_in(text) or text

    def _precise(self, piece: int, text: str) -> str:
        """The date that a text shows; as the element's title has it, if it has one."""
        owner = int(self.document.pieces.owner[self.first + piece])
        title = self.document.attributes_of(owner, {"title"}).get("title", "")
        return " ".join(title.split()) if DATE.search(title) else date_in(text)

    # What.

    @cached_property
    def number(self) -> str:
        """Its number in the thread, "" if it has none."""
        if found := next(self._properties(("position",)), ""):
            return found if found.isdigit() else ""
        numbers = (NUMBER.fullmatch(self._piece(piece)) for piece in self._facts.tolist())
        return next((found[1] for found in numbers if found), "")

    @cached_property
    def votes(self) -> str:
        """How many readers found it good, "" if that is not said."""
        counts = (text_inside(self.document, element) for element in self._marked(Mark.VOTES))
        stated = self.stated.votes if self.stated else ""
        said = (stated, *self._properties(("upvoteCount",)), *counts)
        return next((found[1] for each in said if (found := _VOTES.fullmatch(each.strip()))), "")

    @cached_property
    def is_accepted(self) -> bool:
        """Whether it is marked as the answer that solved the question."""
        return self.element in self.marks.of(Mark.ACCEPTED, self.element, self.element + 1)

    @cached_property
    def body(self) -> Mask:
        """The pieces of what was written: all of it, and nothing around it."""
        own, words = self.own & ~self._chaff, self._words
        least = words[own & ~self.document.linked[self._all] & ~self._headline].sum() / 10
        said = [element for name in _TEXTS for element in self._of_property.get(name, ())]
        for among in (said, self._said()):
            body = own & self._inside(among)
            if body.any() and words[body].sum() >= least and self._has_stated(body):
                return body
        rest = own & ~self._headline
        if self.stated is None or self._has_stated(rest):
            return rest
        return self._holding(self.stated)

    def _has_stated(self, body: Mask) -> bool:
        """Whether the text that is stated, if any, begins among some pieces."""
        return self.stated is None or bool(body[self._begins(self.stated)].any())

    def _begins(self, post: StatedPost) -> list[int]:
        """The pieces of the record in which a stated text begins."""
        low = bisect_left(post.first, self.first)
        high = bisect_left(post.first, self.first + len(self.own))
        return [piece - self.first for piece in post.first[low:high]]

    def _holding(self, post: StatedPost) -> Mask:
        """The record's pieces in the smallest element that holds a stated text."""
        elements = self.document.elements
        first = next(piece for piece in self._begins(post) if self.own[piece])
        last = post.last - self.first
        last = last if 0 <= last < len(self.own) and self.own[last] else first
        element = int(self.document.pieces.owner[self.first + first])
        while self._range(element)[1] <= last and element != self.element:
            element = int(elements.parent[element])
        return self.own & ~self._chaff & self._inside([element])

    @cached_property
    def around_facts(self) -> Mask:
        """All pieces but those that say who and when, and buttons: a review with its rating."""
        return self.own & ~self._headline & ~self._chaff

    def _said(self) -> list[int]:
        """The elements that are named as the text, else the one that holds nearly all of it."""
        own = self.own & ~self._headline & ~self._chaff
        words = prefix_sums(np.where(own, self._words, 0))
        named = self._outermost(
            element
            for element in self._marked(Mark.BODY)
            if _sum(words, self._range(element)) and not self._is_quoted(element)
        )
        if len(named) > 1:
            return named
        inmost = self._inmost(named[0] if named else self.element, words)
        return [self._marked_within(inmost, words)]

    def _marked_within(self, element: int, words: np.ndarray) -> int:
        """The one element within another that is named as the text, where hardly more is around
        it: a heading and who and when."""
        last = self.document.elements.last
        inner = [
            at
            for at in self._marked(Mark.BODY)
            if element < at < last[element] and not self._is_quoted(at)
        ]
        for at in inner:
            said = _sum(words, self._range(at))
            rest = _sum(words, self._range(element)) - said
            if said and rest <= _MOST and all(at <= other < last[at] for other in inner[1:]):
                return self._marked_within(at, words)
        return element

    def _inmost(self, element: int, words: np.ndarray) -> int:
        """The element within one that says who and when which holds nearly all of its words."""
        elements, facts = self.document.elements, prefix_sums(self._headline)
        while True:
            first, behind = self._range(element)
            best, inner = (0, -1), element + 1
            while inner < elements.last[element]:
                low, high = self._range(inner)
                best = max(best, (int(words[high] - words[low]), -inner))
                inner = int(elements.last[inner])
            is_headed = facts[behind] > facts[first]
            if not is_headed or not best[0] or 4 * best[0] < 3 * (words[behind] - words[first]):
                return element
            element = -best[1]

    @cached_property
    def _chaff(self) -> Mask:
        bodies, last = self._marked(Mark.BODY), self.document.elements.last
        found = [
            element
            for element in self._marked(Mark.CHAFF)
            if element != self.element
            and bisect_right(bodies, element) == bisect_left(bodies, int(last[element]))
        ]
        found += [*self._named_elements("button"), *self._marked(Mark.SIGNATURE)]
        return self._inside(found)

    @cached_property
    def _headline(self) -> Mask:
        """The pieces of the blocks that say who and when."""
        pieces, said = self.document.pieces, {*self._marked(Mark.AUTHOR), *self._moments}
        said -= {*self._marked(Mark.BODY)}
        lengths = pieces.end[self._all] - pieces.start[self._all]
        for piece in (self.own & (lengths < _LONGEST_FACT)).nonzero()[0].tolist():
            text = self._piece(piece)
            if date_in(text) == text or NUMBER.fullmatch(text):
                said.add(int(pieces.owner[self.first + piece]))
        total = [0, *accumulate(self._words.tolist())]
        found = self._inside(
            element for element in said if _sum(total, self._range(element)) <= _MOST
        )
        block_of = self.document.elements.block.data
        found[self._all_but_said({block_of[element] for element in said}, found.tolist())] = True
        return found & ~self._quoted

    def _all_but_said(self, blocks: Set[int], facts: Sequence[bool]) -> list[int]:
        """The pieces of blocks that hold hardly a word beside the facts."""
        own, words = self.own.tolist(), self._words.tolist()
        found = [
            (piece, block)
            for piece, block in enumerate(self._blocks.tolist())
            if block in blocks and own[piece]
        ]
        said = dict.fromkeys(blocks, 0)
        for piece, block in found:
            said[block] += 0 if facts[piece] else words[piece]
        return [piece for piece, block in found if said[block] <= _HEADLINE]

    @cached_property
    def _facts(self) -> np.ndarray:
        """The pieces around the body."""
        return (self.own & ~self.body).nonzero()[0]

    def _in_body(self, element: int) -> bool:
        return bool(self.body[slice(*self._range(element))].any())


def _sum(before: np.ndarray | Sequence[int], ends: tuple[int, int]) -> int:
    """The sum over a half-open range, by the sums before each index."""
    return int(before[ends[1]] - before[ends[0]])
