"""A page cut into the parts that a reader can keep or drop: each with what became of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Mask, Numbers, range_sums
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.render.added_pieces import with_headline
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Recipe
from winnow.engine.base.overlap import covered, word_offsets
from winnow.engine.base.selector_rules import inside_all
from winnow.engine.pipeline import extracted
from winnow.engine.purpose.tidying import Tidying, tidies
from winnow.extractors.extractor_protocol import Extractor
from winnow.features.why.jobs import RemovalReason
from winnow.features.why.removal_rules import removal_reasons

MOST_PARTS: Final = 1500
_PROSE: Final = 12
"""Words of a block from which on it is a part of its own, unless it is a link left out."""
_BLOCK_LEVEL: Final = np.isin(np.arange(len(tags.NAMES)), list(tags.BLOCK_LEVEL))
_WHOLE: Final = tags.codes_of("html body head")


@dataclass(frozen=True, slots=True)
class PagePart:
    """Neighbouring pieces, all kept or all left out: of an element, or text beside elements.

    ``element``: the block element that it is, or stands in. ``is_element``: it is all of it.
    ``reason``: None of what is kept.
    """

    element: int
    is_element: bool
    first_piece: int
    last_piece: int
    reason: RemovalReason | None


@dataclass(frozen=True, slots=True)
class JudgedBlocks:
    """The blocks of a document after extraction, or after tidying where the recipe says so; every
    array has the shape (blocks,).

    ``shares``: of each one's words, how many were kept; all of a caption or headline that is shown
    beside the text. ``shown``: it holds words and is no hidden one. ``kept``: something of it was
    kept, a picture too.
    """

    document: Document
    extractor: Extractor
    extraction: Extraction
    blocks: Blocks
    shares: Numbers
    shown: Mask
    kept: Mask
    reasons: Sequence[RemovalReason | None]
    words: tuple[int, int]
    """Those kept, and all."""

    @classmethod
    def of(cls, document: Document, recipe: Recipe) -> JudgedBlocks:
        """Raises PipelineError."""
        extractor, extraction = extracted(document, recipe)
        if tidies(extraction, recipe):
            extractor = Tidying(extraction, recipe)
            extraction = extractor.extract(document)
        offsets, blocks = word_offsets(document), blocks_of(document)
        is_kept = covered(offsets, extraction.spans)
        first, last = np.searchsorted(offsets, blocks.start), np.searchsorted(offsets, blocks.end)
        shares = range_sums(is_kept, first, last) / np.maximum(last - first, 1)
        shown = _shown(document, extraction)
        is_shown = np.logical_or.reduceat(shown, blocks.first_piece) if len(blocks) else shown
        shares = np.where((shares == 0) & is_shown, 1, shares)
        kept: Mask = (shares > 0) | is_shown
        dropped = inside_all(document, recipe.drop)
        return cls(
            document,
            extractor,
            extraction,
            blocks,
            shares,
            (last > first) & ~blocks.hidden,
            kept,
            removal_reasons(document, blocks, kept, dropped),
            (int(is_kept.sum()), len(offsets)),
        )

    def parts(self) -> tuple[PagePart, ...]:
        """The parts in document order, at most ``MOST_PARTS``. O(elements + pieces)."""
        elements = [self.part(element) for element in self._elements()]
        inside = self.document.inside(np.array([part.element for part in elements], dtype=np.int64))
        loose = self._loose(inside)
        found = sorted((*elements, *loose), key=lambda part: part.first_piece)
        return tuple(found[:MOST_PARTS])

    def _elements(self) -> Iterator[int]:
        """The outermost block elements that are kept or left out in whole and hold little prose."""
        elements, units = self.document.elements, self._units
        kept = np.repeat(self.kept, self.blocks.last_piece - self.blocks.first_piece)
        first, last = elements.first_piece, elements.last_piece
        is_kept = range_sums(units & kept, first, last)
        is_gone = range_sums(units & ~kept, first, last)
        prose = np.zeros(len(self.document.pieces), dtype=np.int32)
        is_prose = (self.blocks.words >= _PROSE) & (self.kept | (self.blocks.link_density < 0.5))
        prose[self.blocks.first_piece] = is_prose & self.shown
        candidates = ((is_kept > 0) ^ (is_gone > 0)) & (range_sums(prose, first, last) < 2)
        candidates &= _BLOCK_LEVEL[elements.tag] & ~np.isin(elements.tag, list(_WHOLE))
        behind = 0
        for element in candidates.nonzero()[0].tolist():
            if element >= behind:
                behind = int(elements.last[element])
                yield element

    @property
    def _units(self) -> Mask:
        """The pieces that a reader sees something of."""
        document = self.document
        pictures = document.media & ~document.inside_tags("noscript")
        units: Mask = ~document.hidden & ((document.piece_words > 0) | pictures)
        return units

    def part(self, element: int) -> PagePart:
        """An element as a part, whatever is in it."""
        elements = self.document.elements
        first, last = int(elements.first_piece[element]), int(elements.last_piece[element])
        return PagePart(element, True, first, last, self._reason(first, last))

    def _reason(self, first: int, last: int) -> RemovalReason | None:
        """The reason of most words of a range of pieces."""
        begins = self.blocks.first_piece
        low, high = np.searchsorted(begins, (first, last))
        low = min(low, max(int(np.searchsorted(begins, first, side="right")) - 1, 0))
        counts: Counter[RemovalReason] = Counter()
        for block in range(int(low), int(high)):
            if (reason := self.reasons[block]) and not self.blocks.hidden[block]:
                counts[reason] += 1 + int(self.blocks.words[block])
        return counts.most_common(1)[0][0] if counts else None

    def _loose(self, inside: Mask) -> Iterator[PagePart]:
        """What of blocks stands in no part yet."""
        units = self._units & ~inside
        for block in np.unique(self._block_of(units.nonzero()[0])).tolist():
            first, last = int(self.blocks.first_piece[block]), int(self.blocks.last_piece[block])
            yield PagePart(int(self.blocks.element[block]), False, first, last, self.reasons[block])

    def _block_of(self, pieces: Numbers) -> Numbers:
        found: Numbers = np.searchsorted(self.blocks.first_piece, pieces, side="right") - 1
        return found


def _shown(document: Document, extraction: Extraction) -> Mask:
    """The pieces that a reader page shows: captions, the headline and leading pictures too."""
    found = np.zeros(len(document.pieces), dtype=bool)
    if extraction.spans:
        segments = RenderContext.of(document, extraction).complete()[0]
        found[with_headline(document, segments).piece] = True
    return found
