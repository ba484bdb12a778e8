"""Train-test splits in three ways: within a site, merged, across sites (sections 6.2-6.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints
from winnow.evaluation.memory.pages import LabelledPage
from winnow.extractors.memory.feature_weights import FeatureWeights
from winnow.extractors.memory.igtree import Igtree
from winnow.extractors.memory.labelled_instances import CLASSES
from winnow.extractors.memory.memory_extractor import Memory
from winnow.extractors.memory.memory_training import gathered
from winnow.extractors.memory.nearest import InstanceBase
from winnow.extractors.memory.voting import elected, ranked

FOLDS: Final = 10
"""Merged and within a site every tenth page of a group is tested at once."""

Confusion = npt.NDArray[np.int64]
"""Elements by class, by their annotation and as predicted; shape (classes, classes)."""
Results = Mapping[str, Mapping[str, Confusion]]
"""By method and group."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Training pages and test pages."""

    train: Sequence[LabelledPage]
    tested: Sequence[LabelledPage]


def _within(pages: Sequence[LabelledPage]) -> Iterator[Fold]:
    groups = defaultdict(list)
    for page in pages:
        groups[page.group].append(page)
    for group in groups.values():
        yield from _merged(group)


def _merged(pages: Sequence[LabelledPage]) -> Iterator[Fold]:
    for fold in range(FOLDS):
        yield _fold(pages, {id(page) for page in pages if page.place % FOLDS == fold})


def _across(pages: Sequence[LabelledPage]) -> Iterator[Fold]:
    for site in dict.fromkeys(page.site for page in pages):
        yield _fold(pages, {id(page) for page in pages if page.site == site})


REGIMES: Final[Mapping[str, Callable[[Sequence[LabelledPage]], Iterator[Fold]]]] = MappingProxyType(
    {"within": _within, "merged": _merged, "across": _across}
)


def folds(regime: str, pages: Sequence[LabelledPage]) -> list[Fold]:
    """The folds of a regime that have pages on both sides."""
    return [fold for fold in REGIMES[regime](pages) if fold.train and fold.tested]


def sampled(parted: Sequence[Fold], sample: int) -> list[Fold]:
    """The folds with every so many pages of a group tested; all others still train."""
    thinned = [
        Fold(fold.train, [page for page in fold.tested if page.place % sample == 0])
        for fold in parted
    ]
    return [fold for fold in thinned if fold.tested]


def results(parted: Sequence[Fold], methods: Sequence[Memory]) -> Results:
    """What each method makes of every tested page, by group."""
    found: dict[str, dict[str, Confusion]] = {method.name: {} for method in methods}
    for fold in parted:
        queries = gathered([page.example for page in fold.tested])
        groups = np.repeat(
            [page.group for page in fold.tested],
            [len(page.example.classes) for page in fold.tested],
        )
        for name, classes in predicted(fold, queries.values, methods):
            for group in dict.fromkeys(page.group for page in fold.tested):
                here = groups == group
                matrix = confusion(queries.classes[here], classes[here])
                found[name][group] = found[name].get(group, np.zeros_like(matrix)) + matrix
    return found


def predicted(fold: Fold, queries: Ints, methods: Sequence[Memory]) -> Iterator[tuple[str, Ints]]:
    """Each method's classes of the queries; methods with the same weights share one search."""
    train = gathered([page.example for page in fold.train])
    feature_weights = FeatureWeights.of(train.values, train.classes, train.numeric)
    rank = ranked(train.frequencies)
    distinct, back = _distinct(queries)
    for weighting in dict.fromkeys(method.w for method in methods):
        mine = [method for method in methods if method.w == weighting]
        neighbours = [method for method in mine if method.algorithm == "ib1"]
        if neighbours:
            base = InstanceBase.weighted(
                train, feature_weights.weights[weighting], feature_weights.order
            )
            most = max(method.k for method in neighbours)
            counts = base.nearest(distinct, most + 1).counts
            for method in neighbours:
                yield method.name, elected(counts[:, : method.k + 1], method.k, rank)[back]
        for method in mine:
            if method.algorithm == "igtree":
                tree = Igtree.of(train, feature_weights.weights[weighting], rank)
                yield method.name, tree.predict(queries)


def confusion(labels: Ints, predicted: Ints) -> Confusion:
    """How often each class was taken for each."""
    size = len(CLASSES)
    pairs = np.bincount(labels * size + predicted, minlength=size * size)
    return pairs.reshape(size, size).astype(np.int64)


def _fold(pages: Sequence[LabelledPage], tested: set[int]) -> Fold:
    train = [page for page in pages if id(page) not in tested]
    return Fold(train, [page for page in pages if id(page) in tested])


def _distinct(queries: Ints) -> tuple[Ints, npt.NDArray[np.intp]]:
    """Each query once, and which of them each was."""
    distinct, back = np.unique(queries, axis=0, return_inverse=True)
    return distinct, back.ravel()
