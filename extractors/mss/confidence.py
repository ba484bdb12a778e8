"""How sure a segmentation is of its borders (Pasternack & Roth 2009, section 6.2.4).

Knows probabilities and one run; no tokens.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.extractors.subsequence import Run, Scores

WINDOW: Final = 10
_NEVER_CERTAIN: Final = 1e-6


def confidence(p: Scores, run: Run, window: int = WINDOW) -> float:
    """The geometric mean of the probabilities that tokens near the run's borders are labelled so.

    Within ``window`` tokens of each border, on both sides. At a page's edge the factors that exist
    count. 0 for an empty run.
    """
    first, behind = run.start, run.end
    if behind <= first:
        return 0.0
    sure = np.clip(p, _NEVER_CERTAIN, 1 - _NEVER_CERTAIN)
    inside = (sure[first : first + window], sure[max(behind - window, 0) : behind])
    outside = (sure[max(first - window, 0) : first], sure[behind : behind + window])
    logs = [*(np.log(part) for part in inside), *(np.log1p(-part) for part in outside)]
    return float(np.exp(np.concatenate(logs).mean()))
