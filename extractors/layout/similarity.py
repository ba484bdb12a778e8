"""Common sequences and the similarity of weighted ones (Webstemmer, step 2)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rapidfuzz.distance import LCSseq


def common(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The pairs of indices of a maximum common sequence, in order. Bit-parallel: O(mn / 64)."""
    if not left or not right:
        return []
    return [
        (operation.src_start + offset, operation.dest_start + offset)
        for operation in LCSseq.opcodes(left, right)
        if operation.tag == "equal"
        for offset in range(operation.src_end - operation.src_start)
    ]


def similarity(
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    left_weights: Sequence[float],
    right_weights: Sequence[float],
) -> float:
    """Sim(A, B): the weight of what both share over the weight of both, in 0..1.

    The page prints the formula with the common weight counted once, with which two equal pages
    have .5 and its own threshold of .97 could not be reached: it counts on both sides here. Two
    sequences without any weight are equal if they are the same.
    """
    every = sum(left_weights) + sum(right_weights)
    if not every:
        return float(list(left) == list(right))
    pairs = common(left, right)
    return sum(left_weights[i] + right_weights[j] for i, j in pairs) / every


def difference(texts: Sequence[str]) -> float:
    """DiffScore: how much texts vary among each other, 0 (all the same) to 1 (nothing shared).

    The sum over all pairs of what the two do not share, over the sum of their lengths.
    """
    apart = every = 0
    for index, one in enumerate(texts):
        for other in texts[index + 1 :]:
            both = len(one) + len(other)
            every += both
            apart += both - 2 * int(LCSseq.similarity(one, other))
    return apart / every if every else 0.0
