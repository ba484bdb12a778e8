"""A page decoded and parsed once: text, elements, pieces and derived arrays, computed on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from winnow.document import compiled, words
from winnow.document.arrays import Elements, Ints, Mask, Pieces
from winnow.document.errors import AmbiguousMarkupError
from winnow.document.metadata.linked_data import nodes_of
from winnow.document.parsing import piece_masks, start_tags, tags
from winnow.document.parsing.decoding import decode
from winnow.document.parsing.inline_spacing import with_blanks
from winnow.document.parsing.parse import (
    Tree,
    has_plain_raw_text,
    parse_html,
    serialised,
    serialised_unambiguously,
)
from winnow.document.parsing.scan import Scan, scan
from winnow.document.parsing.signature import bits_of, needs
from winnow.document.tokens import Tokens, tag_gaps, tokenise
from winnow.document.values import MEDIA, Page
from winnow.document.visibility.hidden_elements import hidden_elements

__all__ = ["Document", "Mask", "once"]

T = TypeVar("T")

_ITEM: Final = re.compile(r'itemtype="https?://schema\.org/(\w+)"')
_IS_MEDIA: Final = np.isin(np.arange(len(tags.NAMES)), list(tags.MEDIA))


class derived(Generic[T]):  # noqa: N801 - it reads as property does
    """``functools.cached_property`` without its lock: a document is one thread's."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self.find, self.name, self.__doc__ = find, find.__name__, find.__doc__

    def __get__(self, instance: Any, _owner: type | None = None) -> T:
        found = instance.__dict__[self.name] = self.find(instance)
        return found


@dataclass(frozen=True, eq=False)
class Document:
    """One page: ``markup`` is its tree written out well-formed, ``text`` all of its text.

    ``text`` has docs/formats.md's separators between pieces, and U+FFFC for each image, video,
    object, SVG or formula. Spans are offsets in ``text``; ``elements`` and ``pieces`` give which
    markup they came from (winnow.document.parsing.scan). Hidden text is in ``text`` too, and
    ``hidden`` says so. ``signature``: which tags and words its start tags have
    (winnow.document.parsing.signature).
    """

    page: Page
    encoding: str
    markup: str
    text: str
    elements: Elements
    pieces: Pieces
    signature: int

    @classmethod
    def parse(cls, page: Page) -> Self:
        """Decode, parse and scan a page. Raises TooComplexError, nothing else."""
        decoded = decode(page)
        tree = parse_html(page.body if decoded.is_body else decoded.text)
        markup = serialised(tree, len(page.body))
        try:
            found = scan(markup)
        except AmbiguousMarkupError:
            markup, found = _unambiguous(tree, markup)
        found = with_blanks(found, markup)
        scanned = (found.text, found.elements, found.pieces, found.signature)
        return cls(page, decoded.encoding, markup, *scanned)

    @classmethod
    def from_html(cls, html: str | bytes, url: str | None = None) -> Self:
        """A document from bytes, or from text that is decoded already."""
        if isinstance(html, bytes):
            return cls.parse(Page(html, url))
        return cls.parse(Page(html.encode("utf-8", "replace"), url, "utf-8"))

    @derived
    def piece_words(self) -> Ints:
        """Words that start in each piece (winnow.document.words); shape (pieces,)."""
        return self._counts[0]

    @derived
    def piece_symbols(self) -> Ints:
        """Symbols of each piece; shape (pieces,)."""
        return self._counts[1]

    @derived
    def piece_lengths(self) -> Ints:
        """Characters of each piece, media not counted; shape (pieces,)."""
        return np.where(self.media, 0, self.pieces.end - self.pieces.start).astype(np.int32)

    @derived
    def media(self) -> Mask:
        """Which pieces are media (U+FFFC); shape (pieces,)."""
        return _IS_MEDIA[self.elements.tag[self.pieces.owner]]

    @derived
    def hidden(self) -> Mask:
        """Which pieces no browser shows (winnow.document.visibility); shape (pieces,)."""
        return self.inside(np.array(_hiding(self), dtype=np.int32))

    @derived
    def hidden_words(self) -> int:
        """Words that nobody sees."""
        return int(self.piece_words[self.hidden].sum())

    @derived
    def linked(self) -> Mask:
        """Which pieces stand in an ``<a>``; shape (pieces,)."""
        return self.inside_tags("a")

    @derived
    def tokens(self) -> Tokens:
        """The token stream of what is shown: tags, words and symbols (winnow.document.tokens)."""
        return tokenise(self.text, self.elements, self.pieces, self.hidden)

    @derived
    def tags_before(self) -> Ints:
        """How many start and end tags stand before each piece; shape (pieces,)."""
        return np.cumsum(self.tag_gaps, dtype=np.int32)

    @derived
    def tag_gaps(self) -> Ints:
        """How many tags stand between each piece and the one before it; shape (pieces,)."""
        return tag_gaps(self.elements, self.pieces)

    def inside(self, elements: npt.NDArray[np.integer]) -> Mask:
        """Which pieces stand in any of the elements (indices); shape (pieces,)."""
        if not len(elements):
            return np.zeros(self.pieces.start.size, dtype=bool)
        return piece_masks.inside(self.elements, elements, self.pieces.start.size)

    def inside_tags(self, names: str) -> Mask:
        """Which pieces stand in an element with one of the blank-separated names; read-only."""
        if names not in self._inside_tags:
            if not self.signature & bits_of(names):
                return self._no_piece
            found = piece_masks.inside_tags(self.elements, names, self.pieces.start.size)
            found.flags.writeable = False
            self._inside_tags[names] = found
        return self._inside_tags[names]

    @derived
    def found(self) -> dict[object, Any]:
        """What steps found that are entered ``once``, by the step."""
        return {}

    @derived
    def _no_piece(self) -> Mask:
        found = np.zeros(self.pieces.start.size, dtype=np.bool_)
        found.flags.writeable = False
        return found

    @derived
    def _inside_tags(self) -> dict[str, Mask]:
        """What was found by names, which are words of the program: several steps ask for it."""
        return {}

    def name_of(self, element: int) -> str:
        """An element's name, also where it has no tag code."""
        code = int(self.elements.tag[element])
        return tags.NAMES[code] or self._opening(element)[1:-1].partition(" ")[0]

    def attributes_of(self, element: int, among: Container[str] | None = None) -> dict[str, str]:
        """An element's attributes, unescaped; of a repeated name the first counts.

        ``among``: none but these, which spares unescaping whole scripts that others hold.
        """
        starts, ends = self._tags
        return start_tags.attributes(self.markup, starts[element], ends[element], among)

    def elements_named(self, name: str) -> list[int]:
        """All elements of a name that has a tag code, as indices in document order; read-only."""
        if name not in self._named:
            order, starts = self._by_tag
            first, behind = starts[tags.CODES[name]], starts[tags.CODES[name] + 1]
            self._named[name] = order[first:behind].tolist() if first < behind else []
        return self._named[name]

    @derived
    def _named(self) -> dict[str, list[int]]:
        """What was found by name: several steps ask for headings, scripts, links."""
        return {}

    @derived
    def _by_tag(self) -> tuple[npt.NDArray[np.integer], list[int]]:
        """All elements by their tag code, and where each code's begin."""
        return piece_masks.by_tag(self.elements)

    @derived
    def title(self) -> str:
        """The text of ``<title>``, white space folded; empty if there is none."""
        for element in self.elements_named("title"):
            start, end = self.elements.open_end[element], self.elements.close_start[element]
            return " ".join(start_tags.unescape_text(self.markup[start:end]).split())
        return ""

    @derived
    def language(self) -> str:
        """The ``lang`` of the root element; empty if it names none."""
        attributes = self.attributes_of(0) if self.elements.tag.size else {}
        return (attributes.get("lang") or attributes.get("xml:lang") or "").strip()

    @derived
    def item_types(self) -> tuple[str, ...]:
        """The first type of each item of schema.org's that microdata in the markup names."""
        at = start_tags.standing(self.markup, 'itemtype="http', 5)
        found = (_ITEM.match(self.markup, offset) for offset in at)
        return tuple(each[1] for each in found if each)

    @derived
    def linked_nodes(self) -> list[dict[str, Any]]:
        """All objects of the page's JSON-LD (winnow.document.metadata.linked_data)."""
        return nodes_of(self)

    def plain(self, start: int, end: int) -> str:
        """A stretch of the text without the marks of media."""
        return self.text[start:end].replace(MEDIA, "")

    @derived
    def _counts(self) -> tuple[Ints, Ints]:
        return words.piece_counts(self.text, self.pieces.start, self.pieces.end)

    @derived
    def _tags(self) -> tuple[memoryview, memoryview]:
        """Where each start tag begins and ends: as views, which give numbers of Python."""
        return self.elements.open_start.data, self.elements.open_end.data

    def _opening(self, element: int) -> str:
        return self.markup[self.elements.open_start[element] : self.elements.open_end[element]]


class BareDocument(Document):
    """A page as the papers read it: nothing counts as hidden, whatever names and styles say of it
    (Pasternack & Roth 2009, section 5.2, leave out scripts, styles and comments alone)."""

    @derived
    def hidden(self) -> Mask:
        """No piece is; shape (pieces,)."""
        return np.zeros(self.pieces.start.size, dtype=bool)


def once(step: Callable[[Document], T]) -> Callable[[Document], T]:
    """A step that several others ask: what it finds is kept with the document."""

    @wraps(step)
    def asked(document: Document) -> T:
        if step not in document.found:
            document.found[step] = step(document)
        found: T = document.found[step]
        return found

    return compiled.like(step, compiled.calls.once(step)) if compiled.calls else asked


@needs(' class="', ' id="', ' style="', ' hidden="', "dialog", absent=())
def _hiding(document: Document) -> Sequence[int]:
    """The elements that no browser shows."""
    arrays = document.elements, document.pieces
    return hidden_elements(document.markup, document.text, *arrays, document.elements_named)


def _unambiguous(tree: Tree, markup: str) -> tuple[str, Scan]:
    """A tree's markup that can be read in one way, and what stands in it."""
    with suppress(AmbiguousMarkupError):  # for another reason: serialise it again
        if has_plain_raw_text(tree):
            return markup, scan(markup, checked=True)
    markup = serialised_unambiguously(tree)
    return markup, scan(markup, checked=True)
