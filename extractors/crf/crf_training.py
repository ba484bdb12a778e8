"""Labelled blocks to a CRF, by python-crfsuite (the extra ``crf``); used for training alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from winnow.extractors.crf.crf_features import BINS, BlockFeatures
from winnow.extractors.crf.crf_model import LABELS, CrfModel
from winnow.extractors.errors import ModelError

PENALTY: Final = 5.0
"""The coefficient of the squares of all weights: of 1, 5 and 20 the best on cleaneval-dev,
cross-validated."""
ROUNDS: Final = 150


@dataclass(frozen=True, slots=True, eq=False)
class CrfExample:
    """A page's blocks, and which of them are content."""

    features: BlockFeatures
    is_content: Sequence[bool]


def learn(
    examples: Iterable[CrfExample], notes: Mapping[str, Any], *, chain: bool = True
) -> CrfModel:
    """The model of labelled pages; without a chain each block is a row of its own.

    Raises ModelError where python-crfsuite is missing or there is nothing to learn from.
    """
    try:
        import pycrfsuite  # noqa: PLC0415  # an extra, for training alone
    except ImportError as error:
        raise ModelError(
            "Training needs python-crfsuite: pip install '.[crf]' in Winnow's checkout"
        ) from error
    trainer = pycrfsuite.Trainer(verbose=False, algorithm="lbfgs")
    trainer.set_params({"c1": 0.0, "c2": PENALTY, "max_iterations": ROUNDS})
    rows = 0
    for example in examples:
        words = example.features.attributes()
        labels = [LABELS[kept] for kept in example.is_content]
        alone = (([word], [label]) for word, label in zip(words, labels, strict=True))
        for row in [(words, labels)] if chain else alone:
            trainer.append(*row)
            rows += bool(row[0])
    if not rows:
        raise ModelError("There is no page with blocks: add pages to train.")
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        with tagger.open(path):
            info = tagger.info()
    return _model(info.state_features, info.transitions, notes)


def _model(
    state: Mapping[tuple[str, str], float],
    transitions: Mapping[tuple[str, str], float],
    notes: Mapping[str, Any],
) -> CrfModel:
    weights: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]] = {}
    for (attribute, label), weight in state.items():
        name, _, value = attribute.rpartition("=")
        table = weights.setdefault(name, np.zeros((BINS, len(LABELS))))
        table[int(value), LABELS.index(label)] = weight
    chain = np.zeros((len(LABELS), len(LABELS)))
    for (left, right), weight in transitions.items():
        chain[LABELS.index(left), LABELS.index(right)] = weight
    return CrfModel.of(weights, chain, notes)
