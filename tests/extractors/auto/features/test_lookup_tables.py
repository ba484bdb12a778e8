"""Classes of characters, counted block by block, alike by both programs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.extractors.auto.features import lookup_tables


def test_each_class_is_counted() -> None:
    found = lookup_tables.counts("Ab 1.,-中", np.zeros(1, dtype=np.int32))

    assert found[0, lookup_tables.CAPITAL] == 1
    assert found[0, lookup_tables.LETTER] == 1
    assert found[0, lookup_tables.DIGIT] == 1
    assert found[0, lookup_tables.STOP] == 1
    assert found[0, lookup_tables.COMMA] == 1
    assert found[0, lookup_tables.MARK] == 1
    assert found[0, lookup_tables.UNSPACED] == 1
    assert found.sum() == 8


def test_a_context_is_a_bit_of_its_own() -> None:
    bits = lookup_tables.CONTEXT_BIT[lookup_tables.CONTEXT_BIT > 0]

    assert all(bit & (bit - 1) == 0 for bit in bits.tolist())


@given(st.text(max_size=80), st.sets(st.integers(0, 80), max_size=6))
def test_both_programs_count_the_same(text: str, edges: set[int]) -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    starts = np.array(sorted(edge for edge in edges if edge <= len(text)), dtype=np.int32)

    found = lookup_tables.counts(text, starts)

    assert found.tolist() == lookup_tables.counts_in_python(text, starts).tolist()
