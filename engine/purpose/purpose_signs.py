"""What speaks for a page's purpose: its fields, its texts, its structured data, its scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Mask
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.values import Extraction
from winnow.engine.base.overlap import covered

_PROSE_WORDS: Final = 8
_HEADLINE: Final = 3
_PROSE_OF_EDITOR: Final = 50
_ASIDE: Final = "header nav footer aside dialog"
_ATTRIBUTES: Final = ("type", "name", "id", "autocomplete")
_MOST_FIELDS: Final = 5000
_NO_TEXT: Final = frozenset(
    "hidden submit button image reset checkbox radio file range color search".split()
)
_SECRET: Final = re.compile(
    r"password|one-time-code|cc-(?:number|csc|exp)|card.?num|\bcvv|\bcvc|\botp\b|totp|passcode",
    re.IGNORECASE,
)
_ASKING: Final = ' type="password"'
SEARCH: Final = re.compile(r"search|query|\A[qs]/|\bq\Z|such|buscar|recherch", re.I)
_TYPE: Final = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"(?:https?://schema\.org/)?(\w+)"')
_KIND: Final = re.compile(r' content="([^"]*)"')


Indices = npt.NDArray[np.signedinteger]


@dataclass(frozen=True, slots=True)
class PageSigns:
    """What a page holds, and what of it an extraction keeps.

    ``words`` are shown; ``prose``: those kept in blocks of at least 8 words of which most are in no
    link, ``longest`` in one block, ``shown_prose`` kept or not. ``linked``: the share of kept words
    in links. ``sure``: words of prose that the method is sure of. ``secrets``: fields for
    passwords, cards and codes, shown or not; ``secrets_inside`` those shown amid the prose;
    ``secrets_aside``: there are such fields, and each stands in a header, navigation, footer, aside
    or dialog. ``fields``: other fields for text, not in these; ``searches`` those for a search,
    anywhere. ``types``: schema.org's and Open Graph's.
    """

    title: str
    headline: str
    page_type: str
    confidence: float
    words: int
    prose: int
    longest: int
    shown_prose: int
    linked: float
    sure: int
    secrets: int
    secrets_inside: int
    secrets_aside: bool
    fields: int
    searches: int
    types: frozenset[str]
    scripts: int
    players: int
    editors: int


def signs_of(document: Document, extraction: Extraction) -> PageSigns:
    """The signs of a page; O(elements), and a step for each field."""
    blocks = blocks_of(document)
    kept = covered(blocks.start, extraction.spans)
    reads = (blocks.words >= _PROSE_WORDS) & (blocks.linked_words * 3 < blocks.words)
    prose, shown = kept & reads, ~blocks.hidden
    unscripted = document.inside_tags("noscript")
    secrets, inside, fields, searches = _fields(document, blocks, prose)
    asking = start_tags.standing(document.markup, _ASKING, 11)
    words, read = int(blocks.words @ kept), int(blocks.words @ prose)
    return PageSigns(
        title=document.title,
        headline=_headline(document) or (_named_by_title(document, blocks) if asking else ""),
        page_type=extraction.page_type or "",
        confidence=extraction.confidence,
        words=int(blocks.words @ shown) - int(document.piece_words @ unscripted),
        prose=read,
        longest=max(blocks.words[prose].tolist(), default=0),
        shown_prose=int(blocks.words @ (shown & reads)),
        linked=float(blocks.linked_words @ kept) / max(words, 1),
        sure=int(blocks.words @ covered(blocks.start, extraction.sure)),
        secrets=len(secrets) or int(bool(asking)),  # also in content that is not recorded
        secrets_inside=inside,
        secrets_aside=bool(secrets) and all(secrets) and len(asking) <= len(secrets),
        fields=fields,
        searches=searches,
        types=_types(document),
        scripts=len(document.elements_named("script")),
        players=len(document.elements_named("video")) + len(document.elements_named("audio")),
        editors=len(document.elements_named("canvas"))
        + (document.markup.count(' contenteditable="') if read < _PROSE_OF_EDITOR else 0),
    )


@needs("input", "textarea", "select", absent=((), 0, 0, 0))
def _fields(
    document: Document, blocks: Blocks, prose: Mask
) -> tuple[tuple[bool, ...], int, int, int]:
    """Whether each secret stands aside; numbers of secrets in the prose, other fields, searches."""
    elements = document.elements
    aside = elements_inside(document, elements_of(document, _ASIDE))
    is_hidden = elements_inside(document, elements.hides.nonzero()[0])
    first, last = _range(blocks, prose)
    secrets = list[bool]()
    inside = fields = searches = 0
    for field, kind, names in inputs(document):
        is_shown = not is_hidden[field]
        if _SECRET.search(f"{kind} {names}"):
            secrets.append(bool(aside[field]))
            inside += is_shown and first < elements.first_piece[field] < last
        elif SEARCH.search(names) or kind == "search":
            searches += is_shown
        elif is_shown:
            fields += not aside[field]
    return tuple(secrets), int(inside), fields, searches


def inputs(document: Document) -> Iterator[tuple[int, str, str]]:
    """Element, type and names of each field for text."""
    fields = elements_of(document, "input textarea select")[:_MOST_FIELDS]
    tags = document.elements.open_start[fields], document.elements.open_end[fields]
    kinds, *names = map(dict, start_tags.values(document.markup, *tags, _ATTRIBUTES))
    for at, field in enumerate(fields.tolist()):
        kind = kinds[at].strip().lower() if at in kinds else "text"
        if kind not in _NO_TEXT or kind == "search":
            yield field, kind, "/".join([each.get(at, "") for each in names])


def _range(blocks: Blocks, prose: Mask) -> tuple[int, int]:
    """The first and the last piece of the prose; an empty range where there is none."""
    found = prose.nonzero()[0]
    if not len(found):
        return 0, 0
    return int(blocks.first_piece[found[0]]), int(blocks.last_piece[found[-1]])


def elements_of(document: Document, names: str) -> Indices:
    """The elements of these names."""
    found = [element for name in names.split() for element in document.elements_named(name)]
    return np.array(sorted(found), dtype=np.int64)


def elements_inside(document: Document, around: Indices) -> Mask:
    """Which elements are one of these or stand in one; shape (elements,)."""
    size = len(document.elements) + 1
    steps = np.bincount(around, minlength=size)
    steps -= np.bincount(document.elements.last[around], minlength=size)
    found: Mask = np.cumsum(steps[:-1]) > 0
    return found


def stands_in(document: Document, element: int, around: Indices) -> bool:
    """Whether an element is one of these or stands in one."""
    return bool(((around <= element) & (document.elements.last[around] > element)).any())


@needs("h1", absent="")
def _headline(document: Document) -> str:
    """The first heading of the first level."""
    for element in document.elements_named("h1"):
        first = document.elements.first_piece[element]
        last = document.elements.last_piece[element]
        if first < last:
            start, end = document.pieces.start[first], document.pieces.end[last - 1]
            return " ".join(document.plain(int(start), int(end)).split())
    return ""


def _named_by_title(document: Document, blocks: Blocks) -> str:
    """The first block of several words that the page's title says; "" if there is none."""
    title = document.title.casefold()
    for block in ((blocks.words >= _HEADLINE) & ~blocks.hidden).nonzero()[0].tolist():
        start, end = int(blocks.start[block]), int(blocks.end[block])
        said = document.text[start:end].strip() if end - start <= len(title) else ""
        if said and said.casefold() in title:
            return said
    return ""


def _types(document: Document) -> frozenset[str]:
    """The types that a page gives itself: JSON-LD's, microdata's and Open Graph's (og:...)."""
    found = (document.item_types, _linked_types(document), _open_graph_type(document))
    return frozenset(chain(*found))


def _open_graph_type(document: Document) -> Iterator[str]:
    elements, markup = document.elements, document.markup
    for head in document.elements_named("head")[:1]:
        at = markup.find('"og:type"', elements.open_end[head], elements.close_start[head])
        kind = _KIND.search(markup, markup.rfind("<", 0, at), markup.find(">", at))
        if at >= 0 and kind:
            yield f"og:{kind[1].lower()}"


@needs("ld+json", absent=())
def _linked_types(document: Document) -> Iterable[str]:
    """The types that JSON-LD names, well-formed or not."""
    elements, markup = document.elements, document.markup
    starts, ends, found = elements.open_start.data, elements.open_end.data, list[str]()
    for script in document.elements_named("script"):
        if markup.find("ld+json", starts[script], ends[script]) >= 0:
            found += _TYPE.findall(markup, ends[script], int(elements.close_start[script]))
    return found
