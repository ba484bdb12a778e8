"""Keyed hashes: what they tell apart, and that the compiled ones are those of the definition."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.extractors.layout.hashing import Hashes, hashes, hashes_in_python

KEYS = st.binary(max_size=70)
TEXTS = st.text(st.one_of(st.sampled_from("ab 019é€😀\ud800"), st.characters()), max_size=300)


def of_one(text: str, seed: int = 7, key: bytes = b"key") -> int:
    ends = np.array([len(text)], dtype=np.int32)
    return int(hashes(text, np.zeros_like(ends), ends, np.array([seed], np.uint32), key)[0])


@given(TEXTS, st.data(), KEYS)
def test_compiled_hashes_are_those_of_the_definition(
    text: str, data: st.DataObject, key: bytes
) -> None:
    require_module("winnow.extractors.layout._hashing", "a C compiler (gcc) and Python's headers")
    edges = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    ranges = data.draw(st.lists(edges, max_size=5))
    start = np.array([min(edge) for edge in ranges], dtype=np.int32)
    end = np.array([max(edge) for edge in ranges], dtype=np.int32)
    seeds: Hashes = np.arange(len(ranges), dtype=np.uint32) * np.uint32(0x9E3779B1)
    told = (text, start, end, seeds, key)
    assert hashes(*told).tolist() == hashes_in_python(*told).tolist()


def test_texts_of_all_lengths_around_a_block_of_the_hash_are_those_of_the_definition() -> None:
    text, sizes = "x" * 400, np.arange(400, dtype=np.int32)
    told = (text, np.zeros_like(sizes), sizes, sizes.astype(np.uint32), b"key")
    assert hashes(*told).tolist() == hashes_in_python(*told).tolist()


def test_a_hash_is_blake2b_of_seed_and_text_without_digits() -> None:
    said = (7).to_bytes(4, "little") + "Nº  of ".encode()
    digest = blake2b(said, key=b"key", digest_size=4).digest()
    assert of_one("Nº 12 of 30") == int.from_bytes(digest, "little")


def test_numbers_do_not_count_but_letters_seed_and_key_do() -> None:
    same = of_one("Comments: 12")
    assert same == of_one("Comments: 7")
    assert len({same, of_one("Comment: 12"), of_one("Comments: 12", 8)}) == 3
    assert same != of_one("Comments: 12", key=b"other")
