"""One linear pass over a page's markup: text, elements and pieces as flat arrays.

Knows well-formed markup as lexbor serialises it; refuses to judge what any of it is worth. This is
the definition of what is found; ``document/_scan.c``, where it could be built, does the same some
twenty times faster and is tested equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from document import tags
from document.values import MEDIA

try:
    from document import _scan
except ImportError:  # built only where a C compiler was found
    _scan = None  # type: ignore[assignment]  # the name stands for an optional module

Ints = npt.NDArray[np.int32]

_TOKEN: Final = re.compile(r"<([^>]*)>([^<]*)")
"""A tag and the text behind it: the serialiser escapes < and > in texts and attribute values."""
_TAG_OR_COMMENT: Final = re.compile(rf"<(?:({'|'.join(tags.RAW_TEXT)})(?=[ >])[^>]*>|(!--)|[^>]*>)")
"""Any tag: an element's name may hold what looks like a comment's start (``<b<!-->``)."""
_RAW_SHOWN: Final = {"xmp", "plaintext"}
_ATTRIBUTE: Final = re.compile(r' ([^\s=>]+)="([^"]*)"')
_HIDING_STYLE: Final = re.compile(r"display: ?none|visibility: ?hidden")
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
    index behind its last descendant. ``hides``: 1 where its attributes hide it.
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
    hides: Ints

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
    if _scan is None:
        return scan_in_python(markup)
    text, elements, pieces = _scan.scan(markup, tags.NAMES, *_TABLES, tags.SEPARATORS)
    rows = (np.frombuffer(table, dtype=np.int32) for table in (elements, pieces))
    return Scan(text, Elements(*_columns(next(rows), 11)), Pieces(*_columns(next(rows), 6)))


def scan_in_python(markup: str) -> Scan:
    """What ``scan`` does, without the compiled scanner: its definition."""
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


def mask_raw_text(markup: str) -> str:
    """The markup with the content of raw-text elements blanked; offsets stay true.

    A comment becomes a nameless declaration of the same length, so that it parts text nodes.
    """
    kept, position, done = [], 0, 0
    while found := _TAG_OR_COMMENT.search(markup, position):
        position = found.end()
        if found[1]:
            end = _raw_end(markup, found[1], position)
            kept += [markup[done:position], " " * (end - position)]
        elif found[2]:
            end = _comment_end(markup, position)
            kept += [markup[done : found.start()], f"<!{'-' * (end - found.start() - 3)}>"]
        else:
            continue
        position = done = end
    return "".join([*kept, markup[done:]])


def _comment_end(markup: str, start: int) -> int:
    end = markup.find("-->", start)
    return end + len("-->") if end >= 0 else len(markup)


def _raw_end(markup: str, name: str, start: int) -> int:
    """Where a raw-text element's closing tag starts."""
    end = markup.find(f"</{name}>", start)
    while end >= 0 and name == "script" and _is_double_escaped(markup, start, end):
        end = markup.find("</script>", end + 1)
    return end if end >= 0 else len(markup)


def _is_double_escaped(markup: str, start: int, end: int) -> bool:
    """Whether ``<!-- <script>`` is open at ``end`` (HTML standard, 13.2.5.27 to 13.2.5.31)."""
    comment = markup.rfind("<!--", start, end)
    if comment < 0 or markup.find("-->", comment, end) >= 0:
        return False
    inside = markup[comment:end].lower()
    return inside.count("<script") > inside.count("</script")


def hides(tag: str) -> bool:
    """Whether an opening tag's attributes hide its element (HTML standard, 6.1; inline styles).

    Not what React streams as ``<div hidden id="S:0">``: a script moves it into the page later.
    """
    if "hid" not in tag and "none" not in tag:
        return False
    attributes = dict(_ATTRIBUTE.findall(tag))
    if attributes.get("id", "").startswith("S:"):
        return False
    if not attributes.get("hidden", "until-found").startswith("until-found"):
        return True
    return _HIDING_STYLE.search(attributes.get("style", "")) is not None


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
