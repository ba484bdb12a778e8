"""Instances made for these tests: with ties, equal rows of several classes, numbers and symbols."""

from __future__ import annotations

import numpy as np

from winnow.extractors.memory.element_features import NAMES, NUMERIC
from winnow.extractors.memory.labelled_instances import CLASSES, LabelledInstances

FEW = np.array([False] * 5 + [True] * 3)
"""Eight features with few values each, so that many distances are equal."""


def few(count: int, seed: int) -> LabelledInstances:
    """Instances of eight features and four classes."""
    draw = np.random.default_rng(seed)
    values = np.column_stack([draw.integers(0, 4, (count, 5)), draw.integers(0, 6, (count, 3))])
    noise = (draw.random(count) < 0.3) * draw.integers(0, 3, count)
    classes = (values[:, 0] + values[:, 5] // 2 + noise) % 4
    return LabelledInstances(values.astype(np.int32), classes.astype(np.int32), FEW, 4)


def elements(count: int, seed: int) -> LabelledInstances:
    """Instances like a page's: the thesis's 41 features, mostly garbage."""
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 3, (count, len(NAMES))).astype(np.int32)
    values[:, :11] = np.lib.stride_tricks.sliding_window_view(draw.integers(1, 9, count + 10), 11)
    lengths = np.where(draw.random((count, 14)) < 0.6, 0, draw.geometric(0.01, (count, 14)))
    values[:, NUMERIC] = lengths
    text = values[:, 14] > 120
    kinds = np.where(text & (values[:, 5] < 4), 12, np.where(values[:, 5] == 7, 4, 0))
    odd = draw.random(count) < 0.05
    classes = np.where(odd, draw.integers(0, len(CLASSES), count), kinds)
    return LabelledInstances(values, classes.astype(np.int32), NUMERIC, len(CLASSES))
