"""What tags and characters are to the classifier, as lookup tables."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.parsing import tags
from winnow.document.parsing.scan import Ints

_compiled: Any = optional_module("winnow.extractors.auto._fast")

CONTEXTS: Final = (
    "nav", "header", "footer", "aside", "form", "table", "ul ol", "article", "main",
    "figure figcaption", "blockquote", "pre code", "button", "a", "p",
)  # fmt: skip
"""Groups of elements; being inside of one is a bit."""

_KINDS: Final = (
    "div", "p", "li", "td th", "tr", "h1", "h2", "h3", "h4 h5 h6", "section", "article",
    "main body html", "ul ol", "dd dt", "figcaption figure", "blockquote", "pre", "header",
    "footer", "nav", "aside", "form", "label", "button", "address", "summary details", "option",
    "noscript", "a", "span", "strong b em i",
)  # fmt: skip


def _by_tag(groups: tuple[str, ...], values: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
    """A value a tag code, 0 for what is in no group and for "no element" (the last)."""
    table = np.zeros(len(tags.NAMES) + 1, dtype=np.int32)
    for names, value in zip(groups, values, strict=True):
        for code in tags.codes_of(names):
            table[code] |= value
    return table


NO_TAG: Final = len(tags.NAMES)
"""The tag code of "no element"."""
CONTEXT_BIT: Final = _by_tag(CONTEXTS, 1 << np.arange(len(CONTEXTS)))
KIND: Final = _by_tag(_KINDS, np.arange(1, len(_KINDS) + 1))
HEADING: Final = _by_tag(tuple(f"h{level}" for level in range(1, 7)), np.arange(1, 7))
"""1..6 for h1..h6."""

CLASSES: Final = 8
OTHER, LETTER, CAPITAL, DIGIT, STOP, COMMA, MARK, UNSPACED = range(CLASSES)
_STOPS, _COMMAS = ".!?。！？…।؟", ",，、;；:：،"
_UNSPACED: Final = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x2E80, 0x9FFF), (0xAC00, 0xD7FF))


def _counts_compiled(text: str, starts: Ints) -> Ints:
    found = np.zeros((len(starts), CLASSES), dtype=np.int32)
    _compiled.class_counts(text, _characters(), starts, found)
    return found


def counts_in_python(text: str, starts: Ints) -> Ints:
    """How many characters of each class are from each start to the next, or to the text's end.

    Shape (starts, 8). Beyond the basic plane all characters are OTHER.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _characters()[np.minimum(codes, 0xFFFF)][starts[0] if len(starts) else len(text) :]
    rows = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(text))))
    cells = np.bincount(rows * CLASSES + kinds, minlength=len(starts) * CLASSES)
    return cells.reshape(-1, CLASSES).astype(np.int32)


counts = loop(_compiled and _counts_compiled, counts_in_python)


@cache
def _characters() -> npt.NDArray[np.uint8]:
    return np.array([_class_of(chr(code)) for code in range(0x10000)], dtype=np.uint8)


def _class_of(character: str) -> int:
    for found, group in ((STOP, _STOPS), (COMMA, _COMMAS)):
        if character in group:
            return found
    if character.isspace() or unicodedata.category(character) in {"Cs", "Co", "Cn"}:
        return OTHER
    if character.isdigit() or character.isupper():
        return DIGIT if character.isdigit() else CAPITAL
    if any(low <= ord(character) <= high for low, high in _UNSPACED):
        return UNSPACED
    return LETTER if character.isalpha() else MARK
