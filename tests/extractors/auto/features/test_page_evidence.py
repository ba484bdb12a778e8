"""What a prediction of blocks says about itself."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.features.page_evidence import NAMES, evidence

TEN = "one two three four five six seven eight nine ten"
PAGE = Document.from_html(f"<p>{TEN}<p>{TEN}<p><a href=/>{TEN}</a><p>{TEN}<p>{TEN}")
BLOCKS = blocks_of(PAGE)


def found(chances: list[float], threshold: float = 0.4) -> dict[str, float]:
    probabilities = np.array(chances)
    row = evidence(BLOCKS, probabilities, probabilities > threshold, threshold)
    return dict(zip(NAMES, row.tolist(), strict=True))


def test_a_sure_prediction_of_one_run() -> None:
    row = found([0.0, 1.0, 0.0, 0.0, 0.0])

    assert row["f1"] == row["precision"] == row["recall"] == row["sure of kept"] == 1
    assert row["doubt"] == pytest.approx(0, abs=1e-3)
    assert (row["before"], row["after"], row["kept"], row["words"]) == (10, 30, 10, 50)
    assert (row["runs"], row["longest run"], row["gaps"]) == (1, 1, 0)


def test_what_is_left_out_between_two_runs_is_a_gap() -> None:
    row = found([0.9, 0.9, 0.1, 0.9, 0.0])

    assert (row["runs"], row["gaps"]) == (2, 0.25)
    assert row["longest run"] == pytest.approx(2 / 3)
    assert row["linked"] == 0
    assert row["unlinked agrees"] == pytest.approx(2 * 30 / 70)
    assert row["prose dropped"] == pytest.approx(1 / 3)


def test_links_that_are_kept_are_counted() -> None:
    assert found([0.0, 0.0, 0.9, 0.0, 0.0])["linked"] == 1


def test_doubt_grows_with_middling_chances() -> None:
    assert found([0.6] * 5)["doubt"] > found([0.95] * 5)["doubt"]
    assert found([0.6] * 5)["deviation"] > found([0.95] * 5)["deviation"]


@pytest.mark.parametrize("chances", [[0.0] * 5, [1.0] * 5, [0.1, 0.1, 0.1, 0.1, 0.1]])
def test_every_feature_is_a_number(chances: list[float]) -> None:
    assert np.isfinite(list(found(chances).values())).all()
