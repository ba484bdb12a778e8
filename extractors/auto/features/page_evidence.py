"""What a prediction of blocks says about itself: features of the confidence in it.

Shares are of words. A confident and right prediction has few words of middling probability, hardly
changes with its threshold, and keeps one long run that is not made of links. This is the
definition; ``_decision.c``, where it could be built, finds the same numbers (decision.py).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Mask
from winnow.document.blocks import Blocks

Floats = npt.NDArray[Any]

FEWEST: Final = 20
"""Words that count as kept at least where something is divided by them."""
SURE, POSSIBLE = 0.75, 0.1
BANDS: Final = ((0.1, 0.25), (0.8, 0.95))
PROSE: Final = 8
"""Words of a block from which it may be prose."""
NAMES: Final = (
    "sure of possible", "sure of kept", "kept of possible", "precision", "recall", "f1",
    "threshold", "doubt", "deviation", "low band", "high band", "words", "kept", "longest",
    "before", "after", "gaps", "runs", "longest run", "linked", "unlinked agrees", "prose dropped",
)  # fmt: skip


def evidence(
    blocks: Blocks, probabilities: Floats, is_content: Mask, threshold: float
) -> npt.NDArray[np.float32]:
    """The features in the order of NAMES; shape (len(NAMES),)."""
    words = blocks.words.astype(np.float64)
    kept = float(words @ is_content)  # sums of whole numbers are exact in any order
    found = (
        *_margins(words, probabilities, is_content, kept),
        threshold,
        *_doubt(words, probabilities, is_content, kept),
        float(words.sum()), kept, float(words[is_content].max(initial=0)) / max(kept, 1),
        *_place(words, is_content, kept),
        *_links(blocks, words, is_content, kept),
    )  # fmt: skip
    return np.array(found, dtype=np.float32)


def _margins(
    words: Floats, probabilities: Floats, is_content: Mask, kept: float
) -> tuple[float, ...]:
    """Words that are surely, possibly and probably content, against those kept."""
    sure, possible = (float(words @ (probabilities > least)) for least in (SURE, POSSIBLE))
    likely = probabilities * words
    right, every = total(likely[is_content]), total(likely)
    return (
        sure / max(possible, 1), sure / max(kept, 1), kept / max(possible, 1),
        right / max(kept, 1), right / max(every, 1), 2 * right / max(kept + every, 1),
    )  # fmt: skip


def _doubt(
    words: Floats, probabilities: Floats, is_content: Mask, kept: float
) -> tuple[float, ...]:
    """The entropy of what is kept, the deviation of its length, words in two bands of doubt."""
    base, chance = max(kept, FEWEST), np.minimum(np.maximum(probabilities, 1e-6), 1 - 1e-6)
    entropy = -(chance * natural_log(chance) + (1 - chance) * natural_log(1 - chance))
    variance = total(chance * (1 - chance) * words * words)
    bands = (
        float(words @ ((probabilities > low) & (probabilities <= high))) for low, high in BANDS
    )
    doubt = total((entropy * words)[is_content])
    return doubt / base, math.sqrt(variance) / base, *(band / base for band in bands)


def _place(words: Floats, is_content: Mask, kept: float) -> tuple[float, ...]:
    """Words before and behind what is kept, the share left out between, runs, the longest run."""
    speaking = words > 0
    found = np.flatnonzero(is_content[speaking])
    if not len(found):
        return (float(words.sum()), 0.0, 0.0, 0.0, 0.0)
    spoken = words[speaking]
    first, last = int(found[0]), int(found[-1]) + 1
    begins = np.append(0, np.flatnonzero(found[1:] - found[:-1] > 1) + 1)
    runs = np.add.reduceat(spoken[found], begins)
    gaps = float(spoken[first:last].sum()) - kept
    before, after = float(spoken[:first].sum()), float(spoken[last:].sum())
    return (
        before,
        after,
        gaps / max(gaps + kept, 1),
        float(len(runs)),
        float(runs.max()) / max(kept, 1),
    )


def _links(blocks: Blocks, words: Floats, is_content: Mask, kept: float) -> tuple[float, ...]:
    """Linked words kept, F1 with the blocks of few links (Gottron 2007, 5.4), prose lost."""
    linked = blocks.linked_words
    plain = (linked * 2 <= words) & ~blocks.hidden
    both = 2 * float(words @ (plain & is_content)) / max(float(words @ plain) + kept, 1)
    prose = (linked * 3 < words) & (words >= PROSE) & ~blocks.hidden & ~is_content
    share = float(linked @ is_content) / max(kept, 1)
    return share, both, float(words @ prose) / max(kept, 1)


def total(values: Floats) -> float:
    """The sum from the first to the last; of broken numbers NumPy's own is in another order."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


_EXP, _LOG = np.frompyfunc(math.exp, 1, 1), np.frompyfunc(math.log, 1, 1)


def exponential(values: Floats) -> Floats:
    """The exponentials, as the C library has them."""
    return np.asarray(_EXP(values), dtype=np.float64)


def natural_log(values: Floats) -> Floats:
    """The logarithms, as the C library has them."""
    return np.asarray(_LOG(values), dtype=np.float64)
