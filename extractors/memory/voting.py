"""The class that wins the vote of the neighbours, as TiMBL decides it."""

from __future__ import annotations

import numpy as np

from winnow.document.arrays import Ints


def ranked(frequencies: Ints) -> Ints:
    """The classes by frequency, the most frequent first; among equals the one seen first."""
    return np.argsort(-frequencies, kind="stable").astype(np.int32)


def elected(counts: Ints, k: int, rank: Ints) -> Ints:
    """The winners; ``counts``: shape (queries, k + 1, classes), votes at each distance.

    The class with most votes at the k smallest distances. In a tie one distance more counts; if
    that does not decide it, the class wins that is most frequent among all instances.
    """
    first, tied = _winner(counts[:, :k].sum(axis=1), rank)
    second, tied_again = _winner(counts.sum(axis=1), rank)
    return np.where(tied & ~tied_again, second, first)


def _winner(votes: Ints, rank: Ints) -> tuple[Ints, Ints]:
    """The class with most votes, the first in rank among equals, and whether there are equals."""
    ordered = votes[:, rank]
    most = ordered.max(axis=1, keepdims=True)
    return rank[np.argmax(ordered, axis=1)], (ordered == most).sum(axis=1) > 1
