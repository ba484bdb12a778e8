"""A trained CRF with two labels: its weights, and what they say of a row of blocks.

A model is one JSON file: a weight for each value of each feature, and for each pair of neighbours.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Mask
from winnow.extractors.crf.crf_features import BINS, BlockFeatures
from winnow.extractors.errors import ModelError

Floats = npt.NDArray[np.float64]
FILE: Final = "model.json"
FORMAT: Final = 1
SHIPPED: Final = Path(__file__).parents[1] / "models" / "crf"
GARBAGE, CONTENT = 0, 1
LABELS: Final = ("garbage", "content")


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """``weights``: of each feature a table, (BINS, 2). ``transitions``: of a label and the next
    one, (2, 2). ``manifest``: what it was trained on."""

    weights: Mapping[str, Floats]
    transitions: Floats
    manifest: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Names the weights."""
        return str(self.manifest["digest"])

    def emissions(self, found: BlockFeatures) -> Floats:
        """What a block's features say of each label; (blocks, 2)."""
        total = np.zeros((len(found.index), len(LABELS)))
        for name, column in found.columns.items():
            if name in self.weights:
                total += self.weights[name][column]
        return total

    def save(self, folder: Path) -> None:
        """Write the file."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(
            json.dumps(
                {
                    **self.manifest,
                    "format": FORMAT,
                    "transitions": self.transitions.tolist(),
                    "weights": _sparse(self.weights),
                },
                sort_keys=True,
            )
            + "\n",
            encoding="utf-8",
        )

    @classmethod
    def of(cls, weights: Mapping[str, Floats], chain: Floats, notes: Mapping[str, Any]) -> CrfModel:
        """A model of weights, rounded to four digits."""
        rounded = {name: table.round(4) for name, table in sorted(weights.items())}
        text = json.dumps([_sparse(rounded), chain.round(4).tolist()], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return cls(rounded, chain.round(4), {**notes, "digest": digest})

    @classmethod
    def load(cls, folder: Path) -> CrfModel:
        """The model in a folder. Raises ModelError where there is none that this version reads."""
        try:
            stored = json.loads((folder / FILE).read_bytes())
            if stored.pop("format") != FORMAT:
                raise ModelError(f"The model in {folder} is of another version: train it again.")
            weights = {name: _dense(rows) for name, rows in stored.pop("weights").items()}
            return cls(weights, np.array(stored.pop("transitions")), stored)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(
                f"{folder} holds no model ({error}): train one with `winnow train crf`."
            ) from error


def best_labels(emissions: Floats, transitions: Floats) -> npt.NDArray[np.int64]:
    """The most probable row of labels (Viterbi); shape (blocks,)."""
    size = len(emissions)
    back = np.zeros((size, len(LABELS)), dtype=np.int64)
    score = np.zeros(len(LABELS))
    for place, emission in enumerate(emissions):
        paths = score[:, None] + (transitions if place else 0) + emission
        back[place], score = paths.argmax(axis=0), paths.max(axis=0)
    found = np.zeros(size, dtype=np.int64)
    label = int(score.argmax())
    for place in range(size - 1, -1, -1):
        found[place] = label
        label = int(back[place, label])
    return found


def content_of(emissions: Floats, transitions: Floats, chances: Floats) -> Mask:
    """Which blocks are content, by the most probable row of labels; (blocks,).

    A short article among many blocks of garbage does not pay for the two transitions around it: on
    202 of 2,194 pages of eight packages the most probable row is garbage alone. There the blocks
    count whose probability (``chances``) is half of the page's highest and more (docs/crf.md).
    """
    found: Mask = best_labels(emissions, transitions) == CONTENT
    return found if found.any() else chances >= chances.max(initial=0) / 2


def marginals(emissions: Floats, transitions: Floats) -> Floats:
    """How probable content is for each block, given all of them (forward-backward); (blocks,)."""
    ahead = _forward(emissions, transitions)
    behind = _forward(emissions[::-1], transitions.T)[::-1] - emissions
    both = ahead + behind
    odds = both[:, CONTENT] - both[:, GARBAGE]
    found: Floats = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
    return found


def _forward(emissions: Floats, transitions: Floats) -> Floats:
    found = np.zeros_like(emissions)
    for place, emission in enumerate(emissions):
        before = np.logaddexp.reduce(found[place - 1][:, None] + transitions, axis=0)
        found[place] = emission + (before if place else 0)
    return found


def _sparse(weights: Mapping[str, Floats]) -> dict[str, dict[str, list[float]]]:
    return {
        name: {str(row): table[row].tolist() for row in np.flatnonzero(table.any(axis=1))}
        for name, table in weights.items()
    }


def _dense(rows: Mapping[str, list[float]]) -> Floats:
    table = np.zeros((BINS, len(LABELS)))
    for row, values in rows.items():
        table[int(row)] = values
    return table


@lru_cache(maxsize=4)
def load_model(folder: str = "") -> CrfModel:
    """The model in a folder, the shipped one by default; loaded once. Raises ModelError."""
    return CrfModel.load(Path(folder) if folder else SHIPPED)
