"""One linear pass over a page's markup: text, elements and pieces as flat arrays.

Knows well-formed markup as lexbor serialises it; refuses to judge what any of it is worth. This is
the definition of what is found; ``document/_scan.c``, where it could be built, does the same some
twenty times faster and is tested equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from document import tags
from document.values import MEDIA

Ints = npt.NDArray[np.int32]

_TOKEN: Final = re.compile(r"<([^>]*)>([^<]*)")
"""A tag and the text behind it: the serialiser escapes < and > in texts and attribute values."""
_RAW_OPENING: Final = re.compile(rf"<(?:({'|'.join(tags.RAW_TEXT)})(?=[ >])[^>]*>|!--)")
_LISTS: Final = tags.codes_of("ul ol")
_LIST_ITEM: Final = tags.CODES["li"]


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """A page's elements in document order, n of them; every array has the shape (n,).

    ``tag``: code (tags.NAMES). ``parent``: index of the parent element, -1 for the root. ``block``:
    index of the nearest block-level element, itself included, -1 if none. ``open_start``,
    ``open_end``: offsets in the markup of ``<`` and behind ``>`` of the opening tag;
    ``close_start``, ``close_end``: likewise of the closing tag (a void element: both open_end).
    ``first_piece``, ``last_piece``: the half-open range of pieces inside the element. ``last``: the
    index behind its last descendant.
    """

    tag: Ints
    parent: Ints
    block: Ints
    open_start: Ints
    open_end: Ints
    first_piece: Ints
    close_start: Ints
    close_end: Ints
    last_piece: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.tag)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The page's text nodes and media in document order, m of them; every array: shape (m,).

    ``start``, ``end``: offsets in the text. ``source_start``, ``source_end``: offsets in the markup
    of the text node, white space included (of the whole element for media). ``owner``: the element
    it stands in (for media, the media element). ``gap``: the edge before it (tags.SEPARATORS).
    """

    start: Ints
    end: Ints
    source_start: Ints
    source_end: Ints
    owner: Ints
    gap: Ints

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What one pass finds."""

    text: str
    elements: Elements
    pieces: Pieces


def scan(markup: str) -> Scan:
    """Scan markup as ``document.parse.serialise`` returns it.

    White space folds to one space, except in preformatted elements; a gap between two pieces holds
    the separator of its strongest edge. O(len(markup)), no recursion.
    """
    scanner = _Scanner()
    position = 0
    for tag, chunk in _TOKEN.findall(mask_raw_text(markup)):
        behind = position + len(tag) + 2
        if not tag.startswith("!"):
            scanner.tag(tag, position, behind)
        position = behind + len(chunk)
        if chunk:
            scanner.chunk(chunk, behind, position)
    return scanner.result()


def mask_raw_text(markup: str) -> str:
    """The markup with comments and the content of raw-text elements blanked; offsets stay true."""
    kept, position = [], 0
    while found := _RAW_OPENING.search(markup, position):
        start = found.end() if found[1] else found.start()
        end = markup.find(f"</{found[1]}>" if found[1] else "-->", found.end())
        end = len(markup) if end < 0 else end if found[1] else end + len("-->")
        kept += [markup[position:start], " " * (end - start)]
        position = end
    kept.append(markup[position:])
    return "".join(kept)


def unescape(text: str) -> str:
    """Undo the serialiser's escapes of a text node (HTML standard, 13.3, "escaping a string")."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", "\u00a0").replace("&lt;", "<").replace("&gt;", ">")
    return text.replace("&amp;", "&")


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
                self._open(name, start, behind)
        elif not self.opaque:
            self._close(start, behind)
        elif tag[1:] == self.opaque:
            self.depth -= 1
            if not self.depth:
                self.opaque = ""
                self._close(start, behind)

    def chunk(self, chunk: str, start: int, end: int) -> None:
        """Take the text between two tags."""
        if self.silences or self.opaque:
            return
        words = unescape(chunk)
        if self.verbatims:
            self._piece(words, start, end, self.element)
            return
        folded = " ".join(words.split())
        if not folded or words[0].isspace():
            self.gap = self.gap or tags.SPACE
        if folded:
            self._piece(folded, start, end, self.element)
            self.gap = tags.SPACE if words[-1].isspace() else tags.INLINE

    def result(self) -> Scan:
        """Everything found, as arrays."""
        return Scan(
            "".join(self.text),
            Elements(*_columns(self.opened, 6), *_columns(self.closed, 4)),
            Pieces(*_columns(self.pieces, 6)),
        )

    def _open(self, name: str, start: int, behind: int) -> None:
        code = tags.CODES.get(name, 0)
        index = len(self.opened)
        self._part(code, self.element)
        outer = self.opened[self.element].block if self.element >= 0 else -1
        block = index if code in tags.BLOCK_LEVEL else outer
        self.opened.append(_Opened(code, self.element, block, start, behind, len(self.pieces)))
        self.closed.append(_Closed(behind, behind, len(self.pieces), index + 1))
        if code in tags.VOID:
            if code in tags.MEDIA and not self.silences:
                self._medium(index, behind)
            return
        self.element = index
        self.silences += code in tags.SILENT
        self.verbatims += code in tags.PREFORMATTED
        if code in tags.OPAQUE:
            self.opaque, self.depth = name, 1

    def _close(self, start: int, behind: int) -> None:
        index, opened = self.element, self.opened[self.element]
        self.silences -= opened.tag in tags.SILENT
        self.verbatims -= opened.tag in tags.PREFORMATTED
        if opened.tag in tags.MEDIA and not self.silences:
            self._medium(index, behind)
        self.closed[index] = _Closed(start, behind, len(self.pieces), len(self.opened))
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


def _columns(rows: list[_Opened] | list[_Closed] | list[tuple[int, ...]], width: int) -> list[Ints]:
    table = np.array(rows, dtype=np.int32).reshape(-1, width)
    return [np.ascontiguousarray(table[:, column]) for column in range(width)]
