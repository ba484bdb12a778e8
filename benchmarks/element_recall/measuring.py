"""What of the main content's images, tables, lists, code and figures is still in the reader page.

The gold text has no markup, so it says only which text nodes are main content: those whose words
stand in it, and in the same order. An element is main content if most of its words are, or if it
holds no words and the text right before and right behind it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Recipe, Span
from winnow.evaluation.alignment import aligned
from winnow.evaluation.packages import PackageEntry
from winnow.evaluation.words import words

KINDS: Final = ("image", "table", "list", "code", "figure")
"""What readers miss first (the first of their requests: lose no content silently)."""
_HOLDERS: Final = {"table": "td th", "list": "ul ol", "code": "pre", "figure": "figure"}
_MOST: Final = 0.8
_HALF: Final = 0.5
_LENGTH: Final = 8
"""Words of a trace: enough to be distinct, few enough to survive another cut of texts."""
_SMALLEST: Final = 32
"""Images declared smaller than this (pixels) are signs and counters."""
_NO_FILE: Final = frozenset({"", "blank", "spacer", "pixel", "placeholder", "transparent", "1x1"})

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Survival:
    """How many things of each kind the main content holds, and how many are still shown."""

    there: Mapping[str, int]
    shown: Mapping[str, int]

    def share(self, kind: str) -> float:
        """The share still shown; 1 where there is nothing to lose."""
        return self.shown[kind] / self.there[kind] if self.there[kind] else 1.0


def survival(document: Document, gold: str, extraction: Extraction) -> Survival:
    """Count what the gold region holds, and what the reader page of an extraction still shows."""
    page = renderer_for(Recipe()).render(document, extraction).body
    after = Document.from_html(page)
    there: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    is_gold = gold_pieces(document, gold)
    for kind in KINDS:
        held = f" {_files_of(after) if kind == 'image' else _words_inside(after, _HOLDERS[kind])} "
        for traces in things(document, is_gold, kind):
            there[kind] += 1
            still = sum(f" {trace} " in held for trace in traces)
            shown[kind] += still >= (1 if kind == "image" else _HALF * len(traces))
    return Survival(there, shown)


def total(found: Iterable[Survival]) -> Survival:
    """The sum over pages."""
    there: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for one in found:
        there.update(one.there)
        shown.update(one.shown)
    return Survival(there, shown)


def gold_region(document: Document, gold: str) -> Extraction:
    """The extraction that the gold text asks for, media between its texts included."""
    is_gold = _with_wordless(document, gold_pieces(document, gold))
    pieces = document.pieces
    spans = (Span(int(pieces.start[n]), int(pieces.end[n])) for n in np.flatnonzero(is_gold))
    return Extraction("gold", tuple(spans))


def gold_pieces(document: Document, gold: str) -> Mask:
    """Which text nodes are the gold text: word by word, and at their place; shape (pieces,).

    A menu or a table of contents repeats headings and is not where they stand: of all places with
    the same words those count that a longest common subsequence with the gold runs through.
    """
    shown = np.flatnonzero(~document.hidden).tolist()
    texts = [_words_of(document, [piece]) for piece in shown]
    wanted = words(gold)
    at = np.cumsum([0, *map(len, texts)])
    through = aligned([word for each in texts for word in each], wanted)
    whole = f" {' '.join(wanted)} "
    found = np.zeros(len(document.pieces), dtype=np.bool_)
    for number, (piece, mine) in enumerate(zip(shown, texts, strict=True)):
        there = through[at[number] : at[number + 1]].sum() >= _HALF * len(mine)
        found[piece] = bool(mine) and bool(there) and f" {' '.join(mine)} " in whole
    return found


def things(document: Document, is_gold: Mask, kind: str) -> Iterable[Sequence[str]]:
    """The traces (some words, or file names) of each thing of a kind in the main content."""
    if kind == "image":
        return _gold_images(document, is_gold)
    name = {"list": ("ul", "ol"), "code": ("pre",)}.get(kind, (kind,))
    elements = (element for each in name for element in document.elements_named(each))
    return [
        traces
        for element in elements
        if _is_counted(document, element, kind) and (traces := _traces(document, is_gold, element))
    ]


def _is_counted(document: Document, element: int, kind: str) -> bool:
    """Tables that lay out pages are not counted, nor lists without items."""
    inner = [document.name_of(index) for index in _inner(document, element)]
    if kind == "table":
        rows, cells = inner.count("tr"), inner.count("td") + inner.count("th")
        return "table" not in inner and rows >= 2 and cells >= 2 * rows
    return kind != "list" or "li" in inner


def _inner(document: Document, element: int) -> range:
    return range(element + 1, int(document.elements.last[element]))


def _traces(document: Document, is_gold: Mask, element: int) -> list[str]:
    """The gold words of an element, some at a time, if they are most of it."""
    pieces = range(
        int(document.elements.first_piece[element]), int(document.elements.last_piece[element])
    )
    texts = [piece for piece in pieces if not document.media[piece]]
    lengths = document.piece_lengths
    gold = [piece for piece in texts if is_gold[piece]]
    if not texts or sum(lengths[gold]) < _MOST * sum(lengths[texts]):
        return []
    found = _words_of(document, gold)
    return [" ".join(found[at : at + _LENGTH]) for at in range(0, len(found), _LENGTH)]


def _words_of(document: Document, pieces: Iterable[int]) -> list[str]:
    start, end = document.pieces.start, document.pieces.end
    texts = (document.plain(int(start[piece]), int(end[piece])) for piece in pieces)
    return [word for text in texts for word in words(text)]


def _words_inside(document: Document, names: str) -> str:
    return " ".join(_words_of(document, np.flatnonzero(document.inside_tags(names)).tolist()))


def _with_wordless(document: Document, is_gold: Mask) -> Mask:
    """The gold pieces, and media and signs whose nearest texts on both sides are gold.

    Captions that the gold leaves out do not part a picture from the text around it.
    """
    left_out = document.inside_tags("figcaption") & ~is_gold
    counted = (document.piece_words > 0) & ~left_out & ~document.hidden
    texts, others = np.flatnonzero(counted), np.flatnonzero(~counted)
    if not len(texts):
        return is_gold
    behind = np.searchsorted(texts, others)
    before = texts[np.maximum(behind - 1, 0)]
    after = texts[np.minimum(behind, len(texts) - 1)]
    found = is_gold.copy()
    found[others] = is_gold[before] & is_gold[after] & (behind > 0) & (behind < len(texts))
    return found & ~document.hidden & ~left_out


def _gold_images(document: Document, is_gold: Mask) -> list[list[str]]:
    """The file names of each image in the main content; signs and placeholders are not counted."""
    region = _with_wordless(document, is_gold)
    fallback = document.inside_tags("noscript")
    images = []
    for element in document.elements_named("img"):
        piece = int(document.elements.first_piece[element])
        attributes = document.attributes_of(element)
        if piece < len(region) and region[piece] and not fallback[piece] and _is_large(attributes):
            images.append(_files(attributes))
    return [files for files in images if files]


def _is_large(attributes: Mapping[str, str]) -> bool:
    sizes = [attributes.get(name, "").removesuffix("px") for name in ("width", "height")]
    return all(int(size) >= _SMALLEST for size in sizes if size.isdecimal())


def _files_of(document: Document) -> str:
    images = (document.attributes_of(element) for element in document.elements_named("img"))
    return " ".join(file for attributes in images for file in _files(attributes))


def _files(attributes: Mapping[str, str]) -> list[str]:
    """The names of the files that an image may show."""
    names = [_file(attributes.get("src", ""))]
    for name, value in attributes.items():
        if name == "srcset" or (name.startswith("data-") and "/" in value):
            names += (_file(part.split()[0]) for part in value.split(", ") if part.split())
    return [name for name in names if name]


def _file(address: str) -> str:
    """The last part of an address, blanks and escapes left out; "" of a stand-in."""
    path = unquote(address.strip()).partition("?")[0].partition("#")[0]
    name = "".join(path.rstrip("/").rpartition("/")[2].split())
    is_stand_in = address.startswith(("data:", "{")) or "placeholder" in name
    return "" if is_stand_in or name.partition(".")[0].lower() in _NO_FILE else name


def page(entry: PackageEntry) -> Document:
    """An entry's page as a document."""
    return Document.from_html(entry.body, entry.url)
