"""Which features lower a block's score most, and what each measures, in words.

A feature is taken away by giving it a typical value (occlusion: Zeiler & Fergus 2014,
section 4.2, of features instead of pixels).
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_FEATURES, AutoModel
from winnow.extractors.auto.prediction import PagePrediction, log_odds
from winnow.extractors.explanation import FeatureEffect

_PHRASES: Final = tuple(
    (re.compile(pattern), phrase)
    for pattern, phrase in (
        (r"(alike|same path): ", "blocks marked up like it"),
        (r".* within \d+|.*, \d (before|after)", "the blocks next to it"),
        (r"(.* )?names?( say| around \d)?$", "the classes and ids around it"),
        (r"(inner )?element( around \d)?", "the kinds of elements around it"),
        (r"in ", "the kinds of elements it stands in"),
        (r".*title.*", "where it stands to the title"),
        (r".*heading.*", "the heading above it"),
        (r"times said|said before", "that the page says it more than once"),
        (r"links$|opens with a link", "how much of it is links"),
        (r"(card|deck) .*|cards|\w+ around \d", "what stands in the same boxes"),
        (r"text says|short says", "the words in it"),
        (r"depth.*", "how deep in the page it lies"),
        (r"position|(blocks|words|good) (before|after)", "where on the page it stands"),
        (r"hidden", "that parts of it are hidden"),
        (r"words|word length|capitals|marks|unspaced|stops|commas|stops a word|pieces",
         "how its text is written"),
    )
)  # fmt: skip
"""The first that fits the beginning of a feature's name; a later one may be more general."""


def description(feature: str) -> str:
    """What a feature measures; its own name where no pattern fits."""
    return next((phrase for pattern, phrase in _PHRASES if pattern.match(feature)), feature)


def descriptions() -> tuple[str, ...]:
    """All that ``description`` may return."""
    return tuple(phrase for _, phrase in _PHRASES)


MOST_BLOCKS: Final = 25
"""Blocks explained by features: each needs one row a feature."""
FEATURES: Final = 3
LEAST_EFFECT: Final = 0.05
"""Log-odds from which an effect is reported."""


def strongest_effects(
    found: PagePrediction, model: AutoModel
) -> dict[int, tuple[FeatureEffect, ...]]:
    """For the first dropped blocks with words, the features that lower their log-odds most."""
    is_unlikely = found.probabilities <= found.threshold
    dropped = np.flatnonzero(~found.is_content & is_unlikely & (found.blocks.words > 0))[
        :MOST_BLOCKS
    ]
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
