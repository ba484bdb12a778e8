"""Counts and means of labels, as section 6.1 tells them."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.evaluation.memory.regimes import Confusion, confusion
from winnow.evaluation.memory.scores import Counts, average, counted, macro, micro
from winnow.extractors.memory.labelled_instances import CLASSES


def matrix(*pairs: tuple[str, str]) -> Confusion:
    """A confusion of classes told and predicted."""
    told, predicted = (
        np.array([CLASSES.index(one) for one in side]) for side in zip(*pairs, strict=True)
    )
    return confusion(told.astype(np.int32), predicted.astype(np.int32))


def test_a_label_counts_where_a_class_names_it() -> None:
    found = matrix(("b+g", "b+g"), ("g+b", "g+g"), ("g+g", "b+b"), ("b+b", "b+b"))
    assert counted(found, "body") == Counts(right=2, alarms=1, missed=1)
    assert counted(found, "title") == Counts()


def test_one_class_for_another_of_the_label_is_a_miss_and_an_alarm() -> None:
    assert counted(matrix(("b+b", "b+g")), "body") == Counts(right=0, alarms=1, missed=1)


def test_precision_recall_and_f() -> None:
    counts = Counts(right=6, alarms=2, missed=4)
    assert (counts.precision, counts.recall) == (0.75, 0.6)
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)
    assert (Counts().precision, Counts().recall, Counts().f1) == (0, 0, 0)


def test_micro_counts_elements_and_macro_groups() -> None:
    right, wrong = ("h+g", "h+g"), ("h+g", "g+g")
    groups = {"a": matrix(*[right] * 9), "b": matrix(wrong), "none": matrix(("g+g", "g+g"))}
    assert micro(groups, "heading") == Counts(right=9, missed=1)
    assert macro(groups, "heading").f1 == 0.5
    assert average(groups) == pytest.approx(micro(groups, "heading").f1 / 3)
