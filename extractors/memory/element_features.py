"""The 41 features of every element of a page (the thesis, chapter 5)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, prefix_sums
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.extractors.memory.text_slots import Slots

TAGS: Final = 5
"""Elements before and behind whose tags count."""
NEAR: Final = 3
"""Elements before and behind whose lengths and ends count."""
CAPITALS: Final = 0.7
"""The share of capitals above which a text is in capitals."""
EDGE: Final = "#"
"""Stands for the tag of an element before the first or behind the last."""
ABSENT, NO, YES = range(3)
"""A yes-or-no feature of a text; ABSENT where there is no text."""

NAMES: Final = (
    *(f"tag {step:+d}" for step in range(-TAGS, TAGS + 1)),
    *(f"text length {step:+d}" for step in range(-NEAR, NEAR + 1)),
    *(f"tail length {step:+d}" for step in range(-NEAR, NEAR + 1)),
    "text in capitals",
    "tail in capitals",
    *(f"text ends a sentence {step:+d}" for step in range(-NEAR, NEAR + 1)),
    *(f"tail ends a sentence {step:+d}" for step in range(-NEAR, NEAR + 1)),
)
"""The features in the order of table 6.10."""
NUMERIC: Final = np.array([" length " in name for name in NAMES])
"""Which of them are numbers: 12 to 25, TiMBL's option ``-mO:N12-25``."""

SYMBOLS: Final = (EDGE, *(name or "other" for name in tags.NAMES))
"""The tags by the number that stands for them in an instance."""

ENDS: Final = "".join(
    [".?!…\"'”’»›)]", "。！？」』）", "؟۔।"],
)
_BMP: Final = 0x10000


def features(document: Document, slots: Slots) -> Ints:
    """One row for each element of the slots; shape (elements, 41). O(text + elements)."""
    tag = document.elements.tag[slots.elements] + 1
    length, capitals, ends = _of_slots(document, slots)
    columns = [
        *_window(tag, TAGS, 0),
        *_window(length[0::2], NEAR, 0),
        *_window(length[1::2], NEAR, 0),
        capitals[0::2],
        capitals[1::2],
        *_window(ends[0::2], NEAR, ABSENT),
        *_window(ends[1::2], NEAR, ABSENT),
    ]
    return np.ascontiguousarray(np.array(columns, dtype=np.int32).reshape(len(NAMES), -1).T)


def _window(values: Ints, reach: int, beyond: int) -> list[Ints]:
    """The values of the elements from ``reach`` before to ``reach`` behind each."""
    padded = np.pad(values, reach, constant_values=beyond)
    return [padded[step : step + len(values)] for step in range(2 * reach + 1)]


def _of_slots(document: Document, slots: Slots) -> tuple[Ints, Ints, Ints]:
    """Characters, whether in capitals, whether a sentence ends; each of shape (slots,).

    A comment cuts a text into two pieces; the space between these counts.
    """
    pieces, place = document.pieces, slots.place
    real = np.flatnonzero(place >= 0)
    at, start, end = place[real], pieces.start[real], pieces.end[real]
    space = np.append((at[1:] == at[:-1]) * (start[1:] - end[:-1]), 0)[: len(at)]
    letters, capitals, closing = _characters(document.text)
    length, upper, alphabetic = (
        np.bincount(at, weights, len(slots)).astype(np.int32)
        for weights in (
            end - start + space,
            capitals[end] - capitals[start],
            letters[end] - letters[start],
        )
    )
    in_capitals = np.where(upper > CAPITALS * alphabetic, YES, NO)
    ends = np.full(len(slots), ABSENT, dtype=np.int32)
    ends[at] = np.where(closing[end - 1], YES, NO)
    return length, np.where(length > 0, in_capitals, ABSENT).astype(np.int32), ends


def _characters(text: str) -> tuple[Ints, Ints, Mask]:
    """Letters and capitals before each offset, and which characters end a sentence."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    codes = np.where(codes < _BMP, codes, 0)
    kinds = _kinds()[codes]
    letters = prefix_sums(kinds & 1).astype(np.int32)
    capitals = prefix_sums(kinds >> 1 & 1).astype(np.int32)
    return letters, capitals, (kinds & 4) > 0


@lru_cache(maxsize=1)
def _kinds() -> npt.NDArray[np.uint8]:
    """Of each character of the basic plane: 1 a letter, 2 a capital, 4 ends a sentence."""
    characters = [chr(code) for code in range(_BMP)]
    return np.array(
        [
            character.isalpha() | character.isupper() << 1 | (character in ENDS) << 2
            for character in characters
        ],
        dtype=np.uint8,
    )
