"""Agreement is F1 over words, counted as its definition says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.values import Span
from winnow.engine.base.overlap import (
    covered,
    digit,
    f1_between,
    in_cells,
    mean_with_others,
    word_offsets,
)

MASKS = st.integers(1, 30).flatmap(
    lambda size: st.lists(
        st.lists(st.booleans(), min_size=size, max_size=size), min_size=1, max_size=5
    )
)


@given(MASKS)
def test_f1_is_that_of_the_sets(masks: list[list[bool]]) -> None:
    found = f1_between(np.array(masks, dtype=bool))
    sets = [{place for place, kept in enumerate(mask) if kept} for mask in masks]
    for row, left in enumerate(sets):
        for column, right in enumerate(sets):
            size = len(left) + len(right)
            expected = 2 * len(left & right) / size if size else 1.0
            assert found[row, column] == pytest.approx(expected)


def test_the_mean_leaves_out_oneself() -> None:
    overlaps = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.25], [0.0, 0.25, 1.0]])
    assert mean_with_others(overlaps).tolist() == [0.25, 0.375, 0.125]
    assert mean_with_others(np.array([[1.0]])).tolist() == [1.0]


@given(st.lists(st.booleans(), max_size=60), st.sets(st.integers(0, 60), max_size=12))
def test_words_are_covered_that_start_inside_a_span(kept: list[bool], edges: set[int]) -> None:
    bounds = sorted(edges)
    pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
    spans = [Span(start, end) for start, end in pairs]
    offsets = np.array([place for place, here in enumerate(kept) if here], dtype=np.int32)
    expected = [any(start <= place < end for start, end in pairs) for place in offsets.tolist()]
    assert covered(offsets, spans).tolist() == expected


def test_offsets_are_those_of_shown_words() -> None:
    document = Document.from_html("<p>one, two</p><p hidden>three</p><p>four")
    starts = [document.text.index(word) for word in ("one", "two", "four")]
    assert word_offsets(document).tolist() == starts


@given(st.lists(st.booleans(), max_size=200), st.integers(1, 50))
def test_cells_hold_the_shares(kept: list[bool], cells: int) -> None:
    strip = in_cells(np.array(kept, dtype=bool), cells)
    assert len(strip) == cells
    if kept and all(kept):
        assert set(strip) == {"9"}
    if not any(kept):
        assert set(strip) == {"0"}


@pytest.mark.parametrize(
    ("share", "said"), [(0, "0"), (0.001, "1"), (0.5, "4"), (0.999, "8"), (1, "9")]
)
def test_only_nothing_is_nothing_and_only_all_is_all(share: float, said: str) -> None:
    assert digit(share) == said
