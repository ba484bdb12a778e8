"""The shipped model on pages written for it, and models of one's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from tests.extractors.mss.pages import news, text_of
from winnow.document.document import Document
from winnow.extractors.crf.crf_extractor import Crf
from winnow.extractors.crf.crf_features import block_features
from winnow.extractors.crf.crf_model import LABELS, best_labels, content_of, load_model, marginals
from winnow.extractors.crf.crf_training import PENALTY, ROUNDS, CrfExample, learn
from winnow.extractors.errors import ModelError
from winnow.extractors.registry import make


def example(seed: int) -> CrfExample:
    document = Document.from_html(news(seed, site=f"site{seed % 3}"))
    found = block_features(document)
    kept = np.isin(found.columns["container.p"], [10])
    return CrfExample(found, kept.tolist())


def test_the_shipped_model_keeps_the_story() -> None:
    found = text_of(make("crf"), news(3))
    assert "Story 3 begins here" in found
    assert "and so it ended." in found
    assert "Newsletter" not in found


def test_reasons_are_probabilities() -> None:
    document = Document.from_html(news(3))
    reasons = Crf().explain(document)
    assert all(0 <= (each.score or 0) <= 1 for each in reasons)
    assert any(each.kept and "Content with a probability" in each.rule for each in reasons)


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    learn(map(example, range(9)), {"packages": []}).save(tmp_path)
    found = text_of(make(f"crf:{tmp_path}"), news(50, site="elsewhere"))
    assert "Story 50 begins here" in found
    assert "Newsletter" not in found
    assert make(f"crf:{tmp_path}").fingerprint != make("crf").fingerprint
    assert load_model(str(tmp_path)).transitions.any()
    alone = learn(map(example, range(9)), {}, chain=False)
    assert not alone.transitions.any()


def test_decoding_is_python_crfsuites(tmp_path: Path) -> None:
    examples = [example(seed) for seed in range(9)]
    trainer = pycrfsuite.Trainer(verbose=False, algorithm="lbfgs")
    trainer.set_params({"c1": 0.0, "c2": PENALTY, "max_iterations": ROUNDS})
    for each in examples:
        trainer.append(each.features.attributes(), [LABELS[kept] for kept in each.is_content])
    trainer.train(str(tmp_path / "model.crf"))
    tagger, model = pycrfsuite.Tagger(), learn(examples, {})
    tagger.open(str(tmp_path / "model.crf"))
    for each in [*examples, example(60)]:
        emissions = model.emissions(each.features)
        expected = tagger.tag(each.features.attributes())
        assert [LABELS[label] for label in best_labels(emissions, model.transitions)] == expected
        chances = [tagger.marginal("content", place) for place in range(len(expected))]
        assert marginals(emissions, model.transitions) == pytest.approx(chances, abs=0.01)


def test_a_row_of_garbage_alone_is_not_taken() -> None:
    chain = np.array([[2.0, -2.0], [-2.0, 2.0]])
    emissions = np.array([[0.0, -9], [0, 1.5], [0, 1], [0, -9], [0, -9]])
    assert not best_labels(emissions, chain).any()
    chances = marginals(emissions, chain)
    assert chances.max() < 0.5
    assert content_of(emissions, chain, chances).tolist() == [False, True, True, False, False]
    certain = emissions + np.array([0, 5])
    found = content_of(certain, chain, marginals(certain, chain))
    assert found.tolist() == [bool(label) for label in best_labels(certain, chain)]
    nothing = np.zeros((0, 2))
    assert not len(content_of(nothing, chain, marginals(nothing, chain)))


def test_learning_from_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match="no page with blocks"):
        learn([], {})


def test_labels_are_two() -> None:
    assert LABELS == ("garbage", "content")
