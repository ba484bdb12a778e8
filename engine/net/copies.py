"""What a page says twice: paragraphs cut off, lists, copies of teasers for small screens."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np

from winnow.document.arrays import prefix_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import text_inside

_REPEATED: Final = 40
"""Words of a paragraph that does not stand on a page twice by chance."""
_COPIES: Final = 8
"""Stretches that stand there again; more are quotations, in answers to what they quote."""
_LIST: Final = tags.table_of("ul ol")
_TEASER: Final = 12
"""Words of several blocks in a row that do not stand on a page twice by chance."""
_ITEMS: Final = 3
"""Texts of a list that does not stand on a page twice by chance."""


def copies(document: Document, kept: Mask) -> Mask:
    """The pieces of long paragraphs that are kept twice: all but the first, or the cut-off copy.

    One that comes again at once, in the same element, is no copy; nor is what is shown one of what
    is hidden.
    """
    kept = kept & ~document.hidden
    blocks, gone = blocks_of(document), np.zeros(kept.size, dtype=np.bool_)
    is_apart = document.inside_tags("blockquote pre table li dd")
    long = ((blocks.words >= _REPEATED) & kept[blocks.first_piece]).nonzero()[0]
    texts: dict[str, int] = {}
    before, parent = (-1, -1, ""), document.elements.parent.data
    starts, ends, around_of = blocks.start.data, blocks.end.data, blocks.element.data
    again, runs, is_again = list[int](), 0, False
    for block in long[~is_apart[blocks.first_piece[long]]].tolist():
        text = document.text[starts[block] : ends[block]]
        around = parent[around_of[block]]
        is_refrain, before = before == (block - 1, around, text), (block, around, text)
        was_again, is_again = is_again, texts.setdefault(text, block) != block and not is_refrain
        runs += is_again and not was_again
        again += [block] * is_again
    for block in again if runs <= _COPIES else ():
        gone[blocks.first_piece[block] : blocks.last_piece[block]] = True
    cut = {text for text in texts if text[-1:] == "\u2026" or text[-3:] == "..."}
    begins = sorted((text.rstrip(".\u2026 "), text) for text in texts) if cut else []
    for (begin, shorter), (longer, _) in pairwise(begins):
        if shorter in cut and longer.startswith(begin):
            block = texts[shorter]
            gone[blocks.first_piece[block] : blocks.last_piece[block]] = True
    for first, behind in (*_lists_again(document, kept & ~gone), *_runs_again(document, kept)):
        gone[first:behind] = True
    return gone


@needs("h2", "h3", "h4", "h5", "h6", absent=())
def _runs_again(document: Document, kept: Mask) -> Iterable[tuple[int, int]]:
    """The ranges of pieces of blocks in a row, a linked heading among them, that stand there again
    in a row: the copy of a teaser for small screens."""
    blocks = blocks_of(document)
    is_heading = document.inside_tags("h2 h3 h4 h5 h6") & document.linked
    is_kept = (blocks.words > 0) & kept[blocks.first_piece]
    headings = (is_kept & is_heading[blocks.first_piece]).nonzero()[0].tolist()
    if len({document.text[blocks.start[at] : blocks.end[at]] for at in headings}) == len(headings):
        return
    chosen = is_kept.nonzero()[0].tolist()
    texts = [document.text[blocks.start[block] : blocks.end[block]] for block in chosen]
    seen, at = dict[str, int](), 0
    while at < len(chosen):
        before, length = seen.get(texts[at], at), 0
        while (
            before + length < at
            and at + length < len(chosen)
            and (texts[before + length] == texts[at + length])
        ):
            length += 1
        run = chosen[at : at + length]
        if (
            length > 1
            and blocks.words[run].sum() >= _TEASER
            and is_heading[blocks.first_piece[run]].any()
        ):
            yield int(blocks.first_piece[run[0]]), int(blocks.last_piece[run[-1]])
        for text, index in zip(
            texts[at : at + max(length, 1)], range(at, len(texts)), strict=False
        ):
            seen.setdefault(text, index)
        at += max(length, 1)


@needs("ul", "ol", absent=())
def _lists_again(document: Document, kept: Mask) -> Iterable[tuple[int, int]]:
    """The ranges of pieces of lists that say what the list right before them says."""
    elements = document.elements
    lists = _LIST[elements.tag].nonzero()[0]
    said = prefix_sums(kept & (document.piece_words > 0))
    ends, firsts = elements.last_piece[lists[:-1]], elements.first_piece[lists[1:]]
    behinds = elements.last_piece[lists[1:]]
    is_next = (firsts >= ends) & (said[firsts] == said[ends])
    for at in (is_next & (said[behinds] - said[firsts] >= _ITEMS)).nonzero()[0].tolist():
        if text_inside(document, lists[at]) == text_inside(document, lists[at + 1]):
            yield int(firsts[at]), int(behinds[at])
