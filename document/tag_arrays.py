"""A markup's tags as arrays and their nesting, vectorised (for ``winnow.document.scan_numpy``).

Every row is of integers; its shape is given with it.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document import tags

Row = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

_TAG: Final = re.compile("<[^>]*>")
_SORTED: Final = sorted(chain.from_iterable((name, f"/{name}") for name in tags.NAMES if name))
_LONGEST: Final = max(map(len, _SORTED)) + 1
_NAMES: Final = np.array(_SORTED, dtype=f"S{_LONGEST}")
_NAME_CODES: Final = np.array([tags.CODES[name.removeprefix("/")] for name in _SORTED])
_DECLARED: Final = -1
_OPEN, _CLOSE, _BANG, _SLASH, _BLANK = map(ord, "<>!/ ")
_EITHER: Final = ~np.uint32(_OPEN ^ _CLOSE)
_FOREIGN: Final = np.uint32(0x7F)


def table(codes: frozenset[int]) -> Flags:
    """By tag code; the last is a declaration's, -1."""
    return np.isin(np.arange(len(tags.NAMES) + 1), list(codes))


_VOID: Final = table(tags.VOID)
_OPAQUE: Final = table(tags.OPAQUE)
_BLOCK_LEVEL: Final = table(tags.BLOCK_LEVEL)


class Tags(NamedTuple):
    """Tags in document order, (tags,): all that stand in the markup, or those that are recorded.

    ``start``, ``end``: offsets of ``<`` and behind ``>``. ``code``: of the name. ``step``: 1 opens,
    -1 closes, 0 does neither (void).
    """

    start: Row
    end: Row
    code: Row
    step: Row

    def only(self, some: Row) -> Tags:
        return Tags(*(row[some] for row in self))


class TagTree(NamedTuple):
    """How tags are nested. ``opening``: the tags that begin an element, (elements,); ``closing``:
    the tag that ends each, itself where void; ``parent``, ``block``: as Elements; ``around``: the
    element that is open behind each tag, (tags,)."""

    opening: Row
    closing: Row
    parent: Row
    block: Row
    around: Row


def tags_of(masked: str) -> Tags | None:
    """Every tag; None unless ``<`` and ``>`` alternate."""
    codes = _characters(masked)
    brackets = np.flatnonzero((codes & _EITHER) == _OPEN)
    start, end = brackets[::2], brackets[1::2]
    if len(start) != len(end) or (codes[start] != _OPEN).any() or (codes[end] != _CLOSE).any():
        return None
    return _named(codes, start, end + 1)


def odd_tags_of(masked: str) -> Tags:
    """The same where some tags hold a ``<``."""
    spans = [tag.span() for tag in _TAG.finditer(masked)]
    start, end = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return _named(_characters(masked), start, end)


def _characters(masked: str) -> Row:
    """The code points; shape (len(masked),)."""
    return np.array([masked]).view(np.uint32)


def _named(codes: Row, start: Row, end: Row) -> Tags:
    code = _codes_at(codes, start + 1)
    first, step = codes[start + 1], np.where(_VOID[code], 0, 1)
    step[first == _SLASH] = -1
    code[first == _BANG] = _DECLARED
    return Tags(start, end, code, step)


def _codes_at(codes: Row, start: Row) -> Row:
    """The tag code of the name that starts at each place, behind a slash or not; 0 if unknown."""
    letters = np.zeros((len(start), _LONGEST), dtype=np.uint8)
    inside = np.ones(len(start), dtype=bool)
    for column in range(_LONGEST):
        letter = codes[np.minimum(start + column, len(codes) - 1)]
        inside &= (letter != _BLANK) & (letter != _CLOSE)
        letters[:, column] = np.where(inside, np.minimum(letter, _FOREIGN), 0)
    name = letters.view(_NAMES.dtype)[:, 0]
    at = np.minimum(np.searchsorted(_NAMES, name), len(_NAMES) - 1)
    return np.where(_NAMES[at] == name, _NAME_CODES[at], 0)


def recorded_of(found: Tags) -> Row | None:
    """Which tags are recorded: no declarations, none inside opaque elements; None where one of
    these does not end."""
    is_recorded = found.code >= 0
    at = np.flatnonzero(_OPAQUE[found.code] & is_recorded)
    begun, opaque, depth = 0, -1, 0
    for index, code, step in zip(
        at.tolist(), found.code[at].tolist(), found.step[at].tolist(), strict=True
    ):
        if not depth and step > 0:
            begun, opaque, depth = index, code, 1
        elif depth and code == opaque:
            depth += step
            if not depth:
                is_recorded[begun + 1 : index] = False
    return None if depth else np.flatnonzero(is_recorded)


def ends(nodes: Tags) -> Flags:
    """Which tags end an element: end tags and void ones."""
    return nodes.step <= 0


def element_of(tree: TagTree, size: int) -> Row:
    """The element that each tag begins or ends; shape (size,)."""
    element = np.empty(size, dtype=np.int64)
    element[tree.opening] = element[tree.closing] = np.arange(len(tree.opening))
    return element


def _innermost(step: Row) -> Row:
    """Of each place in a row of brackets the one that is open there, -1 if none; shape (n,)."""
    size = len(step)
    behind = np.cumsum(step)
    opening = np.flatnonzero(step > 0)
    keys = np.sort(behind[opening] * size + opening)
    before = behind - step
    at = np.searchsorted(keys, before * size + np.arange(size)) - 1
    return np.where(before > 0, np.append(keys, -1)[at] % max(size, 1), -1)


def tree_of(nodes: Tags) -> TagTree | None:
    """How tags are nested; None where one does not close what is open."""
    behind = np.cumsum(nodes.step)
    if not len(behind) or behind.min() < 0 or behind[-1]:
        return None
    inner = _innermost(nodes.step)
    closes = nodes.step < 0
    if (nodes.code[closes] != nodes.code[inner[closes]]).any():
        return None
    opening = np.flatnonzero(~closes)
    number = np.append(np.cumsum(~closes) - 1, -1)
    closing = np.arange(len(closes))
    closing[inner[closes]] = np.flatnonzero(closes)
    parent = number[inner[opening]]
    is_block = _BLOCK_LEVEL[nodes.code]
    outer = number[_innermost(nodes.step * is_block)[opening]]
    own = np.arange(len(opening))
    opened = np.where(nodes.step > 0, number[:-1], number[inner])
    around = np.where(closes, np.append(parent, -1)[number[inner]], opened)
    block = np.where(is_block[opening], own, outer)
    return TagTree(opening, closing[opening], parent, block, around)
