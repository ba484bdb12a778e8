"""One linear pass over a page's markup: text, elements and pieces as flat arrays.

Knows well-formed markup as lexbor serialises it; refuses to judge what any of it is worth. This is
the definition of what is found; ``document/_scan.c``, where it could be built, does the same some
twenty times faster, ``document/sweep.py`` elsewhere some four times; both are tested equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from document import tags
from document.arrays import Elements, Ints, Pieces, Scan
from document.compiled import either
from document.masking import mask_raw_text
from document.serialised import hides, unescape
from document.sweep import sweep
from document.values import MEDIA

try:
    from document import _scan
except ImportError:  # built only where a C compiler was found
    _scan = None  # type: ignore[assignment]  # the name stands for an optional module

__all__ = ["Elements", "Ints", "Pieces", "Scan", "scan", "scan_in_python"]

_TOKEN: Final = re.compile(r"<([^>]*)>([^<]*)")
"""A tag and the text behind it: the serialiser escapes < and > in texts and attribute values."""
_RAW_SHOWN: Final = {"xmp", "plaintext"}
_LISTS: Final = tags.codes_of("ul ol")
_LIST_ITEM: Final = tags.CODES["li"]


def scan(markup: str) -> Scan:
    """Scan markup as ``document.parse.serialise`` returns it.

    White space folds to one space, except in preformatted elements; a gap between two pieces holds
    the separator of its strongest edge. O(len(markup)), no recursion.
    """
    if _scan is None:
        return sweep(markup) or scan_in_python(markup)
    return either(_scan_compiled, scan_in_python, markup)


def _scan_compiled(markup: str) -> Scan:
    text, elements, pieces = _scan.scan(markup, tags.NAMES, *_TABLES, tags.SEPARATORS)
    rows = (np.frombuffer(table, dtype=np.int32) for table in (elements, pieces))
    return Scan(text, Elements(*_columns(next(rows), 11)), Pieces(*_columns(next(rows), 6)))


def scan_in_python(markup: str) -> Scan:
    """What ``scan`` does, a step a tag: its definition."""
    scanner = _Scanner()
    position = 0
    for tag, masked in _TOKEN.findall(mask_raw_text(markup)):
        behind = position + len(tag) + 2
        if not tag.startswith("!"):
            scanner.tag(tag, position, behind)
        position = behind + len(masked)
        if masked and tag.partition(" ")[0] in _RAW_SHOWN:
            scanner.verbatim(markup[behind:position], behind, position)
        elif masked:
            scanner.chunk(masked, behind, position)
    return scanner.result()


class _Opened(NamedTuple):
    """What an opening tag says of its element."""

    tag: int
    parent: int
    block: int
    open_start: int
    open_end: int
    first_piece: int


class _Closed(NamedTuple):
    """What its closing tag adds."""

    close_start: int
    close_end: int
    last_piece: int
    last: int
    hides: int


class _Scanner:
    """The state of one pass: what is open, what was found, which gap is pending."""

    def __init__(self) -> None:
        self.opened: list[_Opened] = []
        self.closed: list[_Closed] = []
        self.pieces: list[tuple[int, ...]] = []
        self.text: list[str] = []
        self.length = self.gap = 0
        self.element = -1
        self.silences = self.verbatims = 0
        self.opaque, self.depth = "", 0

    def tag(self, tag: str, start: int, behind: int) -> None:
        """Take one tag, given without its angle brackets."""
        if not tag.startswith("/"):
            name = tag.partition(" ")[0]
            if self.opaque:
                self.depth += name == self.opaque
            else:
                self._open(name, hides(tag), start, behind)
        elif not self.opaque:
            self._close(tag[1:], start, behind)
        elif tag[1:] == self.opaque:
            self.depth -= 1
            if not self.depth:
                self.opaque = ""
                self._close(tag[1:], start, behind)

    def chunk(self, chunk: str, start: int, end: int) -> None:
        """Take the text between two tags."""
        if self.silences or self.opaque:
            return
        words = unescape(chunk)
        if self.verbatims:
            self.verbatim(words, start, end)
            return
        folded = " ".join(words.split())
        if not folded or words[0].isspace():
            self.gap = self.gap or tags.SPACE
        if folded:
            self._piece(folded, start, end, self.element)
            self.gap = tags.SPACE if words[-1].isspace() else tags.INLINE

    def verbatim(self, text: str, start: int, end: int) -> None:
        """Take text whose white space counts."""
        if not (self.silences or self.opaque):
            self._piece(text, start, end, self.element)

    def result(self) -> Scan:
        """Everything found, as arrays."""
        return Scan(
            "".join(self.text),
            Elements(*_columns(np.hstack([_rows(self.opened, 6), _rows(self.closed, 5)]), 11)),
            Pieces(*_columns(_rows(self.pieces, 6), 6)),
        )

    def _open(self, name: str, hidden: bool, start: int, behind: int) -> None:
        code = tags.CODES.get(name, 0)
        index = len(self.opened)
        self._part(code, self.element)
        outer = self.opened[self.element].block if self.element >= 0 else -1
        block = index if code in tags.BLOCK_LEVEL else outer
        self.opened.append(_Opened(code, self.element, block, start, behind, len(self.pieces)))
        self.closed.append(_Closed(behind, behind, len(self.pieces), index + 1, hidden))
        if code in tags.VOID:
            if code in tags.MEDIA and not self.silences:
                self._medium(index, behind)
            return
        self.element = index
        self.silences += code in tags.SILENT
        self.verbatims += code in tags.PREFORMATTED
        if code in tags.OPAQUE:
            self.opaque, self.depth = name, 1

    def _close(self, name: str, start: int, behind: int) -> None:
        index, code = self.element, tags.CODES.get(name, 0)
        if index < 0 or self.opened[index].tag != code:
            return  # a tag in what looked like markup and was none
        opened = self.opened[index]
        self.silences -= opened.tag in tags.SILENT
        self.verbatims -= opened.tag in tags.PREFORMATTED
        if opened.tag in tags.MEDIA and not self.silences:
            self._medium(index, behind)
        hidden = self.closed[index].hides
        self.closed[index] = _Closed(start, behind, len(self.pieces), len(self.opened), hidden)
        self.element = opened.parent
        self._part(opened.tag, opened.parent)

    def _part(self, code: int, parent: int) -> None:
        """Let an element's edge widen the pending gap."""
        edge = tags.EDGES[code]
        if edge == tags.LINE and self.gap == tags.LINE:
            edge = tags.BLOCK  # two <br> part paragraphs
        elif code in _LISTS and parent >= 0 and self.opened[parent].tag == _LIST_ITEM:
            edge = tags.BLOCK  # a list inside an item goes on line by line
        self.gap = max(self.gap, edge)

    def _medium(self, element: int, behind: int) -> None:
        self._piece(MEDIA, self.opened[element].open_start, behind, element)
        self.closed[element] = self.closed[element]._replace(last_piece=len(self.pieces))

    def _piece(self, text: str, source_start: int, source_end: int, owner: int) -> None:
        if self.length:
            self.text.append(tags.SEPARATORS[self.gap])
            self.length += len(tags.SEPARATORS[self.gap])
        start, self.length = self.length, self.length + len(text)
        self.text.append(text)
        self.pieces.append((start, self.length, source_start, source_end, owner, self.gap))
        self.gap = tags.INLINE


def _rows(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, dtype=np.int32).reshape(-1, width)


def _columns(rows: Ints, width: int) -> Ints:
    """A table of rows as contiguous columns; shape (width, rows)."""
    return np.ascontiguousarray(rows.reshape(-1, width).T)


_FLAGS: Final = (
    tags.VOID,
    tags.MEDIA,
    tags.SILENT,
    tags.OPAQUE,
    tags.PREFORMATTED,
    tags.codes_of(" ".join(tags.RAW_TEXT)),
    _LISTS,
    frozenset({_LIST_ITEM}),
)
_TABLES: Final = (
    bytes(tags.EDGES),
    bytes(
        sum((code in codes) << bit for bit, codes in enumerate(_FLAGS))
        for code in range(len(tags.NAMES))
    ),
)
"""Edges and flags by tag code, as ``document/_scan.c`` takes them."""
