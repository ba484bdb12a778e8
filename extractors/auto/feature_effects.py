"""Which features lower a block's score most: by how much it rises without each of them.

A feature is taken away by giving it a typical value (occlusion: Zeiler & Fergus 2014,
section 4.2, of features instead of pixels).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_FEATURES, AutoModel
from winnow.extractors.auto.prediction import PagePrediction, log_odds
from winnow.extractors.explanation import FeatureEffect

MOST_BLOCKS: Final = 25
"""Blocks explained by features: each needs one row a feature."""
FEATURES: Final = 3
LEAST_EFFECT: Final = 0.05
"""Log-odds from which an effect is reported."""


def strongest_effects(
    found: PagePrediction, model: AutoModel
) -> dict[int, tuple[FeatureEffect, ...]]:
    """For the first dropped blocks with words, the features that lower their log-odds most."""
    dropped = np.flatnonzero(~found.is_content & (found.blocks.words > 0))[:MOST_BLOCKS]
    columns = np.array(
        [i for i, name in enumerate(model.names) if not name.startswith(PAGE_FEATURES)]
    )
    return {
        block: _strongest(found.rows[block], float(found.log_odds[block]), columns, model)
        for block in dropped.tolist()
    }


def _strongest(
    row: npt.NDArray[np.float32], score: float, columns: npt.NDArray[np.int64], model: AutoModel
) -> tuple[FeatureEffect, ...]:
    """Of the features that differ from block to block."""
    without = np.repeat(row[None], len(columns), axis=0)
    without[np.arange(len(columns)), columns] = model.typical[columns]
    effects = log_odds(without, model) - score
    order = np.argsort(-effects, kind="stable")[:FEATURES]
    return tuple(
        FeatureEffect(
            model.names[columns[place]], float(row[columns[place]]), float(effects[place])
        )
        for place in order
        if effects[place] >= LEAST_EFFECT
    )
