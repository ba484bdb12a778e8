"""``largest-block``: the longest cell or division (Pasternack & Roth 2009, section 6.2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.values import Extraction
from winnow.extractors.base import Method
from winnow.extractors.explanation import BlockReason, block_reasons

_CONTAINERS = "td th div"


@dataclass(frozen=True)
class LargestBlock(Method):
    """Keeps the table cell or ``<div>`` with the most characters.

    The paper does not say whether a nested cell's text counts for the outer one too. With
    ``nested`` it does, and the outermost container wins on most pages of today; without, each
    character counts for its innermost container only, which is what its heuristic was after.
    """

    nested: bool = False
    method: ClassVar[str] = "largest-block"
    main_parameter: ClassVar[str] = "nested"

    def extract(self, document: Document) -> Extraction:
        """Label the whole of the largest container; all that is shown where there is none."""
        containers, sizes = self._containers(document)
        if not len(containers) or not document.piece_lengths[~document.hidden].any():
            return self.extraction_of(document, ~document.hidden)
        best = containers[int(np.argmax(sizes))]
        return self.extraction_of(document, document.inside(np.array([best])) & ~document.hidden)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The characters of the innermost cell or division around each block."""
        containers, sizes = self._containers(document)
        innermost, elements = np.zeros(len(document.elements) + 1, np.int64), document.elements
        for element, size in zip(containers.tolist(), sizes.tolist(), strict=True):
            innermost[element : elements.last[element]] = size
        kind = "" if self.nested else " of its own"
        rule = (
            f"The cell or division with most text{kind} is kept: {{threshold}} characters. "
            "The innermost one around this block holds {score}."
        )
        scores, most = innermost[blocks_of(document).element], int(sizes.max(initial=0))
        return block_reasons(document, self.extract(document).spans, rule, scores, most)

    def _containers(
        self, document: Document
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The cells and divisions and the characters that count for each."""
        elements = document.elements
        containers = np.flatnonzero(tags.table_of(_CONTAINERS)[elements.tag])
        lengths = np.where(document.hidden, 0, document.piece_lengths)
        first, last = elements.first_piece[containers], elements.last_piece[containers]
        sizes = range_sums(lengths, first, last)
        if not self.nested:
            sizes = _own(containers, elements.last[containers], sizes)
        return containers, sizes


def _own(
    containers: npt.NDArray[np.int64], last: npt.NDArray[np.int32], sizes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Sizes without those of the containers nested directly within."""
    own = sizes.copy()
    open_now: list[int] = []
    for index, element in enumerate(containers.tolist()):
        while open_now and last[open_now[-1]] <= element:
            open_now.pop()
        if open_now:
            own[open_now[-1]] -= sizes[index]
        open_now.append(index)
    return own
