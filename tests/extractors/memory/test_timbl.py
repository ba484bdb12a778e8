"""The same instances, the same answers as TiMBL, the thesis's own program (Debian's ``timbl``).

Its command line here: ``timbl -f A -t B -F Columns -mO:N12-25 -w W -k K`` (features 12 to 25 are
numbers), ``-a1`` for IGTREE. Nothing had to be explained away: predictions, distances and weights
are the same, ties and exact matches included.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.extractors.memory.made import elements, few
from tests.programs import require_program
from tests.sweeps import rest_in_release
from winnow.document.arrays import Ints
from winnow.extractors.memory.feature_weights import WEIGHTS, FeatureWeights, Floats
from winnow.extractors.memory.igtree import Igtree
from winnow.extractors.memory.labelled_instances import LabelledInstances
from winnow.extractors.memory.nearest import InstanceBase
from winnow.extractors.memory.voting import elected

TRAIN, TEST = 1000, 2000
Make = Callable[[int, int], LabelledInstances]
MADE = pytest.mark.parametrize("make", [few, elements])
WEIGHTING = pytest.mark.parametrize("weighting", WEIGHTS)


@pytest.fixture(autouse=True)
def _timbl() -> None:
    require_program("timbl")


@MADE
@WEIGHTING
@pytest.mark.parametrize("k", rest_in_release([1, 3], [3]))
def test_nearest_neighbours_are_timbls(tmp_path: Path, make: Make, weighting: str, k: int) -> None:
    train, test = make(TRAIN, 1), make(TEST, 2)
    lines = answers(tmp_path, train, test, "-w", weighting, f"-k{k}", "+vdi")
    found = InstanceBase.of(train, weighting).nearest(test.values, k + 1)
    assert elected(found.counts, k, rank_of(train)).tolist() == [number(line[-2]) for line in lines]
    distances = [float(line[-1]) for line in lines]
    np.testing.assert_allclose(found.distances[:, 0], distances, rtol=1e-12, atol=1e-12)


@MADE
@WEIGHTING
def test_a_tree_is_timbls(tmp_path: Path, make: Make, weighting: str) -> None:
    train, test = make(TRAIN, 3), make(TEST, 4)
    lines = answers(tmp_path, train, test, "-a1", "-w", weighting)
    weights = FeatureWeights.of(train.values, train.classes, train.numeric).weights[weighting]
    tree = Igtree.of(train, weights, rank_of(train))
    assert tree.predict(test.values).tolist() == [number(line[-1]) for line in lines]


@MADE
def test_weights_are_timbls(tmp_path: Path, make: Make) -> None:
    train = make(TRAIN, 5)
    answers(tmp_path, train, make(1, 6), "-W", "weights")
    ours = FeatureWeights.of(train.values, train.classes, train.numeric).weights
    theirs = weights_in(tmp_path / "weights")
    for weighting in WEIGHTS:
        np.testing.assert_allclose(ours[weighting], theirs[weighting], rtol=1e-9, atol=1e-14)


def answers(
    folder: Path, train: LabelledInstances, test: LabelledInstances, *options: str
) -> list[list[str]]:
    """The columns of what TiMBL writes for each tested instance."""
    write(folder / "train", train)
    write(folder / "test", test)
    numbers = np.flatnonzero(train.numeric) + 1
    metric = f"-mO:N{numbers[0]}-{numbers[-1]}"
    command = ["timbl", "-f", "train", "-t", "test", "-F", "Columns", metric, "-o", "out"]
    subprocess.run([*command, *options], cwd=folder, capture_output=True, check=True, timeout=60)
    return [line.split() for line in (folder / "out").read_text().splitlines()]


def write(path: Path, instances: LabelledInstances) -> None:
    rows = zip(instances.values.tolist(), instances.classes.tolist(), strict=True)
    path.write_text("".join(f"{' '.join(map(str, row))} c{kind}\n" for row, kind in rows))


def number(name: str) -> int:
    return int(name.removeprefix("c"))


def rank_of(train: LabelledInstances) -> Ints:
    """TiMBL numbers classes as it meets them: among equally frequent ones the first met wins."""
    met = list(dict.fromkeys(train.classes.tolist()))
    met += [kind for kind in range(train.number) if kind not in met]
    order = np.array(met)
    return order[np.argsort(-train.frequencies[order], kind="stable")].astype(np.int32)


def weights_in(path: Path) -> dict[str, Floats]:
    """What TiMBL's -W wrote: a block for each weighting."""
    found: dict[str, list[float]] = {}
    name = ""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            name = line[1:].strip() if line[1:].strip() in WEIGHTS else name
        else:
            found.setdefault(name, []).append(float(line.split()[1]))
    return {kind: np.array(values) for kind, values in found.items()}
