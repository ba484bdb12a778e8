"""What a site taught fits into 32 kB, and says nearly the same afterwards."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.extractors.mss.bootstrap import BootstrapSettings, SiteModel, TrigramCounts
from winnow.extractors.mss.mss_site import truncated
from winnow.extractors.mss.site_counts import BITS, LARGEST, SiteCounts, order_of


def model_of(keys: list[int], seed: int = 1, most: int = 40) -> SiteModel:
    dice = np.random.default_rng(seed)
    counts = dice.integers(0, most, (2, len(keys))).astype(np.float64)
    trigram_counts = TrigramCounts(
        np.array(sorted(keys), dtype=np.uint64) << np.uint64(64 - BITS),
        counts,
        dice.random(len(keys)),
        counts.sum(axis=1) + 1,
    )
    return SiteModel.of(trigram_counts, BootstrapSettings(), 3)


@given(st.lists(st.integers(1, 2**BITS - 1), min_size=1, max_size=50, unique=True))
def test_counts_come_back_as_they_were(keys: list[int]) -> None:
    model = model_of(keys)
    again = SiteCounts.from_bytes(SiteCounts(9, 7, model).as_bytes())
    assert (again.pages, again.stamp) == (9, 7)
    assert (again.model.boost, again.model.rounds) == (24.0, 3)
    kept = again.model.trigram_counts
    at = np.searchsorted(truncated(model.trigram_counts.keys, BITS), kept.keys)
    assert np.array_equal(kept.counts, model.trigram_counts.counts[:, at])
    assert np.allclose(kept.importance, model.trigram_counts.importance[at], atol=1 / 255)
    assert np.allclose(again.model.p, model.p[at])
    assert kept.totals.tolist() == model.trigram_counts.totals.tolist()


def test_of_many_trigrams_those_that_decide_most_are_stored() -> None:
    model = model_of(list(range(1, 20_000)))
    packed = SiteCounts(9, 7, model).as_bytes()
    kept = SiteCounts.from_bytes(packed).model
    assert LARGEST - 7 < len(packed) <= LARGEST
    assert np.abs(kept.p - 0.5).mean() > np.abs(model.p - 0.5).mean()


def test_large_counts_shrink_on_both_sides_alike() -> None:
    model = model_of([1, 2, 3], most=100_000)
    kept = SiteCounts.from_bytes(SiteCounts(9, 7, model).as_bytes()).model
    assert kept.trigram_counts.counts.max() <= 255
    assert np.allclose(kept.p, model.p, atol=0.01)


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 40])
def test_other_bytes_are_no_counts(damage: bytes) -> None:
    with pytest.raises(ValueError, match="no counts"):
        order_of(damage)


def test_more_bytes_than_are_ever_stored_are_refused() -> None:
    packed = SiteCounts(9, 7, model_of(list(range(1, 20_000)))).as_bytes()
    SiteCounts.from_bytes(packed)
    with pytest.raises(ValueError, match="cut short"):
        SiteCounts.from_bytes(packed + packed[-7:])  # a multiple of what a trigram takes


@pytest.mark.parametrize(
    ("boost", "counts"), [(0.0, True), (255.0, True), (255.5, False), (-0.5, False)]
)
def test_a_boost_beyond_a_byte_is_no_boost(boost: float, counts: bool) -> None:
    model = replace(model_of([1, 2, 3]), boost=boost)
    packed = SiteCounts(9, 7, model).as_bytes()
    if counts:
        assert order_of(packed) == (9, 7)
    else:
        with pytest.raises(ValueError, match="no counts"):
            order_of(packed)


def test_counts_that_are_cut_or_in_disorder_are_refused() -> None:
    packed = SiteCounts(9, 7, model_of([1, 2, 3])).as_bytes()
    head = len(packed) - 3 * 7
    swapped = packed[:head] + packed[head + 4 : head + 8] + packed[head : head + 4]
    for broken in (packed[:-1], packed[:head], swapped + packed[head + 8 :]):
        with pytest.raises(ValueError, match=r"cut short|disorder"):
            SiteCounts.from_bytes(broken)
