"""Words are hashed once and remembered; the compiled loop finds what the definition says."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.arrays import Ints
from winnow.extractors.mss.stems import Hashes, string_hash
from winnow.extractors.mss.vocabulary import Vocabulary

WAYS = [pytest.param(Vocabulary.hashes_in_python, id="definition"), pytest.param(Vocabulary.hashes)]
Way = Callable[[Vocabulary, str, Ints, Ints], Hashes]
FEW = 2
"""Bits of a table that forgets nearly everything."""


def joined(words: Sequence[str]) -> tuple[str, Ints, Ints]:
    ends = np.cumsum([len(word) for word in words], dtype=np.int32)
    starts = ends - np.array([len(word) for word in words], dtype=np.int32)
    return "".join(words), starts, ends.astype(np.int32)


WORDS = st.lists(
    st.one_of(
        st.sampled_from(
            ["the", "The", "river", "rivers", "1", "2026", "Ärger", "読", "𝕏", "\ud800"]
        ),
        st.text(st.characters(exclude_characters=" "), min_size=1, max_size=60),
    ),
    max_size=60,
)


@given(WORDS, st.sampled_from([FEW, 8]))
def test_the_compiled_loop_finds_what_the_definition_says(words: list[str], bits: int) -> None:
    require_module("winnow.extractors.mss._loops", "a C compiler (gcc) and Python's headers")
    text, starts, ends = joined(words)
    vocabulary = Vocabulary(string_hash, bits)
    wanted = [string_hash(word) for word in words]
    for _ in range(2):  # the second time from memory
        assert vocabulary.hashes(text, starts, ends).tolist() == wanted
        assert vocabulary.hashes_in_python(text, starts, ends).tolist() == wanted


@pytest.mark.parametrize("way", WAYS)
def test_a_word_is_hashed_once(way: Way) -> None:
    asked: list[str] = []
    vocabulary = Vocabulary(lambda word: len(asked.append(word) or word))  # type: ignore[func-returns-value]  # append notes the call
    text, starts, ends = joined(["a", "bb", "a", "bb", "a"])
    assert way(vocabulary, text, starts, ends).tolist() == [1, 2, 1, 2, 1]
    assert asked == ["a", "bb"]


@pytest.mark.parametrize("way", WAYS)
def test_what_the_function_raises_is_raised(way: Way) -> None:
    def broken(word: str) -> int:
        raise LookupError(word)

    with pytest.raises(LookupError, match="word"):
        way(Vocabulary(broken), *joined(["word"]))


def test_words_outside_of_the_text_are_refused() -> None:
    require_module("winnow.extractors.mss._loops", "a C compiler (gcc) and Python's headers")
    for start, end in ((-1, 1), (2, 1), (0, 9)):
        bounds = (np.array([at], dtype=np.int32) for at in (start, end))
        with pytest.raises(ValueError, match="outside of the text"):
            Vocabulary(string_hash)._compiled("text", *bounds)
