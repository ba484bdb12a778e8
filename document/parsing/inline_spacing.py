"""Blanks between inline elements that a page lays out apart but writes without a blank.

Rows of links, labels with their counts and spans of a card stand apart by their style. The letters
of one word stand in several elements too, so that the characters on either side decide. On 1,000
pages with gold text, 97 % of the places where a digit, or a capital behind a small letter, begins
the next element or ends the last are apart in the gold.

Nor does a picture join the words on its sides, and a label in small type stands apart from what
it labels. Scripts without capitals are left alone: those that write no blanks are among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from winnow.document.arrays import Elements, Ints, Scan
from winnow.document.compiled import loop, optional_module
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.values import MEDIA

_compiled: Any = optional_module("winnow.document.parsing._scan")

_JOINED: Final = tags.codes_of("sub sup rb rp rt rtc ruby")
"""What belongs to the word before it."""
_STYLED: Final = tags.codes_of("b big em font i s small strike strong tt u")
"""Two of these in a row are parts of one word, or have a blank of their own."""
_CODE: Final = tags.codes_of("code kbd pre samp")
_LINK: Final = tags.CODES["a"]
_SPAN: Final = tags.CODES["span"]
_STOPS: Final = ".!?"
_MEDIA_WITHIN: Final = re.compile(rf"(?<=[^\s{MEDIA}]){MEDIA}+(?=[^\s{MEDIA}])")
"""What ends a sentence."""
_LABELS: Final = tags.codes_of("button label small")
"""What names the text behind it, in the same element."""
_SHOWN: Final = tags.MEDIA - {tags.CODES["math"]}
"""Media between words; a formula is part of one, such as an n-th power."""


def with_blanks(scan: Scan, markup: str) -> Scan:
    """The scan with a blank in each gap between siblings that are apart. O(pieces)."""
    apart = [piece for piece in between_letters(scan) if _is_apart(scan, markup, piece)]
    apart = sorted({*apart, *_behind_media(scan), *_behind_labels(scan)})
    return _with_blanks_before(scan, np.array(apart, dtype=np.int32)) if apart else scan


def _between_letters_compiled(scan: Scan) -> list[int]:
    pieces, last = scan.pieces, scan.elements.last
    found = _compiled.between_letters(scan.text, pieces.start, pieces.gap, pieces.owner, last)
    places: list[int] = np.frombuffer(found, dtype=np.int32).tolist()
    return places


def between_letters_in_python(scan: Scan) -> list[int]:
    """The pieces right behind a letter or a full stop that begin with a letter, neither of the two
    elements inside the other."""
    owner, last, gap = scan.pieces.owner, scan.elements.last, scan.pieces.gap
    pieces = np.flatnonzero(gap[1:] == tags.INLINE) + 1
    left, right, text = owner[pieces - 1], owner[pieces], scan.text
    pieces = pieces[(last[left] <= right) | (last[right] <= left)]
    starts = scan.pieces.start[pieces].tolist()
    return [
        piece
        for piece, at in zip(pieces.tolist(), starts, strict=True)
        if text[at].isalnum() and (text[at - 1].isalnum() or text[at - 1] in _STOPS)
    ]


between_letters = loop(_compiled and _between_letters_compiled, between_letters_in_python)


def _is_apart(scan: Scan, markup: str, piece: int) -> bool:
    at, owner = int(scan.pieces.start[piece]), scan.pieces.owner
    before, after = scan.text[at - 1], scan.text[at]
    if before in _STOPS and not (after.isupper() and scan.text[max(at - 3, 0) : at - 1].islower()):
        return False  # an abbreviation, a number, an address
    is_begin = before.isdigit() or after.isdigit() or (after.isupper() and not before.isupper())
    left, right, around = _siblings(scan.elements, int(owner[piece - 1]), int(owner[piece]))
    kinds = {int(scan.elements.tag[left]), int(scan.elements.tag[right])}
    if not kinds.isdisjoint(_JOINED) or kinds <= _STYLED:
        return False
    if not is_begin and kinds == {_LINK}:
        return _attribute(scan, markup, left, "href") != _attribute(scan, markup, right, "href")
    if not is_begin:
        is_cased = all(one.lower() != one.upper() for one in (before, after))
        is_apart = is_cased and kinds == {_SPAN} and _are_named_apart(scan, markup, left, right)
        return is_apart and not _is_code(scan.elements, around)
    return kinds <= _CODE or not _is_code(scan.elements, around)


def _behind_media(scan: Scan) -> Iterator[int]:
    """The pieces that begin a word behind a picture or player that has another word before it.

    A page's own text may hold the character that stands for media: no piece begins behind it.
    """
    text, owner, tag = scan.text, scan.pieces.owner, scan.elements.tag
    starts = scan.pieces.start
    for found in _MEDIA_WITHIN.finditer(text):
        begin, end = found.span()
        if _is_cased(text[begin - 1]) and _is_cased(text[end]):
            piece = int(np.searchsorted(starts, end))
            is_begin = piece < len(starts) and starts[piece] == end
            if is_begin and int(tag[owner[piece - 1]]) in _SHOWN:
                yield piece


@needs("button", "label", "small", absent=())
def _behind_labels(scan: Scan) -> Iterable[int]:
    """The pieces of an element that begin with a capital right behind a label in it."""
    owner, tag, parent = scan.pieces.owner, scan.elements.tag, scan.elements.parent
    kinds = tag[owner[:-1]]
    is_behind = np.zeros(len(kinds), dtype=bool)
    for label in _LABELS:
        is_behind |= kinds == label
    for piece in (np.flatnonzero(is_behind & (scan.pieces.gap[1:] == tags.INLINE)) + 1).tolist():
        at = int(scan.pieces.start[piece])
        is_begin = scan.text[at - 1].islower() and scan.text[at].isupper()
        if is_begin and parent[owner[piece - 1]] == owner[piece]:
            yield piece


@cache
def _is_cased(letter: str) -> bool:
    return letter.isdigit() or letter.lower() != letter.upper()


def _are_named_apart(scan: Scan, markup: str, left: int, right: int) -> bool:
    """Whether two elements are of other classes, most of them: a name and its type, a label and a
    value."""
    first, second = ({*_attribute(scan, markup, one, "class").split()} for one in (left, right))
    return bool(first and second) and 2 * len(first & second) < min(len(first), len(second))


def _siblings(elements: Elements, left: int, right: int) -> tuple[int, int, int]:
    """The outermost elements that hold one of two and not the other, and their parent."""
    while elements.last[elements.parent[left]] <= right:
        left = int(elements.parent[left])
    around = int(elements.parent[left])
    while elements.parent[right] != around:
        right = int(elements.parent[right])
    return left, right, around


def _is_code(elements: Elements, element: int) -> bool:
    while element >= 0:
        if int(elements.tag[element]) in _CODE:
            return True
        element = int(elements.parent[element])
    return False


def _attribute(scan: Scan, markup: str, element: int, name: str) -> str:
    start, end = int(scan.elements.open_start[element]), int(scan.elements.open_end[element])
    return start_tags.attributes(markup, start, end, frozenset({name})).get(name, "")


def _with_blanks_before(scan: Scan, apart: Ints) -> Scan:
    pieces = scan.pieces
    gap = pieces.gap.copy()
    gap[apart] = tags.SPACE
    shift = np.zeros(len(pieces), dtype=np.int32)
    shift[apart] = 1
    shift = np.cumsum(shift, dtype=np.int32)
    cuts = [0, *pieces.start[apart].tolist(), len(scan.text)]
    text = " ".join(scan.text[start:end] for start, end in pairwise(cuts))
    moved = replace(pieces, start=pieces.start + shift, end=pieces.end + shift, gap=gap)
    return replace(scan, text=text, pieces=moved)
