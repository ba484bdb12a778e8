"""Which parts of a page are its main content, as the gold text says.

The gold text has no markup, so it says only which text nodes are main content: those whose words
stand in it, and in the same order. An element is main content if most of its words are, or if it
holds no words and the text right before and right behind it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.evaluation.gold.alignment import aligned
from winnow.evaluation.measuring.words import words

_MOST: Final = 0.8
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class GoldRegion:
    """``texts``: the pieces that are the gold text; ``all``: and media and signs amid them."""

    document: Document
    texts: Mask
    all: Mask

    @classmethod
    def of(cls, document: Document, gold: str) -> GoldRegion:
        """The region that a gold text asks for."""
        texts = gold_pieces(document, gold)
        return cls(document, texts, _with_wordless(document, texts))

    def rest(self) -> GoldRegion:
        """All other texts that a browser shows, with the media amid them; pictures between both
        are in neither."""
        document = self.document
        texts = (document.piece_words > 0) & ~document.hidden & ~self.texts
        return GoldRegion(document, texts, _with_wordless(document, texts))

    def extraction(self) -> Extraction:
        """The extraction that has the region and nothing else."""
        pieces = self.document.pieces
        spans = (Span(int(pieces.start[n]), int(pieces.end[n])) for n in np.flatnonzero(self.all))
        return Extraction("gold", tuple(spans))

    def words_in(self, first: int, behind: int) -> list[str]:
        """The gold words of a range of pieces if they are most of its text, else none."""
        texts = [piece for piece in range(first, behind) if not self.document.media[piece]]
        lengths = self.document.piece_lengths
        gold = [piece for piece in texts if self.texts[piece]]
        if not texts or lengths[gold].sum() < _MOST * lengths[texts].sum():
            return []
        return words_of(self.document, gold)


def gold_pieces(document: Document, gold: str) -> Mask:
    """Which text nodes are the gold text: word by word, and at their place; shape (pieces,).

    A menu or a table of contents repeats headings and is not where they stand: of all places with
    the same words those count that a longest common subsequence with the gold runs through.
    """
    shown = np.flatnonzero(~document.hidden).tolist()
    texts = [words_of(document, [piece]) for piece in shown]
    wanted = words(gold)
    at = np.cumsum([0, *map(len, texts)])
    through = aligned([word for each in texts for word in each], wanted)
    whole = f" {' '.join(wanted)} "
    found = np.zeros(len(document.pieces), dtype=np.bool_)
    for number, (piece, mine) in enumerate(zip(shown, texts, strict=True)):
        there = through[at[number] : at[number + 1]].sum() >= _HALF * len(mine)
        found[piece] = bool(mine) and bool(there) and f" {' '.join(mine)} " in whole
    return found


def words_of(document: Document, pieces: Iterable[int]) -> list[str]:
    """The words of some pieces; a word that goes on behind a tag is two."""
    start, end = document.pieces.start, document.pieces.end
    texts = (document.plain(int(start[piece]), int(end[piece])) for piece in pieces)
    return [word for text in texts for word in words(text)]


def _with_wordless(document: Document, is_gold: Mask) -> Mask:
    """The gold pieces, and media and signs whose nearest texts on both sides are gold.

    Captions that the gold leaves out do not part a picture from the text around it.
    """
    left_out = document.inside_tags("figcaption") & ~is_gold
    counted = (document.piece_words > 0) & ~left_out & ~document.hidden
    texts, others = np.flatnonzero(counted), np.flatnonzero(~counted)
    if not len(texts):
        return is_gold
    behind = np.searchsorted(texts, others)
    before = texts[np.maximum(behind - 1, 0)]
    after = texts[np.minimum(behind, len(texts) - 1)]
    found = is_gold.copy()
    found[others] = is_gold[before] & is_gold[after] & (behind > 0) & (behind < len(texts))
    return found & ~document.hidden & ~left_out
