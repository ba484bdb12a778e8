"""Which words of a page are those of its gold text, and which run of tokens is its main content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from winnow.document.document import Document
from winnow.document.tokens import SYMBOL, WORD, Tokens
from winnow.evaluation.measuring.words import words
from winnow.extractors.subsequence import EMPTY, Run, best_run

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The run of tokens that best covers the gold, and the share of gold words that it holds."""

    run: Run
    share: float


def align(document: Document, gold: str) -> Alignment:
    """Align gold words to page words by LCS and take the best-scoring contiguous run.

    A word of the page that is in the alignment scores 1, any other -1, tags and symbols 0. The run
    starts and ends with aligned words and the symbols that touch them: an article ends with its
    full stop. O(page words x gold words / 64).
    """
    tokens = document.tokens
    at = np.flatnonzero(tokens.kind == WORD)
    mine = [
        document.text[start:end].lower()
        for start, end in zip(tokens.start[at].tolist(), tokens.end[at].tolist(), strict=True)
    ]
    wanted = words(gold)
    matched = aligned(mine, wanted)
    run = best_run(np.where(matched, 1.0, -1.0))
    if not run.end:
        return Alignment(EMPTY, 0.0)
    share = float(matched[run.start : run.end].sum()) / len(wanted)
    first, end = int(at[run.start]), int(at[run.end - 1]) + 1
    return Alignment(Run(*_with_symbols(tokens, first, end), run.total), share)


def _with_symbols(tokens: Tokens, first: int, end: int) -> tuple[int, int]:
    """The run with the symbols that no blank and no tag separates from its outer words."""
    kind, starts, ends = tokens.kind, tokens.start, tokens.end
    while first > 0 and kind[first - 1] == SYMBOL and ends[first - 1] == starts[first]:
        first -= 1
    while end < len(tokens) and kind[end] == SYMBOL and starts[end] == ends[end - 1]:
        end += 1
    return first, end


def aligned(mine: Sequence[str], wanted: Sequence[str]) -> Mask:
    """Which of my words are in a longest common subsequence with the wanted; shape (mine,)."""
    matched = np.zeros(len(mine), dtype=bool)
    distinct = set(wanted)
    at = [index for index, word in enumerate(mine) if word in distinct]
    codes = {word: code for code, word in enumerate(distinct)}
    pattern = [codes[mine[index]] for index in at]
    for step in LCSseq.opcodes(pattern, [codes[word] for word in wanted]):
        if step.tag == "equal":
            matched[at[step.src_start : step.src_end]] = True
    return matched
