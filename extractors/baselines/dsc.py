"""``dsc``: document slope curve (Pinto et al. 2002; Gottron 2007, section 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import prefix_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.tokens import SYMBOL, TAG
from winnow.document.values import Extraction
from winnow.extractors.base import Method, spans_between
from winnow.extractors.explanation import BlockReason, MethodCurve, block_reasons, sampled
from winnow.extractors.parameters import Range, parameter

Flags = npt.NDArray[np.bool_]

_RULE: Final = (
    "{{score:.2f}} of {} tokens around it are tags; areas below {{threshold:.2f}} are kept."
)


@dataclass(frozen=True)
class DocumentSlopeCurve(Method):
    """Plateaus of the curve that counts tags over tokens are main content.

    d(i) counts the tags among the first tokens, symbols left out. Windows of ``window`` tokens
    overlap by half; one is low when its slope is below half the document's. ``patience`` low
    windows in a row open an area at the first of them; as many that are not low close it behind
    its last low window. All areas are content. Gottron gives no window length: of 10 to 60 tokens,
    30 had the best word F1 on newspaper4k-424 and on fundus-publishers, which it was chosen on.
    """

    window: int = parameter(30, Range(2, 100_000))
    patience: int = parameter(3, Range(1, 100_000))
    method: ClassVar[str] = "dsc"
    main_parameter: ClassVar[str] = "window"

    def extract(self, document: Document) -> Extraction:
        """Label the words in all low-slope areas."""
        tokens = document.tokens
        counted = np.flatnonzero(tokens.kind != SYMBOL)
        ranges: list[tuple[int, int]] = []
        for first, last in self.areas(tokens.kind[counted] == TAG):
            inside = counted[first:last]
            inside = inside[tokens.kind[inside] != TAG]
            if len(inside):
                ranges.append((int(tokens.start[inside[0]]), int(tokens.end[inside[-1]])))
        return Extraction(self.name, spans_between(document, ranges))

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """Tags per token in the window around each block's middle, against half of the page's."""
        tokens, blocks = document.tokens, blocks_of(document)
        counted = tokens.kind != SYMBOL
        curve = prefix_sums(tokens.kind[counted] == TAG)
        size = max(len(curve) - 1, 1)
        middle = np.searchsorted(tokens.start[counted], (blocks.start + blocks.end) // 2)
        first = np.clip(middle - self.window // 2, 0, size - 1)
        last = np.clip(first + self.window, 1, size)
        slopes = (curve[np.minimum(last, len(curve) - 1)] - curve[first]) / (last - first)
        limit = float(curve[-1] / size / 2)
        spans, rule = self.extract(document).spans, _RULE.format(self.window)
        return block_reasons(document, spans, rule, slopes, limit)

    def curve(self, document: Document) -> MethodCurve:
        """Tags so far over tokens so far; flat stretches are text."""
        is_tag = document.tokens.kind[document.tokens.kind != SYMBOL] == TAG
        return MethodCurve(
            "Document slope curve",
            "Tags counted along the page: it climbs through markup and is flat in text. "
            "Shaded: the flat areas that dsc takes for content.",
            sampled(np.cumsum(is_tag)),
            tuple((first / len(is_tag), last / len(is_tag)) for first, last in self.areas(is_tag)),
        )

    def areas(self, is_tag: Flags) -> list[tuple[int, int]]:
        """Low-slope areas as half-open ranges of tokens; ``is_tag`` has the shape (tokens,)."""
        size = len(is_tag)
        starts = np.arange(0, max(size - self.window // 2, 1), max(self.window // 2, 1))
        ends = np.minimum(starts + self.window, size)
        curve = prefix_sums(is_tag)
        slopes = (curve[ends] - curve[starts]) / np.maximum(ends - starts, 1)
        low = slopes < curve[-1] / max(size, 1) / 2
        found = plateaus(low.tolist(), self.patience)
        return [(int(starts[first]), int(ends[last])) for first, last in found]


def plateaus(low: Sequence[bool], patience: int) -> list[tuple[int, int]]:
    """First and last window of each area: opened and closed by ``patience`` windows in a row."""
    found: list[tuple[int, int]] = []
    opened, lows, highs = -1, 0, 0
    for index, is_low in enumerate(low):
        lows, highs = (lows + 1, 0) if is_low else (0, highs + 1)
        if opened < 0 and lows == patience:
            opened = index + 1 - patience
        elif opened >= 0 and highs == patience:
            found.append((opened, index - patience))
            opened = -1
    return [*found, (opened, len(low) - 1 - highs)] if opened >= 0 else found
