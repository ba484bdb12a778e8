"""Why a method kept or dropped each block, in a sentence: the built-in methods' rules by name.

Knows what each method looks at; decides nothing. A method that explains itself is asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np

from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.document.tokens import SYMBOL, TAG, tags_before
from winnow.document.values import Edit, Extraction, Operation
from winnow.engine.attribution import telling
from winnow.engine.feature_names import about
from winnow.extractors.auto.auto_extractor import judge
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.dsc import DocumentSlopeCurve
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.largest_block import LargestBlock
from winnow.extractors.lqf import LinkQuotaFilter
from winnow.extractors.mss.mss_extractors import Mss
from winnow.extractors.simple_mss import SimpleMss

Rules = Callable[[Document, Blocks, Extractor, Extraction], list[str]]


@runtime_checkable
class BlockExplainer(Protocol):
    """An extractor that can say why: one sentence for each block of the document."""

    def explain(self, document: Document, blocks: Blocks) -> Sequence[str]: ...


def rules_of(
    document: Document, blocks: Blocks, extractor: Extractor, extraction: Extraction
) -> list[str]:
    """One sentence a block; "" where there is nothing to say but what the features say."""
    if isinstance(extractor, BlockExplainer):
        return list(extractor.explain(document, blocks))
    method = extractor.name.partition(":")[0]
    return _RULES.get(method, _nothing)(document, blocks, extractor, extraction)


def _nothing(document: Document, blocks: Blocks, _: Extractor, __: Extraction) -> list[str]:
    return [""] * len(blocks)


def _link_quota(
    document: Document, blocks: Blocks, extractor: Extractor, _: Extraction
) -> list[str]:
    threshold = extractor.threshold if isinstance(extractor, LinkQuotaFilter) else 0.5
    lengths = document.piece_lengths
    block = document.elements.block[document.pieces.owner]
    size = len(document.elements)
    every = np.bincount(block, weights=lengths, minlength=size)
    linked = np.bincount(block, weights=np.where(document.linked, lengths, 0), minlength=size)
    quota = (linked / np.maximum(every, 1))[blocks.element]
    return [
        f"{share:.0%} of its characters are in links; above {threshold:.0%} a block goes."
        for share in quota.tolist()
    ]


def _slope(document: Document, blocks: Blocks, extractor: Extractor, _: Extraction) -> list[str]:
    """Tags per token in the window around each block, against half of the page's."""
    window = extractor.window if isinstance(extractor, DocumentSlopeCurve) else 30
    tokens = document.tokens
    counted = tokens.kind != SYMBOL
    starts = tokens.start[counted]
    curve = np.concatenate([[0], np.cumsum(tokens.kind[counted] == TAG)])
    size = max(len(starts), 1)
    middle = np.searchsorted(starts, (blocks.start + blocks.end) // 2)
    first = np.clip(middle - window // 2, 0, size - 1)
    last = np.clip(first + window, 1, size)
    slopes = (curve[np.minimum(last, len(curve) - 1)] - curve[first]) / np.maximum(last - first, 1)
    limit = curve[-1] / size / 2
    return [
        f"{slope:.2f} of {window} tokens around it are tags; areas below {limit:.2f} are kept."
        for slope in slopes.tolist()
    ]


def _scores(document: Document, blocks: Blocks, extractor: Extractor, _: Extraction) -> list[str]:
    tag = extractor.tag if isinstance(extractor, SimpleMss) else -1.0
    gains = document.piece_words + document.piece_symbols
    before, _total = tags_before(document.elements, document.pieces)
    costs = np.diff(before, prepend=0) * -tag
    sums = np.concatenate([[0], np.cumsum(gains)])
    spent = np.concatenate([[0], np.cumsum(costs)])
    gained = sums[blocks.last_piece] - sums[blocks.first_piece]
    paid = spent[blocks.last_piece] - spent[blocks.first_piece]
    return [
        f"Its words score +{gain:g}, the tags in and before it −{cost:g}; "
        "the stretch of the page with the highest sum is kept."
        for gain, cost in zip(gained.tolist(), paid.tolist(), strict=True)
    ]


def _words_and_tags(document: Document, blocks: Blocks, _: Extractor, __: Extraction) -> list[str]:
    before, _total = tags_before(document.elements, document.pieces)
    tags = np.concatenate([[0], np.cumsum(np.diff(before, prepend=0))])
    found = tags[blocks.last_piece] - tags[blocks.first_piece]
    return [
        f"{words} words against {count} tags in and before it; the one stretch with most words "
        "and fewest tags is kept."
        for words, count in zip(blocks.words.tolist(), found.tolist(), strict=True)
    ]


def _largest(
    document: Document, blocks: Blocks, extractor: Extractor, extraction: Extraction
) -> list[str]:
    kind = "" if isinstance(extractor, LargestBlock) and extractor.nested else " of its own"
    kept = sum(span.end - span.start for span in extraction.spans)
    sentence = f"The cell or division with most text{kind} is kept: {kept} characters."
    return [sentence] * len(blocks)


def _crunch(document: Document, blocks: Blocks, _: Extractor, extraction: Extraction) -> list[str]:
    taken = {
        edit.element: edit
        for edit in extraction.edits
        if edit.operation in (Operation.REMOVE, Operation.EMPTY, Operation.REPLACE)
    }
    return [
        _filtered(document, element, taken, extraction.extractor)
        for element in _inner(document, blocks)
    ]


def _inner(document: Document, blocks: Blocks) -> list[int]:
    owners: list[int] = document.pieces.owner[blocks.first_piece].tolist()
    return owners


def _filtered(document: Document, element: int, taken: Mapping[int, Edit], name: str) -> str:
    while element >= 0:
        if edit := taken.get(element):
            return f"{name} filters <{document.name_of(element)}> ({edit.operation})."
        element = int(document.elements.parent[element])
    return f"{name} takes the text of cells in which links outweigh words."


def _learned_scores(
    document: Document, blocks: Blocks, extractor: Extractor, _: Extraction
) -> list[str]:
    """The sum of a block's token scores, of ``mss`` and its variants."""
    if not isinstance(extractor, Mss):
        return [""] * len(blocks)
    chances = extractor.probabilities(extractor.features(document))
    sums = np.concatenate([[0], np.cumsum(chances - 0.5 + extractor.bias)])
    starts = document.tokens.start
    first = np.searchsorted(starts, blocks.start)
    last = np.searchsorted(starts, blocks.end)
    return [
        f"Its tokens' learned scores sum to {total:+.1f}; the stretch with the highest sum is kept."
        for total in (sums[last] - sums[first]).tolist()
    ]


def _learned_blocks(document: Document, blocks: Blocks, _: Extractor, __: Extraction) -> list[str]:
    """What the model of ``auto`` says of each block, and the features that pulled it down."""
    model = shipped()
    found = judge(document, model)
    if found is None or len(found.blocks) != len(blocks):
        return [""] * len(blocks)
    chances = found.chances.tolist()
    told = telling(found, model)
    return [_chance(chance, found.threshold, told.get(i, ())) for i, chance in enumerate(chances)]


def _chance(chance: float, threshold: float, told: Sequence[tuple[str, float]]) -> str:
    said = f"Content with a chance of {chance:.0%}; blocks above {threshold:.0%} are kept."
    if not told:
        return said
    features = ", ".join(f"{about(name)} ({name}: {value:.3g})" for name, value in told)
    return f"{said} Against it speak most: {features}."


_RULES: Final[Mapping[str, Rules]] = {
    "lqf": _link_quota,
    "dsc": _slope,
    "simple-mss": _scores,
    "bte": _words_and_tags,
    "largest-block": _largest,
    "crunch": _crunch,
    "mss": _learned_scores,
    "mss-hr": _learned_scores,
    "mss-cleaneval": _learned_scores,
    "auto": _learned_blocks,
}
