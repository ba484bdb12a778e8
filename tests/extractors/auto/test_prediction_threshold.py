"""Thresholds, and what happens to blocks that have no words."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.extractors.auto import decision


def test_equals_pull_each_other_and_others_do_not() -> None:
    score, words = np.array([3.0, -1.0, -1.0]), np.array([10, 10, 10])
    alone = np.arange(3)

    pulled = decision.averaged(score, words, np.array([[0, 0, 2], alone]))
    same = decision.averaged(score, words, np.array([alone, alone]))

    assert pulled[0] < 3.0
    assert pulled[1] > -1.0
    assert pulled[2] == pytest.approx(-1.0)
    assert same == pytest.approx(score)


def test_of_sure_blocks_a_perfect_answer_is_expected() -> None:
    chances, words = np.array([1.0, 1.0, 0.0]), np.array([10, 5, 100])

    assert decision.expected_f1(chances, words) == pytest.approx(1)
    assert decision.threshold(1.0) == decision.HIGHEST


def test_the_threshold_is_half_of_what_can_be_had() -> None:
    assert decision.threshold(0.6) == pytest.approx(0.3)


def test_where_little_can_be_had_the_threshold_has_a_floor() -> None:
    assert decision.threshold(0.0) == decision.LOWEST


def test_a_page_without_words_promises_nothing() -> None:
    assert decision.expected_f1(np.array([0.9]), np.array([0])) == 0


@pytest.mark.parametrize(
    ("is_content", "filled"),
    [
        ([True, False, True], [True, True, True]),
        ([True, True, False], [True, False, False]),
        ([False, True, False], [False, False, False]),
    ],
)
def test_an_image_is_kept_between_kept_blocks(is_content: list[bool], filled: list[bool]) -> None:
    words = np.array([5, 0, 7])

    assert decision.fill_silent(np.array(is_content), words).tolist() == filled


def test_an_image_at_the_edge_needs_one_neighbour() -> None:
    words = np.array([0, 5, 0])

    assert decision.fill_silent(np.array([False, True, False]), words).tolist() == [True] * 3


def test_images_alone_are_not_kept() -> None:
    assert decision.fill_silent(np.array([True, True]), np.array([0, 0])).tolist() == [False] * 2
