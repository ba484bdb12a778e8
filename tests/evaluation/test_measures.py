"""Precision, recall and F1 against their plain definitions."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measures import NOTHING, PERFECT, Score, deviation, mean, word_f1
from evaluation.words import words

TEXTS = st.text(st.sampled_from("abc de,中\n"), max_size=40)


def naive_word_f1(extracted: str, gold: str) -> Score:
    """The definition, word by word: each gold word may be found once."""
    mine, left = words(extracted), words(gold)
    if not mine and not left:
        return Score(1, 1, 1)
    wanted, common = len(left), 0
    for word in mine:
        if word in left:
            left.remove(word)
            common += 1
    if common == 0:
        return Score(0, 0, 0)
    precision, recall = common / len(mine), common / wanted
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


@given(TEXTS, TEXTS)
def test_word_f1_is_its_definition(extracted: str, gold: str) -> None:
    found, expected = word_f1(extracted, gold), naive_word_f1(extracted, gold)
    assert found.precision == expected.precision
    assert found.recall == expected.recall
    assert found.f1 == pytest.approx(expected.f1)


@given(TEXTS, TEXTS)
def test_swapping_the_texts_swaps_precision_and_recall(left: str, right: str) -> None:
    there, back = word_f1(left, right), word_f1(right, left)
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


@pytest.mark.parametrize(
    ("extracted", "gold", "expected"),
    [
        ("", "", PERFECT),
        ("?!", " ", PERFECT),
        ("", "gold", NOTHING),
        ("output", "", NOTHING),
        ("The Dog", "the dog", PERFECT),
        ("dog the", "the dog", PERFECT),
        ("a a", "a", Score(0.5, 1.0, 2 / 3)),
    ],
)
def test_word_f1_at_its_edges(extracted: str, gold: str, expected: Score) -> None:
    assert word_f1(extracted, gold) == expected


@given(st.lists(st.floats(0, 1), min_size=2))
def test_mean_and_deviation_are_the_statistician_s(values: list[float]) -> None:
    assert mean(values) == statistics.fmean(values)
    assert deviation(values) == statistics.stdev(values)


def test_mean_and_deviation_of_too_little() -> None:
    assert (mean([]), deviation([]), deviation([0.3])) == (0.0, 0.0, 0.0)
