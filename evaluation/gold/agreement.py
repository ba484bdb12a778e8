"""How far two annotators of the same pages agree: F1 of each label's words, and Cohen's kappa.

Kappa is Cohen's (A Coefficient of Agreement for Nominal Scales, 1960) over all words of all pages,
and over all blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.tokens import WORD
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.alignment import aligned
from winnow.evaluation.gold.labels import LABELS
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.measuring.measures import Score, score
from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.measuring.words import words
from winnow.evaluation.reporting.tables import aligned as table

NONE: Final = 0
"""The code of what is not marked; a label's code is its place in LABELS and 1."""
_BODY: Final = LABELS.index("body") + 1


@dataclass(frozen=True, slots=True)
class AnnotatedPair:
    """One page as two annotators marked it: the codes of its words, shape (words,), and of its
    blocks."""

    words: tuple[Ints, Ints]
    blocks: tuple[Ints, Ints]


@dataclass(frozen=True, slots=True)
class Agreement:
    """``labels``: words of the one, of the other, F1 over all pages, mean of the pages' F1.

    ``has_labels`` whether both distinguish labels; else all gold counts as body.
    """

    pages: int
    others: int
    words: int
    blocks: int
    labels: dict[str, tuple[int, int, Score, float]]
    word_kappa: float
    block_kappa: float
    has_labels: bool


def agreement(left: Package, right: Package) -> Agreement:
    """Compare the pages that both have. Raises PackageError where there is none.

    Pages whose bytes differ are counted and left out.
    """
    common = [name for name in left.ids if name in set(right.ids)]
    pairs = [(left.entry(name), right.entry(name)) for name in common]
    same = [pair for pair in pairs if pair[0].body == pair[1].body]
    if not same:
        raise PackageError(f"{left.name} and {right.name} have no page in common: name two others.")
    has_labels = all("page_spans" in entry.meta for pair in same for entry in pair)
    found = [_pair(*pair, has_labels) for pair in same]
    mine, theirs = (np.concatenate([pair.words[side] for pair in found]) for side in (0, 1))
    blocks = [np.concatenate([pair.blocks[side] for pair in found]) for side in (0, 1)]
    return Agreement(
        pages=len(same),
        others=len(pairs) - len(same),
        words=len(mine),
        blocks=len(blocks[0]),
        labels=dict(_labels(found, LABELS if has_labels else ("body",))),
        word_kappa=kappa(mine, theirs),
        block_kappa=kappa(*blocks),
        has_labels=has_labels,
    )


def kappa(left: Ints, right: Ints) -> float:
    """Cohen's kappa: agreement beyond chance; 1 where all is one class."""
    if not len(left):
        return 1.0
    classes = np.union1d(left, right)
    same = float((left == right).mean())
    chance = float(sum((left == one).mean() * (right == one).mean() for one in classes))
    return (same - chance) / (1 - chance) if chance < 1 else 1.0


def agreement_table(found: Agreement) -> str:
    """The figures for a terminal."""
    heading = ("label", "words A", "words B", "F1", "mean of pages")
    lines = [
        (label, str(mine), str(theirs), f"{pair.f1:.3f}", f"{average:.3f}")
        for label, (mine, theirs, pair, average) in found.labels.items()
    ]
    counts = f"{found.pages} pages, {found.words} words, {found.blocks} blocks"
    others = f"\n{found.others} pages were left out: their bytes differ." if found.others else ""
    plain = "" if found.has_labels else "\nOne of them has no labels: all its gold counts as body."
    kappas = f"Cohen's kappa {found.word_kappa:.3f} by words, {found.block_kappa:.3f} by blocks"
    return f"{counts}{others}{plain}\n{table(heading, lines, 1)}\n{kappas}"


def _labels(
    found: Sequence[AnnotatedPair], labels: Iterable[str]
) -> Iterator[tuple[str, tuple[int, int, Score, float]]]:
    for label in labels:
        code = LABELS.index(label) + 1
        counts = [_counts(*pair.words, code) for pair in found]
        common, mine, theirs = (sum(column) for column in zip(*counts, strict=True))
        pages = [score(*each).f1 for each in counts if each[1] or each[2]]
        yield label, (mine, theirs, score(common, mine, theirs), mean(pages))


def _counts(left: Ints, right: Ints, code: int) -> tuple[int, int, int]:
    mine, theirs = left == code, right == code
    return int((mine & theirs).sum()), int(mine.sum()), int(theirs.sum())


def _pair(left: PackageEntry, right: PackageEntry, has_labels: bool) -> AnnotatedPair:
    encoding = left.meta.get("encoding_used")
    document = Document.parse(Page(left.body, left.url, str(encoding or "") or None))
    tokens = document.tokens
    at = tokens.kind == WORD
    starts, ends = tokens.start[at], tokens.end[at]
    mine, theirs = (
        _codes_by_ranges(starts, each)
        if has_labels
        else _codes_by_gold(document, starts, ends, each)
        for each in (left, right)
    )
    blocks = (_of_blocks(document, starts, mine), _of_blocks(document, starts, theirs))
    return AnnotatedPair((mine, theirs), blocks)


def _codes_by_ranges(starts: Ints, entry: PackageEntry) -> Ints:
    """The codes of the words that start at these offsets, by the entry's ranges of the page."""
    codes = np.zeros(len(starts), dtype=np.int32)
    spans = entry.meta["page_spans"]
    for start, end, label in spans if isinstance(spans, list) else ():
        first, last = np.searchsorted(starts, (start, end))
        codes[first:last] = LABELS.index(label) + 1
    return codes


def _codes_by_gold(document: Document, starts: Ints, ends: Ints, entry: PackageEntry) -> Ints:
    """The same by the gold text alone: words in a longest common subsequence with it are body."""
    pairs = zip(starts.tolist(), ends.tolist(), strict=True)
    mine = [document.text[start:end].lower() for start, end in pairs]
    found: Ints = aligned(mine, words(entry.gold)).astype(np.int32) * _BODY
    return found


def _of_blocks(document: Document, starts: Ints, codes: Ints) -> Ints:
    """The code that most words of each block have; shape (blocks with words,)."""
    blocks = blocks_of(document)
    shown = (blocks.words > 0) & ~blocks.hidden
    first = np.searchsorted(starts, blocks.start[shown])
    last = np.searchsorted(starts, blocks.end[shown])
    most = [
        np.bincount(codes[low:high], minlength=1).argmax()
        for low, high in zip(first.tolist(), last.tolist(), strict=True)
    ]
    return np.array(most, dtype=np.int32)
