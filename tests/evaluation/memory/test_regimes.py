"""Which pages teach and which are tested."""

from __future__ import annotations

import numpy as np
import pytest

from tests.extractors.memory.made import elements
from winnow.evaluation.memory.pages import LabelledPage
from winnow.evaluation.memory.regimes import folds, results
from winnow.extractors.memory.labelled_instances import CLASSES
from winnow.extractors.memory.memory_extractor import Memory
from winnow.extractors.memory.memory_training import MemoryExample

GROUPS = {"north 2005": "north", "north 2009": "north", "south": "south"}


def pages(count: int = 3) -> list[LabelledPage]:
    """Some pages of each group; all pages of a site are alike."""
    made = []
    for seed, (group, site) in enumerate(GROUPS.items()):
        train = elements(120, seed)
        for place in range(count):
            example = MemoryExample(train.values, train.classes, f"{group} {place}", site)
            made.append(LabelledPage(example, group, site, place))
    return made


def parted(regime: str) -> list[tuple[set[str], set[str]]]:
    return [
        ({page.example.id for page in fold.train}, {page.example.id for page in fold.tested})
        for fold in folds(regime, pages())
    ]


@pytest.mark.parametrize("regime", ["within", "merged", "across"])
def test_every_page_is_tested_once_and_never_teaches_itself(regime: str) -> None:
    tested = [name for _, names in parted(regime) for name in names]
    assert sorted(tested) == sorted(page.example.id for page in pages())
    assert all(not train & names for train, names in parted(regime))


def test_within_a_site_only_its_group_teaches() -> None:
    for train, tested in parted("within"):
        assert len({name[:-2] for name in train | tested}) == 1


def test_across_sites_no_time_of_the_site_teaches() -> None:
    for train, tested in parted("across"):
        assert not {name.split()[0] for name in train} & {name.split()[0] for name in tested}


def test_merged_teaches_what_the_groups_other_pages_know() -> None:
    methods = [Memory(), Memory(k=2, w="x2"), Memory(algorithm="igtree")]
    found = results(folds("merged", pages()), methods)
    assert set(found) == {method.name for method in methods}
    for groups in found.values():
        assert set(groups) == set(GROUPS)
    nearest = found["memory"]["south"]
    assert nearest.sum() == 3 * 120
    assert nearest.shape == (len(CLASSES), len(CLASSES))
    assert np.trace(nearest) == nearest.sum()
