"""Why ``auto`` kept a block or not: its odds, and the features that moved them most.

Knows the model as a function: what a feature moved is what the score loses when the feature takes
its typical value. That asks the model once a feature, so it is for the "why" view, not for serving.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document
from winnow.extractors.auto.auto_extractor import Judgement, judge, scores
from winnow.extractors.auto.auto_model import AutoModel, shipped

TOLD: Final = 3
"""So many features are named."""


@dataclass(frozen=True, slots=True)
class BlockReason:
    """A feature, its value, and by how much it moved the block's log-odds (above 0: to be kept)."""

    feature: str
    value: float
    moved: float


@dataclass(frozen=True, slots=True)
class BlockVerdict:
    """One block: its stretch of the text, how likely it is content, whether it was kept, why."""

    start: int
    end: int
    chance: float
    kept: bool
    reasons: tuple[BlockReason, ...]


def explain(document: Document, model: AutoModel | None = None) -> tuple[BlockVerdict, ...]:
    """A verdict a block, in document order; nothing for a page without text."""
    model = model or shipped()
    found = judge(document, model)
    if found is None:
        return ()
    moved = effects(found, model)
    return tuple(_verdict(found, moved, index, model) for index in range(len(found.blocks)))


def effects(found: Judgement, model: AutoModel) -> npt.NDArray[np.float64]:
    """By how much each feature moved each block's log-odds; shape (n, features)."""
    moved = np.zeros(found.rows.shape)
    for column, usual in enumerate(model.typical.tolist()):
        if (found.rows[:, column] != usual).any():
            without = found.rows.copy(order="K")
            without[:, column] = usual
            moved[:, column] = found.score - scores(without, model)
    return moved


def _verdict(
    found: Judgement, moved: npt.NDArray[np.float64], index: int, model: AutoModel
) -> BlockVerdict:
    most = np.argsort(-np.abs(moved[index]), kind="stable")[:TOLD].tolist()
    return BlockVerdict(
        int(found.blocks.start[index]),
        int(found.blocks.end[index]),
        float(found.chances[index]),
        bool(found.kept[index]),
        tuple(
            BlockReason(
                model.names[column], float(found.rows[index, column]), float(moved[index, column])
            )
            for column in most
            if moved[index, column]
        ),
    )
