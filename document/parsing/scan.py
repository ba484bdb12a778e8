"""The tree scan: one linear pass over serialised markup gives text, elements and pieces as arrays.

This is the definition; ``document/parsing/_scan.c``, where it could be built, does the same some
twenty times faster, and is tested equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from winnow.document.arrays import Elements, Ints, Pieces, Scan
from winnow.document.compiled import loop, optional_module
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.parsing import tags
from winnow.document.parsing.masking import is_double_escaped, mask_raw_text
from winnow.document.parsing.signature import WORDS, signature_of
from winnow.document.parsing.start_tags import hides, unescape_text, values_in
from winnow.document.values import MEDIA

if TYPE_CHECKING:
    from winnow.document.parsing import _scan
else:
    _scan = optional_module("winnow.document.parsing._scan")

__all__ = ["Elements", "Ints", "Pieces", "Scan", "scan", "scan_in_python"]

_TOKEN: Final = re.compile(r"<([^>]*)>([^<]*)")
"""A tag and the text behind it: the serialiser escapes < and > in texts and attribute values."""
_LISTS: Final = tags.codes_of("ul ol")
_LIST_ITEM: Final = tags.CODES["li"]
_ELEMENT_WIDTH: Final = 15
_PIECE_WIDTH: Final = 6


def scan(markup: str, *, checked: bool = False) -> Scan:
    """Scan markup as lexbor or ``winnow.document.parsing.parse`` writes it.

    Raises AmbiguousMarkupError where what is written could stand for another tree: the serialiser
    leaves texts in elements named like raw-text elements unescaped, which are none in SVG and
    MathML, and a script that the page's end cut off may not end where it is closed. ``checked``:
    each of the former holds nothing but text, and that none that looks like its end.

    White space folds to one space, except in preformatted elements; a gap between two pieces holds
    the separator of its strongest edge. O(len(markup)), no recursion.
    """
    found = _scanned(markup, checked=checked)
    if found is None:
        raise AmbiguousMarkupError("The markup can be read in more than one way.")
    return found


def _scan_compiled(markup: str, *, checked: bool) -> Scan | None:
    found = _scan.scan(markup, tags.NAMES, *_TABLES, tags.SEPARATORS, WORDS, checked)
    if found is None:
        return None
    text, elements, pieces, signature = found
    of_elements = np.frombuffer(elements, dtype=np.int32).reshape(_ELEMENT_WIDTH, -1)
    of_pieces = np.frombuffer(pieces, dtype=np.int32).reshape(_PIECE_WIDTH, -1)
    signed = int.from_bytes(signature, "little")
    return Scan(text, Elements(*of_elements), Pieces(*of_pieces), signed)


def scan_in_python(markup: str, *, checked: bool = False) -> Scan:
    """What ``scan`` does, a step a tag: its definition. Raises AmbiguousMarkupError, too."""
    found = _scan_defined(markup, checked=checked)
    if found is None:
        raise AmbiguousMarkupError("The markup can be read in more than one way.")
    return found


def _scan_defined(markup: str, *, checked: bool) -> Scan | None:
    """The definition; None where the markup is ambiguous."""
    scanner = _Scanner(checked)
    position = 0
    for tag, masked in _TOKEN.findall(mask_raw_text(markup)):
        behind = position + len(tag) + 2
        if not tag.startswith(("!", "?")):
            scanner.tag(tag, position, behind)
        position = behind + len(masked)
        name = tag.partition(" ")[0]
        if name in tags.RAW_TEXT and scanner.is_ambiguous(name, markup[behind:position]):
            return None
        if masked and name == "xmp":
            scanner.verbatim(markup[behind:position], behind, position)
        elif masked:
            scanner.chunk(masked, behind, position)
        if scanner.is_lost:
            return None
    return scanner.result() if scanner.is_over else None


_scanned = loop(_scan_compiled if _scan else None, _scan_defined)


class _Opened(NamedTuple):
    """What a start tag determines."""

    tag: int
    parent: int
    block: int
    open_start: int
    open_end: int
    first_piece: int


class _Read(NamedTuple):
    """What a start tag's attributes say: whether they hide, where the class and the id stand."""

    hides: int
    class_start: int = 0
    class_end: int = 0
    id_start: int = 0
    id_end: int = 0


class _Closed(NamedTuple):
    """What its end tag adds."""

    close_start: int
    close_end: int
    last_piece: int
    last: int
    read: _Read


class _Scanner:
    """The state of one pass: what is open, what was found, which gap is pending."""

    def __init__(self, checked: bool) -> None:
        self.checked = checked
        self.opened: list[_Opened] = []
        self.closed: list[_Closed] = []
        self.pieces: list[tuple[int, ...]] = []
        self.text: list[str] = []
        self.length = self.gap = self.signature = 0
        self.element = -1
        self.silences = self.verbatims = 0
        self.opaque, self.depth = "", 0
        self.is_foreign = self.is_nested = self.is_lost = False

    @property
    def is_over(self) -> bool:
        """Whether every element was closed."""
        return self.element < 0 and not self.opaque

    def is_ambiguous(self, name: str, content: str) -> bool:
        """Whether the content of the element just opened, which is named like a raw-text element,
        may be something else than what stands before the next end tag of that name."""
        in_doubt = self.is_foreign and self.is_nested and not self.checked
        return in_doubt or (name == "script" and is_double_escaped(content))

    def tag(self, tag: str, start: int, behind: int) -> None:
        """Take one tag, given without its angle brackets."""
        if not tag.startswith("/"):
            name = tag.partition(" ")[0]
            self.is_nested = bool(self.opaque)
            if self.opaque:
                self.depth += name == self.opaque
            else:
                self.is_foreign = False
                self._open(name, _read(tag, start + 1), start, behind)
                self.signature |= signature_of(tag, tags.CODES.get(name, 0))
            self.is_foreign |= name in {"svg", "math"}
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
        words = unescape_text(chunk)
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
        elements = [
            (*opened, *closed[:-1], *closed.read)
            for opened, closed in zip(self.opened, self.closed, strict=True)
        ]
        return Scan(
            "".join(self.text),
            Elements(*_columns(elements, _ELEMENT_WIDTH)),
            Pieces(*_columns(self.pieces, _PIECE_WIDTH)),
            self.signature,
        )

    def _open(self, name: str, read: _Read, start: int, behind: int) -> None:
        code = tags.CODES.get(name, 0)
        index = len(self.opened)
        self._part(code, self.element)
        outer = self.opened[self.element].block if self.element >= 0 else -1
        block = index if code in tags.BLOCK_LEVEL else outer
        self.opened.append(_Opened(code, self.element, block, start, behind, len(self.pieces)))
        self.closed.append(_Closed(behind, behind, len(self.pieces), index + 1, read))
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
            self.is_lost = True  # another tree was written than is read
            return
        opened = self.opened[index]
        self.silences -= opened.tag in tags.SILENT
        self.verbatims -= opened.tag in tags.PREFORMATTED
        if opened.tag in tags.MEDIA and not self.silences:
            self._medium(index, behind)
        read = self.closed[index].read
        self.closed[index] = _Closed(start, behind, len(self.pieces), len(self.opened), read)
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
        self.is_lost |= owner < 0
        if self.length:
            self.text.append(tags.SEPARATORS[self.gap])
            self.length += len(tags.SEPARATORS[self.gap])
        start, self.length = self.length, self.length + len(text)
        self.text.append(text)
        self.pieces.append((start, self.length, source_start, source_end, owner, self.gap))
        self.gap = tags.INLINE


def _read(tag: str, offset: int) -> _Read:
    """What the attributes of a tag say that stands, without its angle bracket, at an offset."""
    found = {"class": (0, 0), "id": (0, 0)}
    for name, start, end in values_in(tag):
        if name in found and end > start:
            found[name] = (offset + start, offset + end)
    return _Read(hides(tag), *found["class"], *found["id"])


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    """Rows as contiguous columns; shape (width, rows)."""
    return np.ascontiguousarray(np.array(rows, dtype=np.int32).reshape(-1, width).T)


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
"""Edges and flags by tag code, as ``document/parsing/_scan.c`` takes them."""
