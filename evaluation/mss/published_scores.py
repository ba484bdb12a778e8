"""The paper's own figures, to stand beside ours (Pasternack & Roth 2009, tables 1 to 8, 7.7)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Published(NamedTuple):
    """What the paper says of a method on one of its sets, in %; None: it does not say.

    ``short``, ``precision``, ``recall``: against the main text alone, words distinguished by where
    they stand; ``best``: against the best of the right answers. ``bag``, ``bag_precision``,
    ``bag_recall``: words distinguished by their letters, as CleanEval was scored. ``text_only``:
    CleanEval's score.
    """

    method: str
    data: str
    pages: int
    short: float | None = None
    precision: float | None = None
    recall: float | None = None
    best: float | None = None
    bag: float | None = None
    bag_precision: float | None = None
    bag_recall: float | None = None
    text_only: float | None = None


_BIG, _MYRIAD, _OVERALL = ("Big 5", 250), ("Myriad 40", 200), ("overall", 450)

PUBLISHED: Final = (
    Published("largest-block", *_BIG, best=58.0),
    Published("largest-block", *_MYRIAD, best=71.2),
    Published("largest-block", *_OVERALL, 61.9, best=63.8),
    Published("simple-mss", *_BIG, best=88.0),
    Published("simple-mss", *_MYRIAD, best=95.1),
    Published("simple-mss", *_OVERALL, 90.9, best=91.1),
    Published("mss", *_BIG, 95.1, 93.4, 99.1, 95.7),
    Published("mss", *_MYRIAD, 94.6, 92.6, 99.3, 95.1),
    Published("mss", *_OVERALL, 94.9, 93.0, 99.2, 95.4),
    Published("mss-hr", *_BIG, 96.7, 96.3, 98.5, 97.3),
    Published("mss-hr", *_MYRIAD, 95.4, 93.6, 99.3, 95.9),
    Published("mss-hr", *_OVERALL, 96.2, 95.1, 98.9, 96.7),
    Published("mss-site", *_BIG, 97.6, 98.6, 97.2, 97.9),
    Published(
        *("mss-cleaneval", "CleanEval evaluation set", 674),
        *(None, None, None, None, 92.0, 90.3, 96.5, 87.8),
    ),
    Published(
        *("mss-cleaneval", "its articles alone", 411),
        *(None, None, None, None, 95.7, 93.8, 98.3, 92.6),
    ),
)
