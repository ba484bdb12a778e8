"""Which stretch of a page its text is: the blocks that are content each by itself, those of them
from the headline on, or one run.

The run is the maximum subsequence of the blocks' words times their chance above a bar (Pasternack &
Roth, WWW 2009, section 6.1, over scores that are learned otherwise): what a news site shows around
a story falls out of it, however much it reads like one. Which of them a page wants is learned
(switch_training.py) by what each holds and what of the blocks it leaves out. This is the
definition; ``_decision.c``, where it could be built, finds the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, Mask
from winnow.extractors.auto.features.page_evidence import total
from winnow.extractors.subsequence import best_run

_compiled: Any = optional_module("winnow.extractors.auto._decision")

Floats = npt.NDArray[Any]
Ints = npt.NDArray[np.int32]

BARS: Final = (0.5, 0.7)
"""The chances above which a block adds to a run, below which it costs: of a run without lists, and
of one that may hold some."""
STRETCHES: Final = ("headline", *(f"run {bar}" for bar in BARS))
TEXT: Final = 60
"""Words behind a page's only headline from which they are its text."""
_SURE: Final = 0.8
_LED: Final = 3
"""Linked words of a block that leads to what it says, or the block behind it."""
_RECORD, _SAID, _RECORDS = 60, 5, 3
"""Words of a record of a list at most, and beside its links; how many such make a list."""
_OF_EACH: Final = (
    "kept", "content", "chance", "inner", "linked", "blocks", "words", "before", "behind",
    "chance outside", "linked outside", "longest outside", "sure outside", "expected", "agrees",
    "runs outside", "led outside", "led", "mean outside", "mean", "best outside",
)  # fmt: skip
NAMES: Final = (
    *(f"{stretch}: {name}" for stretch in STRETCHES for name in _OF_EACH),
    "run: behind headline", "run: headlines",
)  # fmt: skip
_MONOTONE: Final = {
    "content": 1, "expected": 1, "led outside": 1, "linked outside": 1, "chance outside": -1,
    "sure outside": -1, "longest outside": -1, "mean outside": -1, "best outside": -1,
}  # fmt: skip
"""Which way alone what is gained may go with a feature: the more of what is left out is sure, long
or unlinked, the less."""


def monotone_signs() -> tuple[int, ...]:
    """Of each of NAMES the sign of the way that what is gained may go with it; 0: either."""
    return tuple(_MONOTONE.get(name.partition(": ")[2], 0) for name in NAMES)


class PageRuns(NamedTuple):
    """``masks``: the blocks of each of STRETCHES, (3, n). ``row``: what speaks for them, numbers in
    the order of NAMES."""

    masks: Mask
    row: npt.NDArray[np.float32]


def headlines_of(document: Document, blocks: Blocks) -> Ints:
    """The block that each ``h1`` begins with, in document order."""
    first = document.elements.first_piece[document.elements_named("h1")]
    return (blocks.first_piece.searchsorted(first, side="right") - 1).astype(np.int32)


def _page_runs_compiled(
    blocks: Blocks, chances: Floats, is_content: Mask, headlines: Ints
) -> PageRuns:
    masks = np.empty((len(STRETCHES), blocks.start.size), dtype=np.bool_)
    row = np.empty(len(NAMES), dtype=np.float32)
    _compiled.runs(
        blocks.words, blocks.linked_words, blocks.hidden, chances, is_content, headlines, *BARS,
        masks, row,
    )  # fmt: skip
    return PageRuns(masks, row)


def page_runs_in_python(
    blocks: Blocks, chances: Floats, is_content: Mask, headlines: Ints
) -> PageRuns:
    """The stretches of a page of at least one block. O(n)."""
    start = int(_run(blocks, chances, BARS[-1], 0).argmax())
    headline = _headline(blocks, is_content, headlines, start)
    first = max(headline, 0)
    lists = _lists(blocks)
    apart = _run(blocks, np.where(lists, 0, chances), BARS[0], first) & ~lists
    runs = [apart, _run(blocks, chances, BARS[1], first)]
    masks = np.stack([is_content & (np.arange(len(blocks)) >= first), *runs])
    row = [number for mask in masks for number in _of_each(blocks, chances, is_content, mask)]
    begin = int(runs[-1].argmax())
    is_below = headline >= 0 and bool(runs[-1].any())
    row += [int(blocks.words[first:begin].sum()) if is_below else -1, len(headlines)]
    return PageRuns(masks, np.array(row, dtype=np.float32))


page_runs = loop(_compiled and _page_runs_compiled, page_runs_in_python)


def _headline(blocks: Blocks, is_content: Mask, headlines: Ints, start: int) -> int:
    """The block of a page's only ``h1``, if there is a text behind it; else of the last one before
    the surest run, which begins at ``start``; -1 if there is none."""
    if len(headlines) == 1:
        only = max(int(headlines[0]), 0)
        if int(blocks.words[only:][is_content[only:]].sum()) >= TEXT:
            return only
    above = headlines[headlines <= start + 1]
    return max(int(above[-1]), 0) if len(above) else -1


def _run(blocks: Blocks, chances: Floats, bar: float, first: int) -> Mask:
    """The maximum subsequence behind a block, but for what is hidden; (n,)."""
    scores = blocks.words * (chances - bar)
    scores[blocks.hidden] = np.minimum(scores[blocks.hidden], 0)
    run, found = best_run(scores[first:]), np.zeros(len(blocks), dtype=np.bool_)
    found[first + run.start : first + run.end] = True
    return found & ~blocks.hidden


def _lists(blocks: Blocks) -> Mask:
    """The blocks of lists of records: a line with a link and what follows it up to the next, of few
    words, several in a row, most of which say something beside the link; (n,)."""
    shown, found = ~blocks.hidden, np.zeros(len(blocks), dtype=np.bool_)
    leads = np.flatnonzero((blocks.linked_words >= _LED) & shown)
    words, linked = (
        np.add.reduceat(each * shown, leads) for each in (blocks.words, blocks.linked_words)
    )
    is_record = words <= _RECORD
    edges = np.flatnonzero(np.diff(is_record, prepend=False, append=False)).tolist()
    for first, behind in zip(edges[::2], edges[1::2], strict=True):
        said = np.count_nonzero((words - linked)[first:behind] >= _SAID)
        if said >= _RECORDS and 2 * said >= behind - first:
            found[leads[first] : [*leads, len(found)][behind]] = True
    return found


def _of_each(blocks: Blocks, chances: Floats, kept: Mask, mask: Mask) -> Iterator[float]:
    """The features of one stretch, in the order of _OF_EACH. Shares are of its words, or of those
    that it leaves out."""
    words, linked, led = blocks.words.astype(np.int64), blocks.linked_words, _led(blocks)
    found = np.flatnonzero(mask)
    first, behind = (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)
    out, likely, places = kept & ~mask, words * chances, np.arange(len(words))

    def of(some: Mask) -> float:
        return float(words[some].sum())

    whole, content = max(of(mask), 1.0), total(likely)
    inside, outside = total(likely * mask), total(likely * out)
    rest, every = max(of(out), 1.0), max(of(kept), 1.0)
    yield from (whole / every, inside / max(content, 1.0), inside / whole)
    yield of(mask & ~kept) / whole
    yield float(linked[mask].sum()) / whole
    yield from (len(found), whole)
    yield of(out & (places < first)) / whole
    yield of(out & (places >= behind)) / whole
    yield from (outside / rest, float(linked[out].sum()) / rest, float(words[out].max(initial=0)))
    yield of(out & (chances > _SURE)) / whole
    yield 2 * inside / max(whole + content, 1.0) - 2 * total(likely * kept) / max(
        every + content, 1.0
    )
    yield 2 * of(mask & kept) / max(whole + every, 1.0)
    yield float((out[1:] & ~out[:-1]).sum())
    yield from (of(out & led) / rest, of(mask & led) / whole)
    yield from (rest / max(int(out.sum()), 1), whole / max(len(found), 1))
    best, best_outside = (float(likely[some].max(initial=0.0)) for some in (mask, out))
    yield best_outside / max(best, 1.0)


def _led(blocks: Blocks) -> Mask:
    """Whether the block with words before each one with words is mostly a link: its headline."""
    speaking, found = np.flatnonzero(blocks.words > 0), np.zeros(len(blocks), dtype=np.bool_)
    before = speaking[:-1]
    is_link = (blocks.linked_words * 2 > blocks.words) & (blocks.words >= _LED)
    found[speaking[1:]] = is_link[before]
    return found
