"""Precision, recall and F1 against their plain definitions."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.evaluation.measuring.measures import (
    MEASURES,
    NOTHING,
    PERFECT,
    Score,
    Texts,
    alignment,
    content_bounds,
    measured,
    score,
    sequence_score,
    shingles,
    word_f1,
)
from winnow.evaluation.measuring.words import words

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


def longest_common(left: Sequence[str], right: Sequence[str]) -> int:
    """The textbook's table, row by row."""
    above = [0] * (len(right) + 1)
    for item in left:
        row = [0]
        for column, other in enumerate(right):
            row.append(above[column] + 1 if item == other else max(row[column], above[column + 1]))
        above = row
    return above[-1]


@given(TEXTS, TEXTS)
def test_sequences_are_compared_by_their_longest_common_subsequence(
    extracted: str, gold: str
) -> None:
    for mine, wanted in ((extracted, gold), (words(extracted), words(gold))):
        expected = score(longest_common(mine, wanted), len(mine), len(wanted))
        assert sequence_score(mine, wanted) == expected


@given(TEXTS, TEXTS)
def test_cleaneval_s_score_is_its_definition(extracted: str, gold: str) -> None:
    mine, wanted = words(extracted), words(gold)
    common = longest_common(mine, wanted)
    distance = (len(mine) - common) + (len(wanted) - common)
    length = common + distance
    assert alignment(mine, wanted) == pytest.approx(1 - distance / length if length else 1)


def test_cleaneval_s_own_example() -> None:
    assert alignment("the dog barked".split(), "the dog".split()) == pytest.approx(1 - 1 / 3)


def published_shingles(true: str, predicted: str) -> tuple[float, float, float]:
    """True positives, false positives and negatives as article-extraction-benchmark has it."""

    def counted(text: str) -> dict[tuple[str, ...], int]:
        tokens = re.findall(r"\w+", text)
        starts = range(max(1, len(tokens) - 3))
        grams = [tuple(tokens[start : start + 4]) for start in starts]
        return {gram: grams.count(gram) for gram in grams if gram}

    wanted, mine = counted(true), counted(predicted)
    keys = wanted.keys() | mine.keys()
    found = sum(min(wanted.get(key, 0), mine.get(key, 0)) for key in keys)
    added = sum(max(0, mine.get(key, 0) - wanted.get(key, 0)) for key in keys)
    missed = sum(max(0, wanted.get(key, 0) - mine.get(key, 0)) for key in keys)
    return found, added, missed


@given(st.text(st.sampled_from("aB c,"), max_size=60), st.text(st.sampled_from("aB c,")))
def test_shingles_are_the_benchmark_s(extracted: str, gold: str) -> None:
    found, added, missed = published_shingles(gold, extracted)
    values = measured(Texts(extracted, gold), ["shingles"])
    if found + added:
        assert values["shingles.precision"] == pytest.approx(found / (found + added))
    if found + missed:
        assert values["shingles.recall"] == pytest.approx(found / (found + missed))
    assert ("shingles.precision" in values) == (found + added > 0)
    assert ("shingles.recall" in values) == (found + missed > 0)


@pytest.mark.parametrize(
    ("gold", "extracted", "found", "added", "missed"),
    [
        ("a b c", "a b c", 1, 0, 0),
        ("a b c d", "a b c", 1, 0, 1),
        ("a b c", "a b c d", 1, 1, 0),
        ("", "", 0, 0, 0),
        ("a", "", 0, 0, 1),
        ("", "a", 0, 1, 0),
        ("a b c a b c", "a b c", 1, 0, 3),
    ],
)
def test_shingles_of_three_on_the_benchmark_s_own_examples(
    gold: str, extracted: str, found: int, added: int, missed: int
) -> None:
    wanted, mine = shingles(gold, 3), shingles(extracted, 3)
    common = (wanted & mine).total()
    assert (common, mine.total() - common, wanted.total() - common) == (found, added, missed)


def test_white_space_is_no_character() -> None:
    values = measured(Texts(" the\n\n dog", "the dog "), ["characters"])
    assert values["characters.f1"] == 1


def test_the_best_of_several_right_answers_counts() -> None:
    texts = Texts("By Ann. The dog barked.", "The dog barked.", ("By Ann. The dog barked.",))
    values = measured(texts, ["best", "sequence"])
    assert values["best.f1"] == 1 > values["sequence.f1"]


def test_snippets_are_found_however_they_are_spaced_and_cased() -> None:
    texts = Texts("The  DOG\nbarked", "", wanted=("the dog", "cat"), unwanted=("cat", "barked"))
    values = measured(texts, ["snippets"])
    assert (values["with"], values["without"]) == (0.5, 0.5)
    assert "with" not in measured(Texts("a", "a"), ["snippets"])


@given(TEXTS, TEXTS)
def test_every_measure_is_in_its_range_and_word_is_always_taken(extracted: str, gold: str) -> None:
    values = measured(Texts(extracted, gold), MEASURES)
    assert "word.f1" in measured(Texts(extracted, gold), [])
    assert all(0 <= value <= 1 for name, value in values.items() if "voice" not in name)
    assert all(value >= 0 for value in values.values())


@given(TEXTS)
def test_a_text_is_all_like_itself(text: str) -> None:
    values = measured(Texts(text, text), MEASURES.keys() - {"voice", "repeated"})
    assert set(values.values()) <= {1.0}


STORY = "the dog barked at the moon all night"


@pytest.mark.parametrize(
    ("extracted", "gold", "expected"),
    [
        (STORY, STORY, (0, 8)),
        (f"the news of the day {STORY} share this", STORY, (5, 13)),
        ("the dog barked", "dog barked", (1, 3)),
        ("the dog and the moon", STORY, None),
        ("", STORY, None),
        (STORY, "", None),
    ],
)
def test_content_begins_and_ends_with_runs_of_gold_s_words(
    extracted: str, gold: str, expected: tuple[int, int] | None
) -> None:
    assert content_bounds(extracted.split(), gold.split()) == expected


def test_listening_is_given_in_seconds() -> None:
    values = measured(Texts(f"a b c {STORY} d", STORY), ["voice"])
    assert [values[f"voice.{name}"] for name in ("start", "end", "all")] == pytest.approx(
        [3 / 3, 11 / 3, 12 / 3]
    )
    assert "voice.start" not in measured(Texts("menu", STORY), ["voice"])
