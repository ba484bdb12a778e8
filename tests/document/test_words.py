"""What a word is, in every script."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document import words

NO_BREAKS = np.zeros(0, dtype=np.int32)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("two words", 2),
        ("well-known facts_1", 3),
        ("naïve café", 2),
        ("наше слово", 2),
        ("中文字", 3),
        ("ひらがな", 4),
        ("हिन्दी भाषा", 2),
        ("مرحبا بالعالم", 2),
        ("한국어 단어", 2),
        ("1,000.50", 3),
        ("🙂 𠀀𠀁", 2),
        ("a\ufffcb", 2),
    ],
)
def test_words_are_counted_in_every_script(text: str, number: int) -> None:
    assert words.count(text) == number


def test_thai_counts_its_letters_and_not_its_marks() -> None:
    assert words.count("ที่นี่") == 2


@example("\U000e01000")  # a mark that continues nothing
@given(st.text(max_size=60))
def test_bounds_are_disjoint_in_order_and_hold_every_word_and_symbol(text: str) -> None:
    kinds = words.classes(text)
    starts, ends = words.bounds(kinds, NO_BREAKS)
    assert (starts < ends).all()
    assert (ends[:-1] <= starts[1:]).all()
    before, symbols = words.counts(text, NO_BREAKS)
    assert len(starts) == before[-1] + symbols[-1]
    covered = set().union(*(range(a, b) for a, b in zip(starts, ends, strict=True)))
    visible = {i for i, kind in enumerate(kinds) if kind not in (words.BLANK, words.MARK)}
    assert visible <= covered


def test_a_break_parts_words_where_no_blank_does() -> None:
    starts, ends = words.bounds(words.classes("bigworld"), np.array([0, 3], dtype=np.int32))
    assert (starts.tolist(), ends.tolist()) == ([0, 3], [3, 8])


@given(st.lists(st.text("aé_ .中の\u0301ที่🙂𠀀\ufffc1", max_size=12), max_size=8))
def test_the_compiled_program_counts_the_same(stretches: list[str]) -> None:
    require_module("winnow.document._words", "a C compiler (gcc) and Python's headers")
    ends = np.cumsum([len(stretch) for stretch in stretches], dtype=np.int32)
    starts = np.append(0, ends)[: len(ends)].astype(np.int32)

    mine = words.piece_counts("".join(stretches), starts, ends)
    defined = words.piece_counts_in_python("".join(stretches), starts, ends)

    np.testing.assert_array_equal(mine, defined)
    assert mine[0].tolist() == [words.count(stretch) for stretch in stretches]
