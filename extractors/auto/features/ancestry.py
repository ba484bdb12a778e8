"""Sums, maxima and unions over every element's ancestors at once.

By pointer doubling: in each round every element takes what its current ancestor has gathered and
then points to that one's ancestor, so that the number of rounds is the logarithm of the depth.
Arrays have one row more than there are elements: the last row is "no element", and empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.document.parsing.scan import Elements

Array = npt.NDArray[Any]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Ancestry:
    """``hops``: for each round, whom an element points to; each of shape (elements + 1,)."""

    hops: tuple[Indices, ...]

    @property
    def parents(self) -> Indices:
        """Each element's parent; the root's is the last row."""
        return self.hops[0]

    def gather(self, values: Array, merge: Callable[[Array, Array], Array]) -> Array:
        """Each element's values merged with all its ancestors'; shape of ``values``.

        ``merge`` must be associative and commutative, and the last row its neutral element.
        """
        for hop in self.hops:
            values = merge(values, values.take(hop, axis=0))
        return values


def ancestry_of(elements: Elements) -> Ancestry:
    """The ancestry of a page's elements; O(elements * log depth)."""
    nowhere = len(elements)
    hop = np.full(nowhere + 1, nowhere, dtype=np.intp)
    np.copyto(hop[:-1], elements.parent, where=elements.parent >= 0)
    hops = [hop]
    while True:
        hop = hop.take(hop)
        if hop.min() == nowhere:
            return Ancestry(tuple(hops))
        hops.append(hop)
