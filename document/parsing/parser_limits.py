"""An upper bound of what a page costs the parser beyond its size, estimated from its bytes.

Three constructs cost lexbor more than linear time (HTML standard, 13.2.4.3): at most tags it looks
through all open elements, at each attribute through all before it, and in every block it opens
unclosed formatting elements again. This is the definition; ``_parser_limits.c``, where it
could be built, computes the same. ``winnow.document.parsing.parse`` applies it.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

DEPTH: Final = 512
"""Open elements, as many as Blink and WebKit nest (``kMaximumHTMLParserDOMTreeDepth``): browsers
show nothing deeper. Lexbor takes some ns for each at each tag."""
ATTRIBUTES: Final = 1000
"""Of one tag. Lexbor compares each with all before it."""
REOPENED: Final = 500_000
"""Formatting elements that could be opened again, all blocks together."""
OPTIONS: Final = 8000
"""Of one ``<select>``. Lexbor looks at all before each."""
REACH: Final = DEPTH
"""Open elements among which an end tag's is looked for."""


class ParserLimit(IntEnum):
    """Which limit a page exceeds."""

    NONE = 0
    DEPTH = 1
    ATTRIBUTES = 2
    REOPENED = 3
    OPTIONS = 4


_TABLE_WEIGHT: Final = 3

_VOID, _RAW, _SPECIAL, _SCOPE, _FORMATTING, _CLOSES_P, _CELL, _ROW = (1 << bit for bit in range(8))
_GROUP, _TABLE, _SECTION, _ALONE, _FOREIGN, _OPTION, _IGNORED, _SINGLE = (
    1 << bit for bit in range(8, 16)
)
_CLASSES: Final = {
    _VOID: "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr image",
    _RAW: "script style xmp iframe noembed noframes title textarea plaintext",
    _SPECIAL: "address applet article aside blockquote button caption center colgroup dd details "
    "dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup "
    "iframe li listing main marquee menu nav noembed noframes noscript object ol p plaintext pre "
    "script search section select style summary table tbody td template textarea tfoot th thead "
    "title tr ul xmp svg math foreignobject desc annotation-xml mi mo mn ms mtext",
    _SCOPE: "applet caption table td th marquee object template svg math foreignobject desc title "
    "annotation-xml mi mo mn ms mtext",
    _FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    _CLOSES_P: "address article aside blockquote center details dialog dir div dl fieldset "
    "figcaption figure footer header hgroup main menu nav ol p search section summary ul h1 h2 h3 "
    "h4 h5 h6 pre listing form table plaintext xmp hr li dd dt",
    _CELL: "td th",
    _ROW: "tr",
    _GROUP: "li p dd dt",
    _TABLE: "table",
    _SECTION: "tbody thead tfoot caption colgroup",
    _ALONE: "form option optgroup rb rt rtc rp",
    _FOREIGN: "svg math",
    _OPTION: "option",
    _IGNORED: "html head body",
    _SINGLE: "a nobr",
}
_NAMES: Final = tuple(sorted({name for names in _CLASSES.values() for name in names.split()}))
_FLAGS: Final = {
    name.encode(): sum(bit for bit, names in _CLASSES.items() if name in names.split())
    for name in _NAMES
}
TABLES: Final = (
    _NAMES,
    b"".join(flags.to_bytes(4, "little") for flags in _FLAGS.values()),
)
LIMITS: Final = (DEPTH, ATTRIBUTES, REOPENED, OPTIONS, REACH)
_IN_TABLE: Final = _CELL | _ROW | _SECTION
_BLANK: Final = b"\t\n\f\r "
_GREATER: Final = ord(">")
_ENDS: Final = _BLANK + b"/>"
_COMMENT_END: Final = re.compile(b"--!?>")
_PAIRS: Final = {b"dd": b"dt", b"dt": b"dd"}


class _Open(NamedTuple):
    name: bytes
    flags: int


class _Estimate:
    """What is open, and how much of everything there was. One tag after the other."""

    def __init__(self, limits: tuple[int, int, int, int, int]) -> None:
        self.limits = limits
        self.open: list[_Open] = []
        self.tables = self.foreign = self.options = self.reopened = 0
        self.formatting: dict[bytes, int] = {}
        self.active = self.standing = 0

    @property
    def closed(self) -> int:
        """Formatting elements that are closed and will be opened again."""
        return max(self.active - self.standing, 0)

    @property
    def excess(self) -> int:
        depth, _, reopened, options, _ = self.limits
        if len(self.open) + (_TABLE_WEIGHT - 1) * self.tables + self.closed > depth:
            return ParserLimit.DEPTH
        if self.reopened > reopened:
            return ParserLimit.REOPENED
        return ParserLimit.OPTIONS if self.options > options else ParserLimit.NONE

    def start(self, name: bytes, is_closed: bool) -> None:
        """Take a start tag."""
        flags = _FLAGS.get(name, 0)
        self.reopened += self.closed if flags & (_SPECIAL | _FORMATTING) else 0
        self.close_for(name, flags)
        self.options = 0 if name == b"select" else self.options + bool(flags & _OPTION)
        is_phantom = flags & _IN_TABLE and not self.tables and not self.foreign
        if flags & (_VOID | _IGNORED) or is_phantom or (is_closed and self.foreign):
            return
        active_of_name = self.formatting.get(name, 0)
        if flags & _FORMATTING and not (flags & _SINGLE and active_of_name):
            self.formatting[name] = active_of_name + 1
            self.active += 1
        self.open.append(_Open(name, flags))
        self.standing += bool(flags & _FORMATTING)
        self.tables += bool(flags & _TABLE)
        self.foreign += bool(flags & _FOREIGN)

    def close_for(self, name: bytes, flags: int) -> None:
        """Close what a start tag ends."""
        if flags & _CLOSES_P:
            self.close(b"p", _SCOPE, b"button")
        if flags & (_GROUP | _SINGLE):
            self.close(name, _SPECIAL, b"")
        if name in _PAIRS:
            self.close(_PAIRS[name], _SPECIAL, b"")
        if flags & _ALONE and name != b"form":
            self.close_last(name)
        if flags & _IN_TABLE and self.tables:
            self.row_context(flags)

    def end(self, name: bytes) -> None:
        """Take an end tag."""
        flags = _FLAGS.get(name, 0)
        if flags & _FORMATTING and self.formatting.get(name, 0):
            self.formatting[name] -= 1
            self.active -= 1
        if flags & _ALONE:
            self.close_last(name)
        elif flags & (_IN_TABLE | _TABLE):
            self.close(name, _TABLE, b"")
        else:
            self.close(name, _SCOPE if flags & _SPECIAL else _SPECIAL, b"")

    def close(self, name: bytes, boundary: int, also: bytes) -> None:
        """Close the nearest open element of a name, unless a boundary stands before it."""
        reach = self.limits[4]
        for at in range(len(self.open) - 1, max(len(self.open) - 1 - reach, -1), -1):
            opened = self.open[at]
            if opened.name == name:
                self.pop(at)
                return
            if opened.flags & boundary or opened.name == also:
                return

    def close_last(self, name: bytes) -> None:
        """Close the innermost element, if it has that name."""
        if self.open and self.open[-1].name == name:
            self.pop(len(self.open) - 1)

    def row_context(self, flags: int) -> None:
        """What a cell, row or section ends that stands in the same table."""
        ended = flags | (_CELL if flags & (_ROW | _SECTION) else 0)
        ended |= _ROW if flags & _SECTION else 0
        ended &= _IN_TABLE
        lowest, reach = -1, self.limits[4]
        for at in range(len(self.open) - 1, max(len(self.open) - 1 - reach, -1), -1):
            if self.open[at].flags & _TABLE:
                break
            if self.open[at].flags & ended:
                lowest = at
        if lowest >= 0:
            self.pop(lowest)

    def pop(self, size: int) -> None:
        while len(self.open) > size:
            flags = self.open.pop().flags
            self.standing -= bool(flags & _FORMATTING)
            self.tables -= bool(flags & _TABLE)
            self.foreign -= bool(flags & _FOREIGN)


def exceeded_limit_in_python(utf8: bytes, _names: object, _flags: object, *limits: int) -> int:
    """The ParserLimit that a page exceeds first, NONE if none."""
    estimate = _Estimate((limits[0], limits[1], limits[2], limits[3], limits[4]))
    at, size, marked = utf8.find(b"<"), len(utf8), 0
    while 0 <= at < size and not estimate.excess:
        mark = utf8[at + 1 : at + 2]
        if mark.isalpha():
            tag = _tag(utf8, at + 1)
            if tag.attributes > limits[1]:
                return ParserLimit.ATTRIBUTES
            is_marked = at < marked
            at = min(tag.end, max(marked, at + 1)) if is_marked else tag.end
            if at < size or utf8.endswith(b">"):
                estimate.start(tag.name, tag.is_closed)
                at = at if is_marked else _behind_raw(utf8, tag.name, at, estimate)
        elif mark == b"/" and utf8[at + 2 : at + 3].isalpha():
            tag = _tag(utf8, at + 2)
            if at >= marked:
                estimate.end(tag.name)
            at = tag.end if at >= marked else at + 2
        elif estimate.foreign and utf8.startswith(b"<![CDATA[", at):
            at += 9
            if at >= marked:
                marked = utf8.find(b"]]>", at) + 1 or size
        else:
            at = _behind_declaration(utf8, at) if at >= marked else at + 1
        at = utf8.find(b"<", at)
    return estimate.excess


def _behind_declaration(utf8: bytes, at: int) -> int:
    """Where a comment or what counts as one ends; one further for any other ``<``."""
    if utf8.startswith(b"<!--", at):
        found = _COMMENT_END.search(utf8, at + 2)
        return found.end() if found else len(utf8)
    mark = utf8[at + 1 : at + 2]
    return utf8.find(b">", at) + 1 or len(utf8) if mark and mark in b"!?/" else at + 1


class _Tag(NamedTuple):
    """``end``: the offset behind it. ``is_closed``: it ends in ``/>``."""

    name: bytes
    attributes: int
    end: int
    is_closed: bool


def _tag(utf8: bytes, start: int) -> _Tag:
    """The tag whose name starts there (HTML standard, 13.2.5.8 and 13.2.5.32 to 13.2.5.40)."""
    size = len(utf8)
    at = _until(utf8, start, _BLANK + b"/>")
    name, count = utf8[start:at].lower(), 0
    while at < size:
        while at < size and utf8[at] in _BLANK + b"/":
            at += 1
        if at < size and utf8[at] == _GREATER:
            return _Tag(name, count, at + 1, utf8[at - 1 : at] == b"/")
        count += at < size
        at = _until(utf8, at + 1, _BLANK + b"/>=")
        behind = at
        while behind < size and utf8[behind] in _BLANK:
            behind += 1
        if utf8[behind : behind + 1] == b"=":
            at = _behind_value(utf8, behind + 1)
    return _Tag(name, count, size, False)


def _behind_value(utf8: bytes, at: int) -> int:
    size = len(utf8)
    while at < size and utf8[at] in _BLANK:
        at += 1
    if quote := utf8[at : at + 1]:
        if quote in b"\"'":
            return utf8.find(quote, at + 1) + 1 or size
        return _until(utf8, at, _BLANK + b">")
    return size


def _until(utf8: bytes, at: int, stops: bytes) -> int:
    while at < len(utf8) and utf8[at] not in stops:
        at += 1
    return min(at, len(utf8))


def _behind_raw(utf8: bytes, name: bytes, at: int, estimate: _Estimate) -> int:
    """Where the content of a raw-text element ends; the same place for any other element."""
    if estimate.foreign or not _FLAGS.get(name, 0) & _RAW:
        return at
    if name == b"plaintext":
        return len(utf8)
    end = at
    while (end := utf8.find(b"</", end)) >= 0:
        behind = end + 2 + len(name)
        is_end = behind < len(utf8) and utf8[behind] in _ENDS
        if is_end and utf8[end + 2 : behind].lower() == name:
            return end
        end += 2
    return len(utf8)
