"""What the main content of a page holds besides words: each thing with its traces.

A trace is what must still stand in a place of the same kind: a run of words, a file's name, an
address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata.next_page import next_page
from winnow.document.render.article.quoted_posts import POST
from winnow.document.render.embedded.embeds import TRACKERS
from winnow.document.render.embedded.formulas import formula_text
from winnow.document.texts.short_texts import text_inside
from winnow.evaluation.fidelity.files import file_of, files, is_large
from winnow.evaluation.fidelity.gold_region import GoldRegion, words_of
from winnow.evaluation.measuring.words import words

_LENGTH: Final = 8
"""Words of a trace: enough to be distinct, few enough to survive another cut of texts."""
_HALF: Final = 0.5
_CELL: Final = 400
"""Characters a cell of a table that only lays out, as a mean."""
_HEADINGS: Final = ("h2", "h3", "h4", "h5", "h6")
_TEXTUAL: Final = {
    "heading": _HEADINGS,
    "list": ("ul", "ol"),
    "item": ("li",),
    "table": ("table",),
    "cell": ("td", "th"),
    "caption": ("figcaption",),
}
_FIELDS: Final = ("input", "textarea", "select")
_PLAYERS: Final = ("iframe", "video", "audio", "embed", "object")
_SECTION: Final = 12
"""Words of a section by which its place in the output is found."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One heading, image, formula, ...; ``least``: how many of its traces must still be there."""

    kind: str
    traces: tuple[str, ...]
    least: int


def things(region: GoldRegion) -> Iterator[Thing]:
    """All things of the main content."""
    for kind, names in _TEXTUAL.items():
        yield from _textual(region, kind, names)
    yield from _pairs(region)
    yield from _code_lines(region)
    yield from _images(region)
    yield from _links(region)
    yield from _formulas(region)
    yield from _embeds(region)
    yield from _figures(region)
    yield from _forms(region)


def next_pages(document: Document) -> Iterator[Thing]:
    """The address of the next page of a text or thread in parts."""
    if address := next_page(document):
        yield Thing("next page", (file_of(address),), 1)


def unseen(document: Document) -> Iterator[Thing]:
    """The words that no browser shows and that stand nowhere among those it does, some at a time;
    each as a thing, so that words are what is counted."""
    shown = f" {' '.join(words_of(document, np.flatnonzero(~document.hidden).tolist()))} "
    hidden = document.hidden & (document.piece_words > 0)
    for trace in cut(words_of(document, np.flatnonzero(hidden).tolist())):
        if f" {trace} " not in shown:
            yield from (Thing("unseen words", (trace,), 1) for _ in trace.split())


def sections(document: Document, region: GoldRegion | None) -> Iterator[tuple[str, str]]:
    """Each heading's words, with the first words of the text between it and the next heading.

    Shorter sections are left out, and headings that are links, in a menu, shown nowhere, or not in
    the gold text where there is one: "Contents" above a list that a script would have made.
    """
    elements = document.elements
    speaking = (document.piece_words > 0) & ~document.hidden
    aside = document.inside_tags("nav footer aside")
    found = sorted(element for name in _HEADINGS for element in document.elements_named(name))
    ends = [*(int(elements.first_piece[element]) for element in found), len(speaking)][1:]
    for heading, end in zip(found, ends, strict=True):
        first, behind = int(elements.first_piece[heading]), int(elements.last_piece[heading])
        inside = [piece for piece in range(first, behind) if speaking[piece] and not aside[piece]]
        own = region.words_in(first, behind) if region else words_of(document, inside)
        if not inside or not own or document.linked[inside].any():
            continue
        after = np.flatnonzero(speaking[behind:end])[:_SECTION] + behind
        text = words_of(document, after.tolist())[:_SECTION]
        if len(text) == _SECTION and not document.linked[after].any():
            yield " ".join(own[:_LENGTH]), " ".join(text)


def cut(found: Sequence[str]) -> tuple[str, ...]:
    """Words as traces, some at a time."""
    return tuple(" ".join(found[at : at + _LENGTH]) for at in range(0, len(found), _LENGTH))


def _textual(region: GoldRegion, kind: str, names: Sequence[str]) -> Iterator[Thing]:
    document = region.document
    first, last = document.elements.first_piece, document.elements.last_piece
    for element in (element for name in names for element in document.elements_named(name)):
        if _is_counted(document, element, kind):
            inside = (int(first[element]), int(last[element]))
            if traces := cut(region.words_in(*inside)):
                traces = _runs(region, *inside) if kind == "table" else traces
                yield Thing(kind, traces, len(traces) if kind == "table" else -(-len(traces) // 2))


def _runs(region: GoldRegion, first: int, behind: int) -> tuple[str, ...]:
    """The gold words of a range of pieces, parted where other words stand between them."""
    parted = np.cumsum(~region.texts & (region.document.piece_words > 0))
    gold = (piece for piece in range(first, behind) if region.texts[piece])
    runs = (cut(words_of(region.document, run)) for _, run in groupby(gold, parted.__getitem__))
    return tuple(trace for run in runs for trace in run)


def _is_counted(document: Document, element: int, kind: str) -> bool:
    """Tables that lay out pages are not counted, nor lists without items."""
    if kind == "cell":
        table = _around(document, element, "table")
        return table >= 0 and _is_counted(document, table, "table")
    inner = [document.name_of(index) for index in _inner(document, element)]
    if kind == "table":
        rows, cells = inner.count("tr"), inner.count("td") + inner.count("th")
        is_long = len(text_inside(document, element)) > _CELL * cells
        return "table" not in inner and rows >= 2 and cells >= 2 * rows and not is_long
    return kind != "list" or "li" in inner


def _around(document: Document, element: int, name: str) -> int:
    while element >= 0 and document.name_of(element) != name:
        element = int(document.elements.parent[element])
    return element


def _inner(document: Document, element: int) -> range:
    return range(element + 1, int(document.elements.last[element]))


def _pairs(region: GoldRegion) -> Iterator[Thing]:
    """A term's last words with the first of its meaning; ``<wbr>`` parts some of them, not all."""
    document = region.document
    first, last = document.elements.first_piece, document.elements.last_piece
    label: list[str] = []
    for element in sorted(e for name in ("dt", "dd") for e in document.elements_named(name)):
        found = region.words_in(int(first[element]), int(last[element]))
        if document.name_of(element) == "dt":
            label = found
        elif label and found:
            yield Thing("pair", ("".join((*label[-_LENGTH:], *found[:_LENGTH])),), 1)
            label = []


def _code_lines(region: GoldRegion) -> Iterator[Thing]:
    """Each line of code that has a word; a line that occurs twice counts twice."""
    document = region.document
    first, last = document.elements.first_piece, document.elements.last_piece
    for block in document.elements_named("pre"):
        if region.words_in(int(first[block]), int(last[block])):
            for line in lines_of_code(document, block):
                yield Thing("code line", (line,), 1)


def lines_of_code(document: Document, block: int) -> list[str]:
    """The words of each line of a ``<pre>``, of those that have any."""
    pieces = document.pieces
    inside = range(
        int(document.elements.first_piece[block]), int(document.elements.last_piece[block])
    )
    text = "".join(
        ("\n" if pieces.gap[piece] else "") + document.plain(pieces.start[piece], pieces.end[piece])
        for piece in inside
        if not document.hidden[piece]
    )
    return [found for line in text.splitlines() if (found := "".join(words(line)))]


def _images(region: GoldRegion) -> Iterator[Thing]:
    document = region.document
    fallback = document.inside_tags("noscript")
    for element in document.elements_named("img"):
        piece = int(document.elements.first_piece[element])
        attributes = document.attributes_of(element)
        if piece < len(region.all) and region.all[piece] and not fallback[piece]:
            found = files(attributes) if is_large(attributes) else []
            if found:
                yield Thing("image", tuple(found), 1)


def _figures(region: GoldRegion) -> Iterator[Thing]:
    """Figures by the files of their pictures."""
    document = region.document
    first = document.elements.first_piece
    for figure in document.elements_named("figure"):
        inner = [e for e in _inner(document, figure) if document.name_of(e) == "img"]
        found = [file for e in inner[:1] for file in files(document.attributes_of(e))]
        if found and region.all[int(first[inner[0]])]:
            yield Thing("figure", tuple(found), 1)


def _forms(region: GoldRegion) -> Iterator[Thing]:
    """Forms amid the text by the names of what is filled in."""
    document = region.document
    first, last = document.elements.first_piece, document.elements.last_piece
    for form in document.elements_named("form"):
        names = field_names(document, form)
        if names and _is_amid(region, range(int(first[form]), int(last[form]))):
            yield Thing("form", tuple(names), len(names))


def field_names(document: Document, form: int) -> list[str]:
    """The names of a form's fields that a browser shows."""
    fields = [e for e in _inner(document, form) if document.name_of(e) in _FIELDS]
    read = (document.attributes_of(field, {"name", "type"}) for field in fields)
    return [each["name"] for each in read if each.get("name") and each.get("type") != "hidden"]


def _links(region: GoldRegion) -> Iterator[Thing]:
    """Links of the gold text by their words and the last part of their address."""
    document = region.document
    first, last = document.elements.first_piece, document.elements.last_piece
    for link in document.elements_named("a"):
        target = document.attributes_of(link, {"href"}).get("href", "")
        found = region.words_in(int(first[link]), int(last[link]))
        if found and target and not target.startswith(("#", "javascript:")):
            yield Thing("link", (link_trace(found, target),), 1)


def link_trace(found: Sequence[str], target: str) -> str:
    """A link's words and the end of its address."""
    return "".join((*found[:_LENGTH], ">", file_of(target)))


def _formulas(region: GoldRegion) -> Iterator[Thing]:
    """Formulas as MathML or as pictures drawn from TeX; hidden MathML beside a picture too."""
    document = region.document
    for element in (e for name in ("math", "img") for e in document.elements_named(name)):
        formula, piece = formula_text(document, element), document.elements.first_piece[element]
        if formula and piece < len(region.all) and region.all[piece]:
            yield Thing("formula", (formula_trace(formula),), 1)


def formula_trace(formula: str) -> str:
    """A formula without blanks, dollars and outer braces."""
    return re.sub(r"[\s${}]|\\(?:display|text)style", "", formula)


def _embeds(region: GoldRegion) -> Iterator[Thing]:
    """Players and frames by their address, quoted posts by their words."""
    document = region.document
    for element in (e for name in _PLAYERS for e in document.elements_named(name)):
        piece = int(document.elements.first_piece[element])
        attributes = document.attributes_of(element)
        address = (
            attributes.get("src") or attributes.get("data-src") or attributes.get("data") or ""
        )
        if piece < len(region.all) and region.all[piece] and (trace := embed_trace(address)):
            yield Thing("embed", (trace,), 1)
    first, last = document.elements.first_piece, document.elements.last_piece
    for quotation in document.elements_named("blockquote"):
        if POST.search(document.attributes_of(quotation, {"class"}).get("class", "")):
            inside = range(int(first[quotation]), int(last[quotation]))
            if _is_amid(region, inside):
                traces = cut(words_of(document, inside))
                yield Thing("quoted post", traces, -(-len(traces) // 2))


def _is_amid(region: GoldRegion, inside: range) -> bool:
    """Whether the texts right before and right behind some pieces are gold."""
    texts = np.flatnonzero((region.document.piece_words > 0) & ~region.document.hidden)
    at, after = texts.searchsorted((inside.start, inside.stop))
    beside = texts[[edge for edge in (at - 1, after) if 0 <= edge < len(texts)]]
    return bool(len(beside)) and bool(region.texts[beside].all())


def embed_trace(address: str) -> str:
    """What is distinct of a frame's address: a film's number, the last part; "" of a tracker."""
    if address.startswith(("about:", "data:")):
        return ""
    host = re.sub(r"^(?:https?:)?//", "", address).partition("/")[0].partition("?")[0]
    if not host or TRACKERS.search(host):
        return ""
    query = re.search(r"[?&]v=([\w-]{6,})", address)
    return query[1] if query else file_of(address) or host
