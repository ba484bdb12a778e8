"""F against the number of training pages or sites (section 6.7)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.memory.pages import LabelledPage
from winnow.evaluation.memory.regimes import Fold, folds, results, sampled
from winnow.evaluation.memory.scores import average
from winnow.extractors.memory.memory_extractor import Memory

Curve = Mapping[int, float]
"""The mean F of title, heading and body by how many pages or sites there were."""

SIZES: Final = (2, 4, 8, 16, 32, 64, 128)
DRAWS: Final = 3
"""The thesis adds pages in one order, and regrets it (section 7.1): ours is a mean of draws."""
SEED: Final = 2009


def curves(pages: Sequence[LabelledPage], method: Memory, sample: int = 1) -> dict[str, Curve]:
    """The curves of the three regimes (figures 6.3 to 6.8).

    ``sample``: test every so many pages of a group only; all of them train.
    """
    return {
        "within": _mean(_within(pages), method, sample),
        "merged": _mean(_merged(pages), method, sample),
        "across": _mean(_across(pages), method, sample),
    }


def _mean(parted: Iterator[tuple[int, list[Fold]]], method: Memory, sample: int) -> Curve:
    found: dict[int, list[float]] = {}
    for count, wanted in parted:
        tested = sampled(wanted, sample)
        found.setdefault(count, []).append(average(results(tested, [method])[method.name]))
    return {count: mean(values) for count, values in found.items()}


def _within(pages: Sequence[LabelledPage]) -> Iterator[tuple[int, list[Fold]]]:
    """2, 3, ... pages of a group cross-validated: all groups' folds together."""
    most = max((page.place for page in pages), default=0) + 1
    for count in range(2, min(most, 10) + 1):
        yield count, folds("within", [page for page in pages if page.place < count])


def _merged(pages: Sequence[LabelledPage]) -> Iterator[tuple[int, list[Fold]]]:
    draw = random.Random(SEED)  # noqa: S311  # an experiment is to be repeated, not secret
    for count in (size for size in SIZES if size <= len(pages)):
        for _ in range(DRAWS if count < SIZES[-2] else 1):
            chosen = draw.sample(list(pages), count)
            yield count, folds("merged", [_placed(page, at) for at, page in enumerate(chosen)])
    yield len(pages), folds("merged", pages)


def _across(pages: Sequence[LabelledPage]) -> Iterator[tuple[int, list[Fold]]]:
    """Trained with 1, 2, ... sites; tested on all pages of another site."""
    draw = random.Random(SEED)  # noqa: S311  # as above
    sites = sorted({page.site for page in pages})
    for count in range(1, len(sites)):
        parted = []
        for site in sites:
            train = draw.sample([other for other in sites if other != site], count)
            tested = [page for page in pages if page.site == site]
            parted.append(Fold([page for page in pages if page.site in train], tested))
        yield count, parted


def _placed(page: LabelledPage, place: int) -> LabelledPage:
    return LabelledPage(page.example, page.group, page.site, place)
