"""The segments of a document that an extraction's spans select: ranges, elements, markup.

All renderers start here, so that they agree on what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document import words
from winnow.document.arrays import Ints, Pieces, some
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.values import Extraction, Label
from winnow.document.visibility.chaff import chaff_of

Mask = npt.NDArray[np.bool_]
_compiled: Any = optional_module("winnow.document.parsing._scan")

LABELS: Final = tuple(Label)
"""Label by its code in ``Segments.label``."""
_IS_CELL: Final = tags.table_of("td th")
_IS_ROW: Final = tags.table_of("tr")
_IS_NO_MEDIUM: Final = ~np.isin(np.arange(len(tags.NAMES)), list(tags.MEDIA))
_RUN: Final = 4
"""Words in a row by which a hidden copy is known."""
_CODES: Final = {label: code for code, label in enumerate(LABELS)}
HIDDEN_SHARE: Final = 0.5
"""Where more than this share of the selected text is hidden, a script would have revealed it."""


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The selected stretches in document order, k of them; every array has the shape (k,).

    ``piece``: index of the piece each is cut from. ``start``, ``end``: offsets in the text.
    ``gap``: the strongest edge (tags.SEPARATORS) between the segment before and this one, dropped
    text included. ``label``: code in LABELS.
    """

    piece: Ints
    start: Ints
    end: Ints
    gap: Ints
    label: Ints

    def __len__(self) -> int:
        return len(self.piece)

    def only(self, mask: Mask, document: Document) -> Segments:
        """The segments of the mask, with the gaps between them computed again."""
        piece, start, end = self.piece[mask], self.start[mask], self.end[mask]
        gap = gaps(document.pieces, piece, start, end)
        return Segments(piece, start, end, gap, self.label[mask])

    def joined(self, mask: Mask) -> Segments:
        """The segments of the mask, parted as they were: what goes between two leaves no space."""
        chosen = mask.nonzero()[0]
        gaps = np.maximum.reduceat(self.gap, np.append(0, chosen[:-1] + 1))[: len(chosen)]
        return Segments(self.piece[mask], self.start[mask], self.end[mask], gaps, self.label[mask])


def select(document: Document, extraction: Extraction) -> Segments:
    """Cut the spans into segments of pieces; what nobody sees goes, but for what a script would
    reveal.

    O(pieces + spans). Raises nothing: spans that reach beyond the text are cut off.
    """
    bounds = [(span.start, span.end, _CODES[span.label]) for span in extraction.spans]
    spans = np.array(bounds, dtype=np.int32).reshape(-1, 3).T.copy()
    piece, start, end, label = cut(document.pieces.start, document.pieces.end, *spans)
    hidden = document.hidden[piece]
    if some(hidden):
        seen = ~hidden | _is_revealed(document, piece, hidden)
        piece, start, end, label = (row[seen] for row in (piece, start, end, label))
    return Segments(piece, start, end, gaps(document.pieces, piece, start, end), label)


def _is_revealed(document: Document, piece: Ints, hidden: Mask) -> Mask:
    """Which of the hidden pieces a script would reveal: code, and the text of a page of which most
    is hidden, but nothing of which most stands in what is shown."""
    lengths, code = document.piece_lengths[piece], document.inside_tags("pre")[piece] & hidden
    is_most = lengths[hidden].sum() > HIDDEN_SHARE * lengths.sum()
    found = np.zeros_like(hidden)
    for part in (code, hidden & ~code) if is_most else (code,):
        if some(part) and not _is_copy(document, piece[part]):
            found |= part
    return found


def _is_copy(document: Document, hidden: Ints) -> bool:
    """Whether most of what some pieces say stands in what is shown."""
    shown = set(_runs_of_words(document, np.flatnonzero(~document.hidden).astype(np.int32)))
    mine = list(_runs_of_words(document, hidden))
    return 2 * sum(run in shown for run in mine) > len(mine)


def _runs_of_words(document: Document, pieces: Ints) -> Iterator[tuple[str, ...]]:
    """The words of some pieces, so many in a row."""
    starts, ends = document.pieces.start[pieces].tolist(), document.pieces.end[pieces].tolist()
    texts = (document.plain(start, end) for start, end in zip(starts, ends, strict=True))
    words = " ".join(texts).split()
    return (tuple(words[at : at + _RUN]) for at in range(max(len(words) - _RUN + 1, 1)))


def selected(document: Document, extraction: Extraction) -> Segments:
    """``select`` without controls and labels, unless the extraction says itself what goes."""
    segments = select(document, extraction)
    if extraction.edited or extraction.edits or not segments.piece.size:
        return segments
    chaff = chaff_of(document)[segments.piece]
    return segments.only(~chaff, document) if some(chaff) else segments


def _cut_compiled(begins: Ints, ends: Ints, starts: Ints, stops: Ints, codes: Ints) -> Ints:
    found = _compiled.cut(begins, ends, starts, stops, codes)
    return np.frombuffer(found, dtype=np.int32).reshape(4, -1)


def cut_in_python(begins: Ints, ends: Ints, starts: Ints, stops: Ints, codes: Ints) -> Ints:
    """The stretches of pieces, which begin and end there, that spans cover: piece, start, end and
    code of each; shape (4, stretches)."""
    rows = [
        (piece, max(begins[piece], start), min(ends[piece], stop), code)
        for start, stop, code in zip(starts, stops, codes, strict=True)
        for piece in range(ends.searchsorted(start, side="right"), begins.searchsorted(stop))
    ]
    return np.array(rows, dtype=np.int32).reshape(-1, 4).T


cut = loop(_compiled and _cut_compiled, cut_in_python)


def _gaps_compiled(pieces: Pieces, piece: Ints, start: Ints, end: Ints) -> Ints:
    found = _compiled.gaps(pieces.gap, pieces.start, pieces.end, piece, start, end)
    return np.frombuffer(found, dtype=np.int32)


def gaps_in_python(pieces: Pieces, piece: Ints, start: Ints, end: Ints) -> Ints:
    """The strongest edge in front of each segment; where text was dropped, at least a space."""
    found = np.zeros(len(piece), dtype=np.int32)
    for at in range(1, len(piece)):
        before, here = piece[at - 1], piece[at]
        ends_there = end[at - 1] == (start[at] if here == before else pieces.end[before])
        is_next = here == before + 1 and start[at] == pieces.start[here]
        edge = tags.INLINE if ends_there and (here == before or is_next) else tags.SPACE
        found[at] = max((edge, *pieces.gap[before + 1 : here + 1]))
    return found


gaps = loop(_compiled and _gaps_compiled, gaps_in_python)


def holding(document: Document, segments: Segments) -> Mask:
    """Which elements to show: those that hold a segment, and the empty ones amid selected text.

    A cell is shown whenever its row is, so that columns stay in line. Media are no elements here:
    they are segments. Shape (elements,).
    """
    elements = document.elements
    is_selected = np.zeros(document.pieces.start.size + 2, dtype=np.bool_)
    is_selected[segments.piece + 1] = True
    before = is_selected.cumsum(dtype=np.int32)
    first, behind = elements.first_piece, elements.last_piece
    found = before[behind] > before[first]
    found |= (first == behind) & is_selected[first] & is_selected[first + 1]
    cells = _IS_CELL[elements.tag].nonzero()[0]
    if len(cells):
        rows = elements.parent[cells]
        found[cells] |= _IS_ROW[elements.tag[rows]] & found[rows]
    found &= _IS_NO_MEDIUM[elements.tag]
    return found


def is_cut(document: Document, segments: Segments) -> Mask:
    """Which segments are not as they stand in the page's markup; shape (k,)."""
    pieces = document.pieces
    cut: Mask = segments.start != pieces.start[segments.piece]
    cut |= segments.end != pieces.end[segments.piece]
    cut |= _is_raw(document, segments)
    return cut


class SegmentMarkup:
    """The markup of each segment of ``segments``, which are numbered from 0."""

    def __init__(self, document: Document, segments: Segments) -> None:
        pieces = document.pieces
        self._markup, self._text = document.markup, document.text
        self._rows = list(
            zip(
                is_cut(document, segments).tolist(),
                _is_raw(document, segments).tolist(),
                pieces.source_start[segments.piece].tolist(),
                pieces.source_end[segments.piece].tolist(),
                segments.start.tolist(),
                segments.end.tolist(),
                strict=True,
            )
        )

    def __getitem__(self, segment: int) -> str:
        """Escaped text: a whole piece with its white space as it stands, a part of one without."""
        is_cut, is_raw, source_start, source_end, start, end = self._rows[segment]
        if not is_cut:
            return self._markup[source_start:source_end]
        if is_raw:  # the serialiser did not escape it
            return escape(self._markup[source_start:source_end], quote=False)
        return escape(self._text[start:end], quote=False)


def cut_markup(document: Document, segments: Segments, cut: Mask) -> dict[int, str]:
    """The markup of those segments that are cut (``is_cut``), by their index."""
    if not some(cut):
        return {}
    sources = SegmentMarkup(document, segments)
    return {index: sources[index] for index in cut.nonzero()[0].tolist()}


def _is_raw(document: Document, segments: Segments) -> Mask:
    return document.inside_tags("xmp")[segments.piece]


def words_of(document: Document, segments: Segments) -> int:
    """How many words are selected; those of whole pieces are counted already."""
    pieces = document.pieces
    is_part = segments.start != pieces.start[segments.piece]
    is_part |= segments.end != pieces.end[segments.piece]
    if not some(is_part):
        return int(document.piece_words[segments.piece].sum())
    found, _ = words.piece_counts(document.text, segments.start, segments.end)
    return int(found.sum())
