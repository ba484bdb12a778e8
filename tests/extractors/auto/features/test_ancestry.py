"""Pointer doubling gives what walking up to the root gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.extractors.auto.features.ancestry import ancestry_of

NESTED = st.lists(st.sampled_from(["<div>", "</div>", "<p>", "<b>", "x"]), max_size=60).map("".join)


@given(NESTED)
def test_sums_and_maxima_are_those_of_the_walk_to_the_root(html: str) -> None:
    elements = Document.from_html(html).elements
    values = np.append(np.arange(1, len(elements) + 1) % 7, 0)
    ancestry = ancestry_of(elements)
    sums, most = ancestry.gather(values, np.add), ancestry.gather(values, np.maximum)

    for element in range(len(elements)):
        walk, at = [], element
        while at >= 0:
            walk.append(int(values[at]))
            at = int(elements.parent[at])
        assert (sums[element], most[element]) == (sum(walk), max(walk))
