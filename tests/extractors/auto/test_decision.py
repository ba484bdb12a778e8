"""Both programs take the same blocks for content, and say the same of the page, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.blocks import Blocks
from winnow.extractors.auto import decision

SCORES = st.floats(-40, 40) | st.sampled_from([0.0, -0.0, 2.5, 30.0])
BLOCK = st.tuples(
    SCORES, st.floats(-3, 3), st.integers(0, 60), st.integers(0, 60), st.booleans(),
    st.integers(0, 30), st.integers(0, 5),
)  # fmt: skip
Columns = tuple[npt.NDArray[Any], ...]


def blocks_with(words: npt.NDArray[Any], linked: npt.NDArray[Any], hidden: Any) -> Blocks:
    none = np.zeros(len(words), dtype=np.int32)
    counted = words.astype(np.int32), np.minimum(words, linked).astype(np.int32)
    return Blocks(none, none, none, none, none, *counted, np.array(hidden, dtype=np.bool_))


@given(st.lists(BLOCK, min_size=1, max_size=70), st.booleans())
def test_both_programs_decide_alike(rows: list[tuple[Any, ...]], shifted: bool) -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    scores, shift, words, linked, hidden, *groups = map(np.array, zip(*rows, strict=True))
    alike = np.minimum(np.array(groups), np.arange(len(rows))).astype(np.int32)
    arguments = (blocks_with(words, linked, hidden), scores, alike, shift if shifted else None)

    found, defined = decision._decide_compiled(*arguments), decision.decide_in_python(*arguments)

    for name in decision.Decision._fields:
        assert np.array_equal(getattr(found, name), getattr(defined, name)), name


def test_columns_that_do_not_fit_are_refused() -> None:
    require_module("winnow.extractors.auto._decision", "a C compiler (gcc) and Python's headers")
    words = np.array([5, 7])
    blocks, scores = blocks_with(words, words, [False, False]), np.array([1.0, 2.0])
    groups = np.zeros((2, 2), dtype=np.int32)

    for wrong in (
        (blocks, scores[:1], groups, None),
        (blocks, scores, groups + 2, None),
        (blocks, scores, groups - 1, None),
        (blocks, scores, groups[:1], None),
        (blocks, scores, groups, scores[:1]),
        (blocks_with(-words, words, [False, False]), scores, groups, None),
    ):
        with pytest.raises(ValueError, match="of each block"):
            decision._decide_compiled(*wrong)
