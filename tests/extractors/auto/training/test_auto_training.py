"""Training on pages written for it: folds by domain, bare pages, and what comes out in the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.extractors.auto.pages import article
from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.auto_model import read, write
from winnow.extractors.auto.features.attribute_tokens import Lexicon
from winnow.extractors.auto.prediction import PagePrediction, predict
from winnow.extractors.auto.training.augmentation import copy_of
from winnow.extractors.auto.training.auto_training import learn
from winnow.extractors.auto.training.fitting import AutoTrainingPlan, TreePlan
from winnow.extractors.auto.training.training_examples import FOLDS, AutoExample, bare_of

FEW = TreePlan(trees=12, leaves=7, rate=0.3, rows_in_leaf=5)
PLAN = AutoTrainingPlan(trees=FEW, types=FEW, good=FEW)


def f1_of(index: int, _: PagePrediction) -> float:
    """A score without a measure: a quarter of the pages each from 0.25 to 1."""
    return 1 - index % 4 / 4


def example(number: int) -> AutoExample:
    document = Document.from_html(article(3 + number % 5))
    blocks = blocks_of(document)
    edges = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    shares = np.array(["harbour" in document.text[a:b] for a, b in edges], dtype=np.float32)
    made = AutoExample(
        document, blocks, shares, int((blocks.words * shares).sum()), f"{number}.org"
    )
    return replace(made, page_type="article", bare=bare_of(document, blocks, shares))


def test_a_domain_is_always_in_the_same_fold() -> None:
    folds = [example(number).fold for number in range(20)]

    assert folds == [example(number).fold for number in range(20)]
    assert set(folds) == set(range(FOLDS))


def test_a_bare_page_has_its_chrome_and_nothing_else() -> None:
    bare = example(0).bare
    assert bare is not None
    document, _ = bare

    assert "harbour" not in document.text
    assert "Privacy policy" in document.text


def test_three_of_four_pages_have_a_copy_without_some_of_their_scores() -> None:
    copies = [copy_of(example(number)) for number in range(400)]

    assert copies == [copy_of(example(number)) for number in range(400)]
    for kind in ((True, False), (False, True), (False, False), None):
        assert 70 < copies.count(kind) < 130  # type: ignore[arg-type] # a tuple equals its NamedTuple


def test_a_model_finds_content_by_form_where_no_score_is_left(saved: Path) -> None:
    model = read(saved)
    mute = replace(model, lexicon=Lexicon(np.zeros_like(model.lexicon.scores)))
    document = Document.from_html(article(9))

    found = predict(document, mute)

    assert found is not None
    kept = [document.text[found.blocks.start[i] :][:14] for i in np.flatnonzero(found.is_content)]
    assert "8. The harbour" in kept
    assert not any("Privacy" in text for text in kept)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_module("lightgbm", "pip install '.[train]'")
    folder = tmp_path_factory.mktemp("model")
    learned = learn(
        [example(number) for number in range(30)],
        PLAN,
        lambda index, found: 1 - index % 4 / 4,
        lambda _: None,
    )
    assert all(answer.found.is_content.any() for answer in learned.held)
    kinds = {answer.kind for answer in learned.held}
    assert kinds == {"article"}  # no page of theirs was seen by the trees that say so
    assert learned.confidences.shape == (len(learned.held), 2)
    write(learned.model, {"extractor": "auto"}, folder)
    return folder


def test_what_was_learned_finds_the_content_of_a_new_page(saved: Path) -> None:
    document = Document.from_html(article(9))

    found = predict(document, read(saved))

    assert found is not None
    is_content = [
        document.text[found.blocks.start[i] :][:14] for i in np.flatnonzero(found.is_content)
    ]
    assert "8. The harbour" in is_content
    assert not any("Privacy" in text for text in is_content)


def test_training_twice_gives_the_same_numbers(saved: Path, tmp_path: Path) -> None:
    learned = learn(
        [example(number) for number in range(30)],
        PLAN,
        lambda index, found: 1 - index % 4 / 4,
        lambda _: None,
    )
    write(learned.model, {}, tmp_path)

    again, before = read(tmp_path), read(saved)

    assert again.forest.nodes.tolist() == before.forest.nodes.tolist()
    assert again.lexicon.scores.tolist() == before.lexicon.scores.tolist()
