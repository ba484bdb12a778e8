"""The choice among a page's stretches: what is learned from, what is learned, what is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import winnow
from tests.programs import require_module
from winnow.document.document import Document
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.page_runs import NAMES, STRETCHES
from winnow.extractors.auto.prediction import GAINS, PagePrediction, predict, with_stretch
from winnow.extractors.auto.training.fitting import TreePlan
from winnow.extractors.auto.training.switch_training import Trial, chosen_f1, fit_switch, trial
from winnow.extractors.auto.trees import NODE, Forest, sums_of

SAID = "The ferry left the quay at dawn with ten cars aboard. "
PAGE = f"<p>{SAID}</p><h1>The ferry</h1>{f'<p>{SAID * 3}</p>' * 3}"


def found_of(html: str = PAGE) -> PagePrediction:
    """What a model without a switch predicts of a page, if all of it were taken for content."""
    found = predict(Document.from_html(html), replace(shipped(), switch=()))
    assert found is not None
    every = np.ones(len(found.blocks), dtype=np.bool_)
    masks = np.stack([np.arange(len(every)) >= 1, every, np.zeros_like(every)])
    runs = found.runs._replace(masks=masks)
    return replace(found, is_content=every, runs=runs, page_type="article")


def test_a_stretch_gains_by_what_it_leaves_out() -> None:
    found = found_of()
    shares = np.array([0.0, *[1.0] * (len(found.blocks) - 1)])

    learned = trial(found, shares, 0.5)

    words = found.blocks.words
    right, whole = int(words[1:].sum()), int(words.sum())
    assert learned.gains.tolist() == pytest.approx(
        [1 - 2 * right / (whole + right), 0, -0.950], abs=0.02
    )
    assert learned.row is found.runs.row


def test_trees_find_the_stretch_that_gains() -> None:
    require_module("lightgbm", "pip install 'winnow-proxy[train]'")
    draw, at = np.random.default_rng(3), NAMES.index("run 0.7: led outside")
    rows = draw.random((400, len(NAMES))).astype(np.float32)
    gains = np.where(rows[:, at] > 0.5, 0.3, -0.3)
    trials = [
        Trial(row, row, np.array([0.5, 0.4, 0.4, 0.5 + gain]), 1.0)
        for row, gain in zip(rows, gains, strict=True)
    ]

    switch = fit_switch(trials, TreePlan(trees=40, leaves=4, rows_in_leaf=20, weight_in_leaf=0.001))

    for row, gain in zip(rows[:50], gains, strict=False):
        sums = sums_of(switch, row[None])
        assert (sums.index(max(sums)) == len(STRETCHES) - 1 and max(sums) > GAINS[None]) == (
            gain > 0
        )


def test_the_stretch_that_gains_most_is_taken() -> None:
    found = found_of(f"<p><a href=/>{SAID}</a></p><h1>The ferry</h1><p>{SAID * 6}</p>")

    best = with_stretch(found, [0.3, 0.1, -0.2])

    assert best.is_content.tolist() == found.runs.masks[0].tolist()
    assert (best.stretch, best.linked) == (0, 0)


@pytest.mark.parametrize("gains", [[], [GAINS[None], -0.1, -0.2]])
def test_blocks_stay_where_nothing_gains_enough(gains: list[float]) -> None:
    found = found_of()

    assert with_stretch(found, gains) is found


@pytest.mark.parametrize("page_type", ["documentation", "collection", "product"])
def test_a_page_of_several_texts_is_no_one_stretch(page_type: str) -> None:
    found = replace(found_of(), page_type=page_type)

    assert with_stretch(found, [0.3, 0.3, 0.3]) is found


@pytest.mark.parametrize(
    ("html", "gains", "said"),
    [
        (PAGE, [-0.1, 0.3, -0.1], "article"),
        (PAGE, [0.3, 0.1, -0.1], "listing"),
        (PAGE.replace("<p>", "<p><a href=/>"), [-0.1, 0.3, -0.1], "listing"),
        (f"<h1>The ferry</h1><p>{SAID}</p>", [-0.1, 0.3, -0.1], "listing"),
    ],
)
def test_a_listing_that_is_one_run_of_text_is_an_article(
    html: str, gains: list[float], said: str
) -> None:
    found = replace(found_of(html), page_type="listing")

    assert with_stretch(found, gains).page_type == said


def test_a_page_of_a_few_words_is_read_by_blocks() -> None:
    found = replace(found_of("<h2>Ferry</h2><p>It left.</p><p>It came back.</p>"), page_type=None)

    assert with_stretch(found, [0.3, 0.3, 0.3]) is found
    assert winnow.extract("<h2>Ferry times</h2><p>It left.</p><p>It came back.</p>").text == (
        "It left.\n\nIt came back."
    )


def test_a_thread_is_one_stretch_only_where_that_gains_much() -> None:
    found = replace(found_of(), page_type="forum")

    assert with_stretch(found, [0.04, 0, 0]) is found
    assert with_stretch(found, [0.06, 0, 0]).stretch == 0


@pytest.mark.parametrize(("gains", "f1"), [([0.1, 0.3, 0.2], 0.7), ([0.0, 0.0, 0.0], 0.5)])
def test_the_f1_of_what_is_chosen_is_that_of_its_stretch(gains: list[float], f1: float) -> None:
    trees = [Forest(leaf(gain), np.zeros(1, dtype=np.int32)) for gain in gains]
    row = np.zeros(len(NAMES), dtype=np.float32)
    one = Trial(row, row, np.array([0.5, 0.6, 0.7, 0.8]), 1.0)

    assert chosen_f1(one, trees, "article") == f1
    assert chosen_f1(one, trees, "product") == 0.5


def leaf(value: float) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """A tree of one leaf."""
    return np.array([(-1, value, 0, 0)], dtype=NODE)
