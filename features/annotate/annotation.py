"""A page cut into blocks that a person marks, and gold made of the marks; draws and keeps nothing.

Marks are labels by the number of the block, among those that are shown and hold words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from winnow.document.arrays import range_sums
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.metadata.page_metadata import title_of
from winnow.document.parsing.tags import NAMES
from winnow.document.values import Label, Page, Recipe, Span
from winnow.engine.base.overlap import Shares, covered, word_offsets
from winnow.engine.pipeline import extracted
from winnow.features.annotate.jobs import Markable, Marked, ShownBlock

MOST_BLOCKS: Final = 2000
LEAST_SHARE: Final = 0.5
"""The share of a block's words that an extraction must keep for the block to be marked before."""
APART: Final = "\n\n"
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def markable(
    page: Page, recipe: Recipe, spans: Sequence[tuple[int, int, str]] | None = None
) -> Markable:
    """The blocks, marked by these ranges of the page's text, which ``marked`` gave.

    Without them, as the recipe's extractor would have it. Raises PipelineError.
    """
    document = Document.parse(page)
    _, extraction = extracted(document, recipe)
    title = title_of(document, extraction)
    blocks = blocks_of(document)
    chosen = _chosen(blocks)
    shown = [_block(document, blocks, index) for index in chosen[:MOST_BLOCKS]]
    if spans is None:
        shares = _shares(document, blocks, extraction.spans)
        some = [shares[index] >= LEAST_SHARE for index in chosen[:MOST_BLOCKS]]
        found = _suggested(shown, some, title)
    else:
        before = {start: label for start, _, label in spans}
        starts = (int(blocks.start[index]) for index in chosen)
        found = [
            replace(block, label=before.get(start, ""))
            for start, block in zip(starts, shown, strict=False)
        ]
    more = max(len(chosen) - MOST_BLOCKS, 0)
    return Markable(title or document.title, document.language, tuple(found), more)


def marked(page: Page, labels: Mapping[int, str]) -> Marked:
    """Gold text and spans of the blocks with these labels, by their numbers.

    A number that there is not marks nothing.
    """
    document = Document.parse(page)
    blocks = blocks_of(document)
    chosen = _chosen(blocks)
    wanted = [
        (chosen[number], Label(labels[number])) for number in sorted(labels) if number < len(chosen)
    ]
    gold, last = "", 0
    spans: list[tuple[int, int, str]] = []
    page_spans: list[tuple[int, int, str]] = []
    for index, label in wanted:
        start, end = int(blocks.start[index]), int(blocks.end[index])
        text = document.plain(start, end).strip()
        gold += _between(document, last, start) if gold else ""
        spans.append((len(gold), len(gold) + len(text), label.value))
        page_spans.append((start, end, label.value))
        gold, last = gold + text, end
    title = "\n".join(gold[a:b] for a, b, label in spans if label == Label.TITLE)
    return Marked(
        title, document.language, document.encoding, gold, tuple(spans), tuple(page_spans)
    )


def _chosen(blocks: Blocks) -> list[int]:
    """The blocks that are shown and hold words."""
    found: list[int] = ((blocks.words > 0) & ~blocks.hidden).nonzero()[0].tolist()
    return found


def _shares(document: Document, blocks: Blocks, spans: Sequence[Span]) -> Shares:
    """The share of each block's words that the spans cover; shape (blocks,)."""
    offsets = word_offsets(document)
    first, last = np.searchsorted(offsets, blocks.start), np.searchsorted(offsets, blocks.end)
    found: Shares = range_sums(covered(offsets, spans), first, last) / np.maximum(last - first, 1)
    return found


def _block(document: Document, blocks: Blocks, index: int) -> ShownBlock:
    element = int(blocks.element[index])
    tag = NAMES[int(document.elements.tag[element])] if element >= 0 else ""
    text = document.plain(int(blocks.start[index]), int(blocks.end[index])).strip()
    return ShownBlock(text, tag, "")


def _suggested(
    blocks: Sequence[ShownBlock], content: Sequence[bool], title: str
) -> list[ShownBlock]:
    """The marks that a person begins with: the extraction, and the headline."""
    says_title = [
        block.tag in _HEADINGS and block.text.split() == title.split() for block in blocks
    ]
    first = says_title.index(True) if True in says_title else -1
    return [
        _labelled(block, titled) if keep or place == first else block
        for place, (block, keep, titled) in enumerate(zip(blocks, content, says_title, strict=True))
    ]


def _labelled(block: ShownBlock, says_title: bool) -> ShownBlock:
    label = Label.HEADING if block.tag in _HEADINGS else Label.BODY
    return ShownBlock(block.text, block.tag, (Label.TITLE if says_title else label).value)


def _between(document: Document, last: int, start: int) -> str:
    """What parts a block from the one before: the page's own breaks, if nothing is left out."""
    gap = document.plain(last, start)
    return gap if gap and not gap.strip() else APART
