"""The formulas as printed: similarity, DiffScore, clusters, patterns, titles."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.layout.pages import FOOTER, document, prose
from winnow.extractors.layout.layout_blocks import layout_blocks, letters
from winnow.extractors.layout.pattern_learning import LearnedPage, Thresholds, clusters, learn
from winnow.extractors.layout.patterns import common, difference, similarity

short = st.text("abc", max_size=8)


def longest_common(left: str, right: str) -> int:
    """By the recurrence of every textbook."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


@given(short, short)
def test_common_is_a_longest_common_sequence(left: str, right: str) -> None:
    pairs = common(left, right)
    assert len(pairs) == longest_common(left, right)
    assert all(left[i] == right[j] for i, j in pairs)
    assert pairs == sorted(pairs)


@given(short.filter(bool), short)
def test_similarity_is_one_for_the_same_and_symmetric(left: str, right: str) -> None:
    ones, others = [1.0] * len(left), [1.0] * len(right)
    assert similarity(left, left, ones, ones) == 1
    there, back = similarity(left, right, ones, others), similarity(right, left, others, ones)
    assert there == pytest.approx(back)
    assert 0 <= there <= 1


@given(st.lists(short, min_size=2, max_size=5))
def test_difference_is_the_printed_formula(texts: list[str]) -> None:
    pairs = list(combinations(texts, 2))
    every = sum(len(a) + len(b) for a, b in pairs)
    apart = sum(len(a) + len(b) - 2 * longest_common(a, b) for a, b in pairs)
    assert difference(texts) == pytest.approx(apart / every if every else 0)


def test_a_block_is_known_by_three_elements_and_their_attributes() -> None:
    blocks = layout_blocks(document(7))
    assert blocks[-1].feature.endswith("div:class=foot/p")
    assert "div:id=story:class=story-#/h1" in [block.feature for block in blocks]
    assert blocks[-1].weight == len(letters(FOOTER))
    assert blocks[0].plain == 0


def learned(*numbers: int) -> list[LearnedPage]:
    return [LearnedPage(layout_blocks(document(number)), (prose(number, 1),)) for number in numbers]


def test_pages_of_one_layout_make_one_pattern() -> None:
    pages = learned(*range(6))
    assert clusters(pages, 0.9) == [[0, 1, 2, 3, 4, 5]]
    (pattern,) = learn(pages, Thresholds(cluster=0.9)).patterns
    scores = {block.feature.rpartition("/")[2]: block for block in pattern.blocks}
    assert pattern.blocks[-1].difference == 0
    assert pattern.blocks[pattern.title].feature.endswith("/h1")
    assert scores["h1"].main == pytest.approx(
        scores["h1"].difference * sum(len(letters(prose(number, 1))) for number in range(6)) / 6
    )
    assert pattern.score == pytest.approx(math.log(6) * sum(block.main for block in pattern.blocks))


@given(st.permutations(range(6)))
def test_the_order_of_pages_makes_no_difference(order: list[int]) -> None:
    assert learn(learned(*order)) == learn(learned(*range(6)))
