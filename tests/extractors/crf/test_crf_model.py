"""Decoding is the definition's, and python-crfsuite's."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.extractors.crf.crf_model import CrfModel, best_labels, load_model, marginals
from winnow.extractors.errors import ModelError

weight = st.floats(-5, 5).map(lambda value: round(value, 3))
rows = st.lists(st.tuples(weight, weight), min_size=1, max_size=6)
chains = st.tuples(st.tuples(weight, weight), st.tuples(weight, weight))


def score(labels: tuple[int, ...], emissions: list[tuple[float, float]], chain: object) -> float:
    table = np.array(chain)
    own = sum(row[label] for row, label in zip(emissions, labels, strict=True))
    pairs = pairwise(labels)
    return float(own + sum(table[left, right] for left, right in pairs))


@given(rows, chains)
def test_the_row_of_labels_is_the_most_probable(
    emissions: list[tuple[float, float]], chain: object
) -> None:
    found = tuple(best_labels(np.array(emissions), np.array(chain)).tolist())
    every = [score(labels, emissions, chain) for labels in product((0, 1), repeat=len(emissions))]
    assert score(found, emissions, chain) == pytest.approx(max(every))


@given(rows, chains)
def test_marginals_sum_over_all_rows(emissions: list[tuple[float, float]], chain: object) -> None:
    choices = [*product((0, 1), repeat=len(emissions))]
    weights = np.exp([score(labels, emissions, chain) for labels in choices])
    expected = [
        sum(weights[place] for place, labels in enumerate(choices) if labels[at]) / weights.sum()
        for at in range(len(emissions))
    ]
    assert marginals(np.array(emissions), np.array(chain)) == pytest.approx(expected)


def test_a_page_without_blocks_has_no_labels() -> None:
    none, chain = np.zeros((0, 2)), np.zeros((2, 2))
    assert best_labels(none, chain).tolist() == marginals(none, chain).tolist() == []


def test_a_saved_model_is_the_same(tmp_path: Path) -> None:
    shipped = load_model()
    shipped.save(tmp_path)
    again = CrfModel.load(tmp_path)
    assert again.digest == shipped.digest
    assert np.array_equal(again.transitions, shipped.transitions)
    assert again.weights.keys() == shipped.weights.keys()
    assert all(np.array_equal(again.weights[name], shipped.weights[name]) for name in again.weights)


@pytest.mark.parametrize("text", ["", "[]", '{"format": 9}', '{"format": 1}'])
def test_what_is_no_model_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(ModelError, match="train"):
        CrfModel.load(tmp_path)
