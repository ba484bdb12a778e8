"""The confidence of a segmentation in its borders (Pasternack & Roth 2009, section 6.2.4)."""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.extractors.subsequence import Run, Scores

WINDOW: Final = 10
_MARGIN: Final = 1e-6


def confidence(p: Scores, run: Run, window: int = WINDOW) -> float:
    """The geometric mean of the probabilities that tokens near the run's borders are labelled so.

    Within ``window`` tokens of each border, on both sides. At a page's edge the factors that exist
    count. 0 for an empty run.
    """
    first, behind = run.start, run.end
    if behind <= first:
        return 0.0
    clipped = np.clip(p, _MARGIN, 1 - _MARGIN)
    inside = (clipped[first : first + window], clipped[max(behind - window, 0) : behind])
    outside = (clipped[max(first - window, 0) : first], clipped[behind : behind + window])
    logs = [*(np.log(part) for part in inside), *(np.log1p(-part) for part in outside)]
    return float(np.exp(np.concatenate(logs).mean()))
