"""Controls and labels that stand in a page's text and are none of it.

Links to edit a section, what a listing has for its buttons and its language, the numbers of its
lines, the signs by which headings link to themselves, bullets of nothing, addresses of scripts,
what is said to ear and eye.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Final

import numpy as np

from winnow.document.arrays import prefix_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask, once
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import PERMALINK_SIGNS
from winnow.document.visibility.spoken_copies import spoken_copies

_CONTROLS: Final = frozenset(
    "copy copy-button copy-btn btn-copy copybtn copy-code copy-code-button code-copy clipboard "
    "clipboard-copy lang code-lang lang-label language-label language-name code-block-language "
    "playground-link try-it tryit toolbar-item".split()
)
_NUMBERS: Final = frozenset(
    "lineno linenos linenumber linenodiv line-number line-numbers line-numbers-rows gutter "
    "rouge-gutter blob-num hljs-ln-numbers hljs-ln-n react-syntax-highlighter-line-number".split()
)
"""Classes of what stands in and beside listings: buttons and labels, line numbers."""
_LONE: Final = frozenset("\u30fb\u2022\u00b7|/\u00bb\u203a\u2039\u00ab\u25aa\u25cf\u25a0")
_SIGNS: Final = _CONTROLS | _NUMBERS
_LONGEST: Final = 20
"""Characters of a control's label."""
_BESIDE: Final = 4
"""Pieces before and behind a listing that may be its controls."""
_HEADING: Final = tags.table_of("h1 h2 h3 h4 h5 h6")
_BEHIND: Final = 100
"""Characters behind a heading in which the link to edit it begins."""
_ABOVE: Final = 3
"""Elements around a text that are looked at."""
_SCRIPT: Final = re.compile(r"(?:https?:)?//\S+\.(?:js|css)(?:[?#]\S*)?")
_CODE: Final = tags.codes_of("pre listing xmp plaintext code")
_BUTTON: Final = tags.CODES["button"]
_LINK: Final = tags.CODES["a"]
_ANCHOR: Final = (
    "anchor", "headerlink", "header-link", "hashlink", "hash-link", "permalink", "headinglink",
    "heading-link",
)  # fmt: skip
"""What the class of a heading's link to itself holds."""
ClassesOf = Callable[[int], frozenset[str]]


@once
def chaff_of(document: Document) -> Mask:
    """Which pieces are no text of the page, read-only; shape (pieces,). O(elements), few of them
    looked at."""
    found = np.zeros(document.pieces.start.size, dtype=np.bool_)
    alone = (_permalinks, _controls, _lone_signs, _anchors, _script_addresses)
    found[[piece for step in alone for piece in step(document)]] = True
    for first, behind in (*_edit_links(document), *spoken_copies(document)):
        found[first:behind] = True
    found.flags.writeable = False
    return found


@needs("editsection", absent=())
def _edit_links(document: Document) -> Iterable[tuple[int, int]]:
    """The pieces of what MediaWiki has in and behind headings to edit a section."""
    elements, markup = document.elements, document.markup
    for heading in _HEADING[elements.tag].nonzero()[0].tolist():
        end = int(elements.close_end[heading]) + _BEHIND
        at = markup.find("editsection", int(elements.open_end[heading]), end)
        if at >= 0:
            element = int(elements.open_start.searchsorted(at, side="right")) - 1
            if elements.class_start[element] <= at < elements.class_end[element]:
                yield int(elements.first_piece[element]), int(elements.last_piece[element])


@needs("a", absent=())
def _permalinks(document: Document) -> Iterable[int]:
    """The signs by which headings link to themselves."""
    short = ((document.piece_lengths == 1) & document.linked).nonzero()[0].tolist()
    in_heading, starts = document.inside_tags("h1 h2 h3 h4 h5 h6 dt"), document.pieces.start.data
    for piece in short:
        if in_heading[piece] and document.text[starts[piece]] in PERMALINK_SIGNS:
            yield piece


@needs(*_ANCHOR, absent=())
def _anchors(document: Document) -> Iterable[int]:
    """The pieces of links beside a heading, or in one that has other words, to itself."""
    elements = document.elements
    links = (elements.tag == _LINK).nonzero()[0]
    starts, ends = elements.class_start[links], elements.class_end[links]
    found = start_tags.holding(document.markup, starts, ends, _ANCHOR)
    if not found:
        return
    words, headings = prefix_sums(document.piece_words), prefix_sums(_HEADING[elements.tag])
    for link in links[found].tolist():
        around = int(elements.parent[link])
        first, behind = int(elements.first_piece[link]), int(elements.last_piece[link])
        begin, end = int(elements.first_piece[around]), int(elements.last_piece[around])
        is_beside = words[end] - words[begin] > words[behind] - words[first]
        if is_beside and headings[elements.last[around]] > headings[around]:
            href = document.attributes_of(link, {"href"}).get("href", "")
            yield from range(first, behind) if href.startswith("#") else ()


def _lone_signs(document: Document) -> Iterator[int]:
    """The bullets and bars that are all of a block outside of tables and listings."""
    blocks = blocks_of(document)
    short = (blocks.end - blocks.start <= len("\u2022 ")).nonzero()[0]
    in_place = document.inside_tags("table pre")
    starts, ends, text = blocks.start.data, blocks.end.data, document.text
    for block in short.tolist():
        if text[starts[block] : ends[block]].strip() in _LONE:
            first = int(blocks.first_piece[block])
            yield from range(first, int(blocks.last_piece[block])) if not in_place[first] else ()


@needs("pre", absent=())
def _controls(document: Document) -> Iterable[int]:
    """The buttons, labels and line numbers of listings."""
    elements, classes_of = document.elements, cache(partial(_classes, document))
    holds_controls = cache(partial(_holds_controls, document))
    for listing in document.elements_named("pre"):
        first, behind = int(elements.first_piece[listing]), int(elements.last_piece[listing])
        around = _container(document, listing)
        if not holds_controls(around):
            continue
        start = max(first - _BESIDE, int(elements.first_piece[around]))
        end = min(behind + _BESIDE, int(elements.last_piece[around]))
        for piece in range(start, end):
            if _is_control(document, piece, around, classes_of):
                yield piece


def _container(document: Document, listing: int) -> int:
    """The element around a listing that holds its controls, and no other listing's text."""
    parent = int(document.elements.parent[listing])
    classes = _classes(document, parent)
    is_code = any(name in word for word in classes for name in ("code", "highlight", "lang", "pre"))
    return parent if is_code else listing


def _holds_controls(document: Document, around: int) -> bool:
    """Whether any element within one has a class of controls or of numbers, or is a button.

    A listing in colours has a hundred elements a screen, and few classes.
    """
    elements, markup = document.elements, document.markup
    inner = slice(around, int(elements.last[around]))
    if (elements.tag[inner] == _BUTTON).any():
        return True
    bounds = zip(
        elements.class_start[inner].tolist(), elements.class_end[inner].tolist(), strict=True
    )
    values = {markup[start:end] for start, end in bounds}
    return not _SIGNS.isdisjoint(word for value in values for word in value.lower().split())


def _is_control(document: Document, piece: int, around: int, classes_of: ClassesOf) -> bool:
    starts, ends = document.pieces.start.data, document.pieces.end.data
    tag, parent = document.elements.tag.data, document.elements.parent.data
    text = document.text[starts[piece] : ends[piece]].strip()
    is_number = text.replace("\n", "").replace(" ", "").isdigit()
    if not is_number and len(text) > _LONGEST:
        return False
    element = document.pieces.owner.data[piece]
    for _ in range(_ABOVE):
        is_code = tag[element] in _CODE
        if element < around or (is_code and not is_number):
            return False
        classes = classes_of(element)
        if is_number and not _NUMBERS.isdisjoint(classes):
            return True
        if not is_code and (tag[element] == _BUTTON or not _CONTROLS.isdisjoint(classes)):
            return True
        element = parent[element]
    return False


def _classes(document: Document, element: int) -> frozenset[str]:
    if element < 0:
        return frozenset()
    return frozenset(document.attributes_of(element, {"class"}).get("class", "").lower().split())


def _script_addresses(document: Document) -> Iterator[int]:
    """The texts that are nothing but the address of a script or a style sheet."""
    pieces, text = document.pieces, document.text
    for at in start_tags.standing_of(text, (".js", ".css")):
        piece = int(pieces.start.searchsorted(at, side="right")) - 1
        whole = text[pieces.start[piece] : pieces.end[piece]].strip()
        is_linked = document.linked[piece] or document.name_of(pieces.owner[piece]) == "code"
        if not is_linked and _SCRIPT.fullmatch(whole):
            yield piece
