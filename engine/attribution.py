"""Which features of a block told ``auto`` most: what its score becomes without each of them.

A feature is taken away by giving it a usual value (occlusion: Zeiler & Fergus 2014,
section 4.2, of features instead of pixels). Knows the model's rows; judges nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_extractor import Judgement, scores
from winnow.extractors.auto.auto_model import PAGE_FEATURES, AutoModel

MOST_BLOCKS = 25
"""Blocks explained by features; a score costs little, but each block needs one a feature."""
FEATURES = 3


def telling(found: Judgement, model: AutoModel) -> dict[int, tuple[tuple[str, float], ...]]:
    """For the first dropped blocks with words, the features that pulled them down most.

    Names and values, the strongest first; only those that pulled by 0.05 log-odds or more.
    """
    dropped = np.flatnonzero(~found.kept & (found.blocks.words > 0))[:MOST_BLOCKS]
    if not len(dropped):
        return {}
    pulls = _pulls(found.rows[dropped], model)
    return {
        int(block): _strongest(pulls[place], found.rows[block], model.names)
        for place, block in enumerate(dropped)
    }


def _pulls(chosen: npt.NDArray[np.float32], model: AutoModel) -> npt.NDArray[np.float64]:
    """How much each feature lowers each chosen row's score, (chosen, features)."""
    own = _of_blocks(model.names)
    before = scores(chosen, model)
    pulls = np.zeros(chosen.shape)
    for place, row in enumerate(chosen):
        without = np.repeat(row[None], len(own), axis=0)
        without[np.arange(len(own)), own] = model.typical[own]
        pulls[place, own] = scores(without, model) - before[place]
    return pulls


def _strongest(
    pulls: npt.NDArray[np.float64], row: npt.NDArray[np.float32], names: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-pulls, kind="stable")[:FEATURES]
    return tuple((names[index], float(row[index])) for index in order if pulls[index] >= 0.05)


def _of_blocks(names: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """The features that differ from block to block: what a page has is no reason against one."""
    return np.array([i for i, name in enumerate(names) if not name.startswith(PAGE_FEATURES)])
