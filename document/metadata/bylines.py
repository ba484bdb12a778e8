"""Who wrote a page: what stands near its headline before what is declared out of sight.

A wrong name is worse than none: names of sites, addresses and templates that were not filled in are
no authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata import byline_words as words
from winnow.document.metadata.author_names import LONGEST, by_in, cleaned
from winnow.document.metadata.date_words import dates_in, first_date
from winnow.document.metadata.headline import Line, LinesAround, line_of
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import key_of

_MARK: Final = re.compile(
    r' (?:rel|itemprop)="(?:[^"]* )?author(?: [^"]*)?"|'
    r' (?:class|id|data-testid|data-qa)="(?:[^"]*[ _-])?(?:author|byline)s?'
    r"(?:[_-]{1,2}(?:names?|link|text|wrap(?:per)?|info|block|content|title|item|list))?"
    r'(?:[ ][^"]*)?"',
    re.IGNORECASE,
)
_DECLARED_MARK: Final = re.compile(
    r' (?:rel="author"|itemprop="author"|class="(?:[^"]* )?p-author(?: [^"]*)?")'
)
_NAME_ONLY: Final = re.compile(
    r"[^\W\d_][\w.'\u2019-]*"
    r"(?:\s+(?:(?:de|da|van|von|der|den|del|di|la|le|of|and|the|bin|al|&)\s+)*"
    r"[^\W\d_a-z][\w.'\u2019-]*){1,3}"
)
_MORE: Final = re.compile(r",\s*[^,\s]+\s+[^,\s]+|\band\b|&|^\s*(?:,\s*)?[A-Z]{2,}")
"""Another name, or a degree, behind one."""
_BY: Final = re.compile(r"\bby\b", re.IGNORECASE)
_SHORT: Final = 50
"""Characters of a line that holds no more than a name and a date."""
_BEHIND, _BEFORE = 12, 4
"""Lines behind and before the headline in which a byline stands."""
_TAGS: Final = 2000
"""Characters of start tags before a text."""
_INNER: Final = 12
"""Elements of a marked one that are looked at for ``itemprop="name"``."""


def byline_of(
    document: Document, around: LinesAround, declared: Sequence[str], site: str, language: str
) -> str:
    """The authors' names, "" where none is certain.

    ``declared``: the names of linked data and ``<meta>``, the most reliable first.
    """
    near = (*around.behind[:_BEHIND], *around.before[:_BEFORE])
    names = [name for text in dict.fromkeys(declared) if (name := cleaned(text, language))]
    others = [name for name in names if key_of(name) != key_of(site)]
    seen = _seen(near, others, names) if names else ""
    written = next(_labelled(near, language), "") or next(_marked(document, near, language), "")
    if seen or written:
        return _agreed(written, seen, names)
    if beside := _beside_date(around, language):
        return next(iter(others), beside)
    personal = [name for name in names if _NAME_ONLY.fullmatch(name)]
    return next(iter(others or personal or _declared_marks(document, language)), "")


def _seen(near: Sequence[Line], names: Iterable[str], alone: Iterable[str]) -> str:
    """The first of the names near the headline; those of ``alone`` with little beside them."""
    shown = key_of(" ".join([line.text for line in near]))
    lines = "\n".join([key_of(line.text) for line in near if len(line.text) <= _SHORT])
    for some, where in ((names, shown), (alone, lines)):
        for name in some:
            if key_of(name) in where:
                return name
    return ""


def _labelled(near: Sequence[Line], language: str) -> Iterator[str]:
    """The names behind "by" or its like at the beginning of a short line, or alone before them."""
    by = by_in(language)
    for index, line in enumerate(near):
        text = line.text if len(line.text) <= 2 * LONGEST else ""
        if not words.ANY.search(text) and not (by and by in text.lower()):
            continue
        if started := words.STARTED.search(text):
            yield from _name_of(text[started.end() :], language)
        elif words.ALONE.fullmatch(text):
            yield from (_name_of(near[index + 1].text, language) if index + 1 < len(near) else ())
        else:
            text = _undated(text, language)
            if words.AT_START.match(text) or (by and text.lower().startswith(by)):
                yield from _name_of(text, language)


def _name_of(text: str, language: str) -> Iterator[str]:
    """The name in a text; words in lower case are none, but a user's name is one word."""
    name = cleaned(text, language)
    is_prose = name[:1].islower() and (" " in name or text.rstrip().endswith("."))
    if name and not is_prose:
        yield name


def _undated(text: str, language: str) -> str:
    """A line without the date and the reading time that it begins with."""
    dated = first_date(text[:LONGEST], language)
    if dated and words.BEFORE_LABEL.fullmatch(text[: dated.start]):
        text = text[dated.end :]
    found = _BY.search(text)
    begin = found.start() if found and words.BEFORE_LABEL.fullmatch(text[: found.start()]) else 0
    return text[begin:].lstrip(" |,-\u2013\u2014\u2022\u00b7")


def _agreed(written: str, seen: str, names: Iterable[str]) -> str:
    """What is written, or the declared name that agrees with it, unless more names are written."""
    if seen and key_of(seen) not in key_of(written):
        return seen
    for name in names:
        if key_of(name).startswith(key_of(written)):
            return name
        rest = written[len(name) :] if key_of(written).startswith(key_of(name)) else ""
        if rest and not _MORE.search(rest):
            return name
    return written


@needs("author", "byline", absent=iter(()))
def _marked(document: Document, near: Sequence[Line], language: str) -> Iterator[str]:
    """The names in elements near the headline whose class, ``rel`` or microdata says author."""
    if not near:
        return
    first, behind = min(line.first for line in near), max(line.behind for line in near)
    elements, pieces = document.elements, document.pieces
    begin = max(int(pieces.source_start[first]) - _TAGS, 0)
    markup = document.markup[begin : int(pieces.source_end[behind - 1])]
    for element in _elements_at(document, begin, markup, ("author", "byline"), _MARK):
        start, end = int(elements.first_piece[element]), int(elements.last_piece[element])
        if first <= start < end <= behind and (name := _name_in(document, element, language)):
            yield name


@needs("author", absent=())
def _declared_marks(document: Document, language: str) -> Iterable[str]:
    """The names that microdata, microformats or ``rel`` mark anywhere in the page."""
    for element in _elements_at(document, 0, document.markup, ("author",), _DECLARED_MARK):
        if name := _name_in(document, element, language):
            yield name


def _elements_at(
    document: Document, begin: int, markup: str, names: tuple[str, ...], mark: re.Pattern[str]
) -> Iterator[int]:
    """The elements of a stretch of markup whose start tags hold one of the words and match."""
    starts, ends = document.elements.open_start, document.elements.open_end
    offsets = np.array(start_tags.standing_of(markup, names), dtype=np.int32) + begin
    found = starts.searchsorted(offsets, side="right") - 1
    for element in dict.fromkeys(found.tolist()):
        if element >= 0 and mark.search(document.markup, starts[element], ends[element]):
            yield element


def _name_in(document: Document, element: int, language: str) -> str:
    """The name in an element: what microdata marks in it, else its first line."""
    elements = document.elements
    for inner in range(element, min(int(elements.last[element]), element + _INNER)):
        is_name = document.attributes_of(inner, {"itemprop"}).get("itemprop") == "name"
        if is_name and (name := cleaned(_first_line(document, inner), language)):
            return name
    return cleaned(_first_line(document, element), language)


def _first_line(document: Document, element: int) -> str:
    first, behind = document.elements.first_piece[element], document.elements.last_piece[element]
    return line_of(document, int(first), int(behind))


def _beside_date(around: LinesAround, language: str) -> str:
    """A line that is nothing but a name and stands beside, or holds, a date."""
    lines = [*around.before[2::-1], *around.behind[:6]]
    dated = {index for index, line in enumerate(lines) if dates_in(line.text[:120], language)}
    beside = {index + near for index in dated for near in (-2, -1, 0, 1)}
    for line in [line for index, line in enumerate(lines) if index in beside]:
        name = cleaned(line.text, language) if len(line.text) <= LONGEST else ""
        if _NAME_ONLY.fullmatch(name) and words.NO_PERSON.isdisjoint(name.lower().split()):
            return name
    return ""
