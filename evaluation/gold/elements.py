"""What each slot of a page is, title, heading, body or garbage, derived from its gold and title.

The thesis annotates by hand (section 4.1.3), into files that list every text and tail: ``written``
writes such a file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.tokens import WORD
from winnow.document.values import Label, Page
from winnow.evaluation.gold.alignment import aligned
from winnow.evaluation.gold.labelling import ALIGNED, source_of
from winnow.evaluation.gold.labels import gold_by_label
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.words import words
from winnow.extractors.memory.feature_weights import Floats
from winnow.extractors.memory.labelled_instances import BODY, GARBAGE, HEADING, LETTERS, TITLE
from winnow.extractors.memory.memory_training import MemoryExample
from winnow.extractors.memory.text_slots import Slots, slots_of

SHARE: Final = 0.5
"""The share of a line's words that must stand in the gold."""
FOREIGN_WORDS: Final = 8
FOREIGN_SHARE: Final = 0.2
"""Of so many words in one text less than this share is in the gold: it is none of its line."""
PURE: Final = 0.8
"""The share of a title's words that must stand in the page's title, and ..."""
WHOLE: Final = 0.35
"""... the share of that one's that it must have: a page's title names the site, too."""
BONUS: Final = 0.2
"""What it counts for a title to stand in the gold, or in <h1>."""
HEADLINE_WORDS: Final = 25
HEADING_WORDS: Final = 15
"""A line in bold type with more words is a paragraph (the thesis, section 4.1.1)."""

_HEADINGS: Final = "h1 h2 h3 h4 h5 h6"
_BOLD: Final = "b strong"
_ENDS: Final = tuple('.?!…,:;。！？"”»')


@dataclass(frozen=True, slots=True, eq=False)
class ElementAnnotation:
    """A page whose slots are labelled; ``labels`` has the shape (slots,).

    ``share``: of the gold's words, those that stand in a slot labelled title, heading or body.
    """

    document: Document
    slots: Slots
    labels: Ints
    share: float


def annotate(
    document: Document, gold: str, title: str = "", headings: str | None = None
) -> ElementAnnotation:
    """Label every slot, all of a line alike.

    The gold's words are aligned with the page's by a longest common subsequence. A line (what no
    <br> and no block's edge parts) is body if half its words are in it; it is a heading where it
    stands in <h1> to <h6>, or is all in bold type, short and without a full stop. The title is the
    line that has most of the words of ``title``, a page's own, else of the gold's first line; it
    need not stand in the gold. A long text that no word of the gold is in stays garbage.
    ``headings``: where people marked them, one a line; then these lines alone are headings.
    """
    slots = slots_of(document)
    page = _PageWords.of(document)
    wanted = words(gold)
    matched = aligned(page.words, wanted)
    lines = _labels(document, page, matched, headings)
    worth = BONUS * (lines != GARBAGE) + BONUS * _all_of(page, _inside(document, "h1"))
    named = [_title(page, each, worth) for each in (title, _headline(gold))]
    for line in [line for line in named if line >= 0][:1]:
        lines[line] = TITLE
    labels = lines[page.lines]
    labels[(labels == BODY) & _unlike_gold(document, page, matched)] = GARBAGE
    labelled = np.zeros(len(slots), dtype=np.int32)
    real = slots.place >= 0
    labelled[slots.place[real]] = labels[real]
    covered = (matched & (labels[page.piece] != GARBAGE)).sum()
    return ElementAnnotation(document, slots, labelled, float(covered) / max(len(wanted), 1))


def annotated(entry: PackageEntry) -> MemoryExample | None:
    """An entry as a labelled page; None where less than ALIGNED of the gold was found in it."""
    document = Document.parse(Page(entry.body, entry.url))
    given = gold_by_label(entry)
    title = given.get(Label.TITLE.value) or str(entry.meta.get("title") or "")
    found = annotate(document, entry.gold, title, given.get(Label.HEADING.value))
    if found.share < ALIGNED:
        return None
    return MemoryExample.of(document, found.slots, found.labels, entry.id, source_of(entry))


def written(annotation: ElementAnnotation) -> Iterator[str]:
    """The lines of a human annotation file (figure 4.3): the text, then ``#12 <p> text b``."""
    document, slots = annotation.document, annotation.slots
    pieces = document.pieces
    for slot in np.unique(slots.place[slots.place >= 0]).tolist():
        element, tail = divmod(slot, 2)
        at = np.flatnonzero(slots.place == slot).tolist()
        yield " ".join(document.text[pieces.start[one] : pieces.end[one]] for one in at)
        kind, letter = ("tail" if tail else "text"), LETTERS[annotation.labels[slot]]
        yield f"#{element} <{document.name_of(int(slots.elements[element]))}> {kind} {letter}"


@dataclass(frozen=True, slots=True, eq=False)
class _PageWords:
    """The page's words, lower case, and the piece and the line that each stands in.

    ``lines``: the line of each piece, shape (pieces,).
    """

    words: list[str]
    piece: Ints
    lines: Ints

    @classmethod
    def of(cls, document: Document) -> _PageWords:
        tokens, pieces = document.tokens, document.pieces
        at = np.flatnonzero(tokens.kind == WORD)
        start, end = tokens.start[at], tokens.end[at]
        piece = np.searchsorted(pieces.start, start, side="right").astype(np.int32) - 1
        text = document.text
        found = [text[a:b].lower() for a, b in zip(start.tolist(), end.tolist(), strict=True)]
        return cls(found, piece, np.cumsum(pieces.gap >= tags.LINE, dtype=np.int32))

    @property
    def line(self) -> Ints:
        """The line of each word, shape (words,)."""
        return self.lines[self.piece]

    @property
    def number(self) -> int:
        """How many lines there are."""
        return int(self.lines[-1]) + 1 if len(self.lines) else 0


def _labels(document: Document, page: _PageWords, matched: Mask, headings: str | None) -> Ints:
    """Garbage, body or heading: the label of each line, shape (lines,)."""
    total = np.bincount(page.line, minlength=page.number).astype(np.int32)
    found = np.bincount(page.line[matched], minlength=page.number)
    labels = np.where((total > 0) & (found >= SHARE * total), BODY, GARBAGE).astype(np.int32)
    heading = (
        _headings(document, page, total) if headings is None else _given_headings(page, headings)
    )
    labels[heading & (labels == BODY)] = HEADING
    return labels


def _given_headings(page: _PageWords, headings: str) -> Mask:
    """The lines that people called headings."""
    wanted = {tuple(words(line)) for line in headings.splitlines()}
    mine: dict[int, list[str]] = defaultdict(list)
    for word, line in zip(page.words, page.line.tolist(), strict=True):
        mine[line].append(word)
    is_heading = np.zeros(page.number, dtype=bool)
    is_heading[[line for line, each in mine.items() if tuple(each) in wanted]] = True
    return is_heading


def _unlike_gold(document: Document, page: _PageWords, matched: Mask) -> Mask:
    """The pieces with many words and hardly one of the gold; shape (pieces,)."""
    number = len(document.pieces)
    total = np.bincount(page.piece, minlength=number)
    found = np.bincount(page.piece[matched], minlength=number)
    return (total >= FOREIGN_WORDS) & (found < FOREIGN_SHARE * total)


def _headings(document: Document, page: _PageWords, total: Ints) -> Mask:
    """Which lines could be headings, were they in the gold; shape (lines,)."""
    texts = ~document.media
    bold = _all_of(page, _inside(document, _BOLD)) & (total <= HEADING_WORDS)
    last = np.zeros(page.number, dtype=np.int64)
    np.maximum.at(last, page.lines[texts], document.pieces.end[texts])
    closed = [document.text[:end].endswith(_ENDS) for end in last.tolist()]
    open_ended: Mask = bold & ~np.array(closed, dtype=bool)
    return open_ended | _all_of(page, _inside(document, _HEADINGS))


def _inside(document: Document, names: str) -> Mask:
    """The pieces in elements of these names, and media wherever they are; shape (pieces,)."""
    return document.inside_tags(names) | document.media


def _all_of(page: _PageWords, pieces: Mask) -> Mask:
    """The lines all of whose pieces are among these."""
    inside = np.ones(page.number, dtype=bool)
    inside[page.lines[~pieces]] = False
    return inside


def _title(page: _PageWords, title: str, worth: Floats) -> int:
    """The line that best holds the title, -1 if none does; ``worth``: what else speaks for each."""
    wanted = set(words(title))
    mine: dict[int, set[str]] = defaultdict(set)
    for word, line in zip(page.words, page.line.tolist(), strict=True):
        mine[line].add(word)
    best, most = -1, 0.0
    for line, each in mine.items() if wanted else ():
        common = len(each & wanted)
        if common >= PURE * len(each) and common >= WHOLE * len(wanted):
            value = common / len(wanted) + float(worth[line])
            best, most = (line, value) if value > most else (best, most)
    return best


def _headline(gold: str) -> str:
    """The gold's first line of several, where it reads like a headline."""
    line, more, _ = gold.strip().partition("\n")
    named = more and not line.rstrip().endswith(_ENDS) and len(words(line)) <= HEADLINE_WORDS
    return line if named else ""
