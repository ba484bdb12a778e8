"""Crunch's walk over a page: which filter takes which element. Knows markup; keeps no text.

Depth-first from the root; for each element the editing filters, then at most one deleting filter,
the first that matches. What is inside a deleted element is not visited, except behind the filters
of images, image links and link lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from document import tags
from document.document import Document, Mask
from document.values import Edit, Operation
from extractors.crunch.ads import host_of
from extractors.crunch.ladder import Filter, Level
from extractors.crunch.links import LinkCounts

_FLASH_CLASS: Final = "d27cdb6e-ae6d-11cf-96b8-444553540000"
_SUBSTANCE: Final = tags.codes_of("img a iframe input button textarea select form")
_BY_NAME: Final = {
    tags.CODES[name]: matter
    for name, matter in {
        "script": Filter.SCRIPTS,
        "noscript": Filter.NOSCRIPT,
        "style": Filter.STYLES,
        "meta": Filter.META,
        "form": Filter.FORMS,
        "input": Filter.INPUTS,
        "button": Filter.BUTTONS,
        "select": Filter.SELECTS,
        "iframe": Filter.FRAMES,
        "embed": Filter.EMBEDS,
    }.items()
}
"""Filters that look at the element's name alone, in no order: no element matches two of them."""
_VISITED: Final = frozenset(_BY_NAME) | tags.codes_of("a img link object param td")
MODERN_CELLS: Final = tags.codes_of("div section ul nav aside")
"""What cells are on pages of today; exact Crunch looks at TD alone."""


class Walk:
    """One page under one level: collects edits and the pieces whose text goes."""

    def __init__(
        self, document: Document, level: Level, cells: frozenset[int], ads: frozenset[str]
    ) -> None:
        self.document, self.level, self.cells = document, level, cells
        self.ads = ads if Filter.ADS in level.filters else frozenset()
        self.edits: list[Edit] = []
        self.gone: Mask = np.zeros(len(document.pieces), dtype=bool)
        self.removed: list[int] = []
        elements = document.elements
        # Plain lists: one number at a time comes out of them several times faster.
        self._tag, self._last = elements.tag.tolist(), elements.last.tolist()
        self._starts, self._ends = elements.open_start.tolist(), elements.open_end.tolist()
        self._counts: LinkCounts | None = None

    def run(self, minimum_text: int) -> None:
        """Filter the page; ``minimum_text`` is the substance of a table, in characters."""
        skip_to = 0
        for element in self._visited():
            if element >= skip_to and self._visit(element):
                self._remove(element)
                skip_to = self._last[element]
        if Filter.EMPTY_TABLES in self.level.filters:
            self._remove_empty_tables(minimum_text)
        self.edits.extend(self._attribute_edits())

    def _visited(self) -> list[int]:
        codes = _VISITED | self.cells
        if self.ads:
            return list(range(len(self.document.elements)))
        return np.flatnonzero(np.isin(self.document.elements.tag, list(codes))).tolist()

    def _visit(self, element: int) -> bool:
        """Apply the first deleting filter that matches; True if all of the element goes."""
        code = self._tag[element]
        if self.ads and self._is_ad(element):
            return True
        if code in self.cells:
            self._empty_link_list(element)
            return False
        if code == tags.CODES["a"]:
            return self._is_dropped_link(element)
        if code == tags.CODES["img"]:
            self._filter_image(element)
            return False
        if matter := _BY_NAME.get(code):
            return matter in self.level.filters
        return self._is_dropped_object(code, element)

    def _is_ad(self, element: int) -> bool:
        attributes = self.document.attributes_of(element)
        return host_of(attributes.get("href") or attributes.get("src") or "") in self.ads

    def _empty_link_list(self, element: int) -> None:
        """Take a cell's texts and links where links outweigh words; its images and forms stay."""
        if Filter.LINK_LISTS not in self.level.filters:
            return
        self._counts = self._counts or LinkCounts.of(self.document)
        elements = self.document.elements
        last = self._last[element]
        if self._counts.ratio(element, last) <= self.level.ratio:
            return
        inside = slice(int(elements.first_piece[element]), int(elements.last_piece[element]))
        self.gone[inside] |= ~self.document.media[inside] | self.document.linked[inside]
        for link in np.flatnonzero(elements.tag[element:last] == tags.CODES["a"]) + element:
            self._remove(int(link))

    def _is_dropped_link(self, element: int) -> bool:
        if ' href="' not in self.document.markup[self._starts[element] : self._ends[element]]:
            return False
        image = self._direct_image(element)
        if image < 0:
            return Filter.TEXT_LINKS in self.level.filters
        if Filter.IMAGE_LINKS not in self.level.filters:
            return False
        if self.level.alt_texts:
            target = self.document.attributes_of(element)["href"]
            self._replace(element, image_link(self.document, image, target))
        return True

    def _filter_image(self, element: int) -> None:
        """Take an image; what stands in a link was the link's affair, unless that was kept."""
        attributes = self.document.attributes_of(element)
        is_map = "usemap" in attributes
        matter = Filter.IMAGE_LINKS if is_map else Filter.IMAGES
        if matter not in self.level.filters:
            return
        self._remove(element)
        if self.level.alt_texts:
            text = image_link(self.document, element, "#") if is_map else image_text(attributes)
            self._replace(element, text)

    def _is_dropped_object(self, code: int, element: int) -> bool:
        attributes = self.document.attributes_of(element)
        if code == tags.CODES["link"]:
            is_sheet = "stylesheet" in attributes.get("rel", "").lower().split()
            return is_sheet and Filter.STYLES in self.level.filters
        is_flash = _FLASH_CLASS in attributes.get("classid", "").lower()
        is_movie = attributes.get("value", attributes.get("src", "")).lower().endswith(".swf")
        return (is_flash or is_movie) and Filter.FLASH in self.level.filters

    def _direct_image(self, element: int) -> int:
        parent, image = self.document.elements.parent, tags.CODES["img"]
        for inner in range(element + 1, self._last[element]):
            if self._tag[inner] == image and parent[inner] == element:
                return inner
        return -1

    def _remove(self, element: int) -> None:
        elements = self.document.elements
        self.gone[int(elements.first_piece[element]) : int(elements.last_piece[element])] = True
        self.removed.append(element)
        self.edits.append(Edit(element, Operation.REMOVE))

    def _replace(self, element: int, markup: str) -> None:
        if markup:
            self.edits.append(Edit(element, Operation.REPLACE, markup))

    def _remove_empty_tables(self, minimum_text: int) -> None:
        """Bottom-up: a table goes when nothing of substance is left in it."""
        elements = self.document.elements
        is_substance = np.isin(elements.tag, list(_SUBSTANCE))
        for element in self.removed:
            is_substance[element : elements.last[element]] = False
        substance = np.concatenate([[0], np.cumsum(is_substance)])
        lengths = np.where(self.gone, 0, self.document.piece_lengths)
        text = np.concatenate([[0], np.cumsum(lengths)])
        for table in reversed(self.document.elements_named("table")):
            first, last = elements.first_piece[table], elements.last_piece[table]
            if (
                substance[elements.last[table]] == substance[table]
                and text[last] - text[first] < minimum_text
            ):
                self._remove(table)

    def _attribute_edits(self) -> Iterator[Edit]:
        if Filter.STYLES in self.level.filters:
            yield from _drop_attribute(self.document, "style", None)
        if Filter.CELL_WIDTHS in self.level.filters:
            yield from _drop_attribute(self.document, "width", tags.codes_of("td table"))


def _drop_attribute(document: Document, name: str, codes: frozenset[int] | None) -> Iterator[Edit]:
    """Edits that drop an attribute wherever an opening tag (of one of the codes) has it."""
    starts, ends = document.elements.open_start, document.elements.open_end
    sign, offset = f' {name}="', document.markup.find(f' {name}="')
    while offset >= 0:
        element = int(np.searchsorted(starts, offset, side="right")) - 1
        in_tag = element >= 0 and offset < ends[element]
        if in_tag and (codes is None or int(document.elements.tag[element]) in codes):
            yield Edit(element, Operation.DROP_ATTRIBUTE, name)
        offset = document.markup.find(sign, offset + 1)


def image_text(attributes: dict[str, str]) -> str:
    """What a removed image leaves: its ALT text, linked to it; nothing without both."""
    source, text = attributes.get("src", ""), attributes.get("alt", "")
    if not source or not text:
        return ""
    return f'<a href="{escape(source)}"><b>[{escape(text)}]</b></a>'


def image_link(document: Document, image: int, target: str) -> str:
    """What a removed image link leaves: a link to the image and one to its target."""
    attributes = document.attributes_of(image)
    text = "Image Map" if "usemap" in attributes else attributes.get("alt") or "-Link-"
    source = f'<a href="{escape(attributes.get("src", ""))}">Image</a>'
    return f'<b>[{source} | <i><a href="{escape(target)}">{escape(text)}</a></i>]</b>'
