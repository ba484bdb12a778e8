"""The sixteen double classes: what an element's text is and what its tail (section 4.1.3)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints
from winnow.document.values import Label

LETTERS: Final = "gthb"
"""Garbage, title, heading, body, as in the thesis; their places here are the labels' numbers."""
GARBAGE, TITLE, HEADING, BODY = range(len(LETTERS))
LABELS: Final = (None, Label.TITLE, Label.HEADING, Label.BODY)
CLASSES: Final = tuple(f"{text}+{tail}" for text in LETTERS for tail in LETTERS)
"""The classes as TiMBL reads them, by number."""


def classes_of(labels: npt.NDArray[np.integer]) -> Ints:
    """From the labels of slots, shape (2 n,), the classes of elements, shape (n,)."""
    return (labels[0::2] * len(LETTERS) + labels[1::2]).astype(np.int32)


def labels_of(classes: npt.NDArray[np.integer]) -> Ints:
    """From the classes of elements, shape (n,), the labels of slots, shape (2 n,)."""
    labels = np.empty(2 * len(classes), dtype=np.int32)
    labels[0::2], labels[1::2] = np.divmod(classes, len(LETTERS))
    return labels
