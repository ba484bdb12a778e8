"""The table of quantised log-odds, and the tallies it is made of."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.extractors.mss.counts import Tally, TallySum
from winnow.extractors.mss.hash_table import LARGEST, STEP, HashTable

RANDOM = np.random.default_rng(20260101)


def keys(number: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return RANDOM.integers(0, 2**64, number, dtype=np.uint64)


def test_what_was_put_in_is_found_to_half_a_step() -> None:
    is_known, odds = keys(1_000), RANDOM.uniform(-7, 7, 1_000).astype(np.float32)
    found, seen = HashTable.of(is_known, odds, 20).look_up(is_known)
    assert seen.all()
    assert np.abs(found - odds).max() <= STEP / 2


def test_unseen_keys_are_no_evidence() -> None:
    table = HashTable.of(keys(1_000), np.ones(1_000, np.float32), 12)
    found, seen = table.look_up(keys(10_000))
    assert seen.mean() < 1 / 512
    assert not found[~seen].any()


@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_the_compiled_loop_finds_what_the_definition_says(seed: int, bits: int) -> None:
    require_module("winnow.extractors.mss._loops", "a C compiler (gcc) and Python's headers")
    dice = np.random.default_rng(seed)
    is_known = dice.integers(0, 2**64, 300, dtype=np.uint64)
    table = HashTable.of(is_known, dice.uniform(-9, 9, 300).astype(np.float32), bits)
    asked = np.append(is_known, dice.integers(0, 2**64, 300, dtype=np.uint64))
    assert np.array_equal(table.codes(asked), table.codes_in_python(asked))


def test_a_full_table_keeps_what_came_first() -> None:
    is_known = keys(4_000)
    _, seen = HashTable.of(is_known, np.ones(4_000, np.float32), 10).look_up(is_known)
    assert seen[:256].mean() > 0.8
    assert seen[:1_000].mean() > seen[1_000:].mean()


def test_odds_beyond_the_scale_are_clipped() -> None:
    is_known = keys(2)
    found, seen = HashTable.of(is_known, np.array([99, -99], np.float32), 8).look_up(is_known)
    assert seen.all()
    assert found.tolist() == [LARGEST, -LARGEST]


def test_a_saved_table_is_mapped_not_read(tmp_path: Path) -> None:
    is_known = keys(100)
    table = HashTable.of(is_known, np.ones(100, np.float32), 10)
    table.save(tmp_path / "t.npy")
    again = HashTable.load(tmp_path / "t.npy")
    assert isinstance(again.slots.base, np.memmap)
    assert again.bits == table.bits == 10
    assert np.array_equal(again.look_up(is_known)[0], table.look_up(is_known)[0])


PAGES = st.lists(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=8), max_size=8)


@given(PAGES)
def test_pages_counted_one_by_one_are_all_pages_counted(
    pages: list[list[tuple[int, bool]]],
) -> None:
    tally_sum = TallySum()
    for page in pages:
        tally_sum.add(tally(page))
    whole, total = tally([item for page in pages for item in page]), tally_sum.total()
    for part in ("keys", "inside", "outside"):
        assert getattr(total, part).tolist() == getattr(whole, part).tolist()
    for index, key in enumerate(total.keys.tolist()):
        assert total.inside[index] == sum(page.count((key, True)) for page in pages)


def tally(page: list[tuple[int, bool]]) -> Tally:
    return Tally.of(
        np.array([key for key, _ in page], dtype=np.uint64),
        np.array([inside for _, inside in page], dtype=bool),
    )
