"""Crunch's own filters, one function each.

Crunch walks a page once, depth-first: the editing filters at each element, then the first deleting
filter that matches; behind most of these what is inside is not visited, and a table is looked at
when all inside is filtered. Here each filter passes over the whole page, in the same order, so that
the result check can compare. Both give the same page: a filter looks at nothing that another one
changed, but the table's, which comes last (tests/extractors/crunch/test_walk.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import unescape
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.parsing import tags
from winnow.extractors.crunch.ad_matching import AdList
from winnow.extractors.crunch.crunch_options import CrunchOptions
from winnow.extractors.crunch.empty_tables import empty_tables, hollow_cells
from winnow.extractors.crunch.filter_input import FilterInput, below
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.link_lists import LinkCounts
from winnow.extractors.crunch.page_links import PageLinks
from winnow.extractors.crunch.relax_levels import Filter

_FLASH_CLASS: Final = "d27cdb6e-ae6d-11cf-96b8-444553540000"
_MOVIE: Final = re.compile(r"<(?:param|embed)\b[^>]* (?:value|src)=\"[^\"]*\.swf\"", re.IGNORECASE)
_HREF: Final = re.compile(r' href="([^"]*)"')
_HREF_ALONE: Final = frozenset({"href"})
_SRC: Final = re.compile(r' src="([^"]*)"')
_DIV: Final = tags.CODES["div"]
_ADDRESSED: Final = "a area link base img script iframe frame embed input video audio source track"
"""The elements that HTML lets have ``href`` or ``src``."""


Pass = Callable[[FilterInput], Filtered]


@dataclass(frozen=True, eq=False)
class OwnFilter:
    """One of Crunch's filters as a PageFilter."""

    kind: Filter
    page_links: PageLinks
    options: CrunchOptions
    ads: AdList

    @property
    def name(self) -> str:
        return str(self.kind)

    @property
    def fingerprint(self) -> str:
        return str(self.kind)

    def process(self, original: Document, previous: Filtered, current: Filtered) -> Filtered:
        """The page without what the filter takes."""
        return PASSES[self.kind](FilterInput(self.page_links, self.options, self.ads, current))


def _cell_widths(at: FilterInput) -> Filtered:
    cells = at.page_links.named("td table")
    has_width = [' width="' in tag for tag in at.page_links.tags(cells)]
    return at.current.edited(_dropped("width", cells[has_width].tolist()))


def _style_attributes(at: FilterInput) -> Filtered:
    return at.current.edited(_dropped("style", at.page_links.styled.tolist()))


def _div_styles(at: FilterInput) -> Filtered:
    if Filter.STYLE_ATTRIBUTES in at.options.filters:
        return at.current
    tree, styled = at.page_links.document.elements, at.page_links.styled
    return at.current.edited(_dropped("style", styled[tree.tag[styled] == _DIV].tolist()))


def _dropped(name: str, elements: list[int]) -> list[Edit]:
    operation = Operation.DROP_ATTRIBUTE
    return [Edit(element, operation, name) for element in elements]


def ads_pass(at: FilterInput) -> Filtered:
    """Every element whose address is on the list: its ``href``, else its ``src``."""
    if not at.ads:
        return at.current
    markup, tree = at.page_links.document.markup, at.page_links.document.elements
    elements = at.current.left(at.page_links.named(_ADDRESSED))
    page, found = at.ads.of(at.page_links.document.page.url or ""), []
    for element, code, start, end in zip(
        elements.tolist(),
        tree.tag[elements].tolist(),
        tree.open_start[elements].tolist(),
        tree.open_end[elements].tolist(),
        strict=True,
    ):
        opening = markup[start:end]
        if "//" not in opening:
            continue  # no absolute address
        address = _HREF.search(opening) or _SRC.search(opening)
        if address and page.matches(unescape(address[1]).strip(), tags.NAMES[code]):
            found.append(element)
    return at.without(found)


def _link_lists(at: FilterInput) -> Filtered:
    """Cells in which links outweigh words lose links and text, or all that they hold."""
    page_links, options = at.page_links, at.options
    document, elements = page_links.document, page_links.document.elements
    cells = np.flatnonzero(np.isin(elements.tag, list(options.cells)))
    left = at.current.left(cells).tolist()
    if not left:
        return at.current
    listed = np.zeros(len(elements), dtype=bool)
    listed[page_links.text_links] = options.list_texts
    listed[page_links.image_links] = options.list_images
    counts = LinkCounts.of(document, page_links.is_link, listed)
    last = elements.last[left].tolist()
    found = [
        cell
        for cell, end in zip(left, last, strict=True)
        if counts.ratio(cell, end, options.letters) > options.ratio
    ]
    if not options.only_links:
        return _emptied(at, found)
    inside = document.inside(np.array(found, dtype=np.int64))
    links = np.flatnonzero(listed & below(document, np.array(found, dtype=np.int64)))
    state = _with_links(at, at.current.left(links), found)
    return state.without(document, links, inside=inside & ~document.media)


def _emptied(at: FilterInput, cells: list[int]) -> Filtered:
    """The cells without their children; each stays itself."""
    tree = at.page_links.document.elements
    taken, gone, edits = at.current.removed_elements.copy(), at.current.removed_pieces.copy(), []
    for cell in cells:
        if not taken[cell]:
            taken[cell + 1 : tree.last[cell]] = True
            gone[tree.first_piece[cell] : tree.last_piece[cell]] = True
            edits.append(Edit(cell, Operation.EMPTY))
    lost = np.flatnonzero(taken & ~at.current.removed_elements)
    state = _with_links(at, lost, cells).edited(edits)
    return replace(state, removed_elements=taken, removed_pieces=gone)


def _with_links(at: FilterInput, links: npt.NDArray[np.integer], cells: list[int]) -> Filtered:
    """The state with the text links among those removed, for the list at the page's end.

    A walk meets them at the outermost of the cells around them.
    """
    if not at.options.retain:
        return at.current
    texts = np.intersect1d(links, at.page_links.text_links)
    tops = np.array(cells, dtype=np.int64)
    ends = np.maximum.accumulate(at.page_links.document.elements.last[tops])
    outer = tops[np.append(True, tops[1:] >= ends[:-1])[: len(tops)]]
    places = outer[np.searchsorted(outer, texts, side="right") - 1] if len(outer) else texts
    return at.current.with_links(texts, places)


def _text_links(at: FilterInput) -> Filtered:
    outer = at.current.outermost(at.page_links.document, at.page_links.text_links)
    taken = at.without(outer)
    return taken.with_links(outer, outer) if at.options.retain else taken


def _image_links(at: FilterInput) -> Filtered:
    page_links = at.page_links
    links = at.current.left(page_links.image_links).tolist()
    images = at.current.left(page_links.linked_images).tolist()
    instead: dict[int, str] = {}
    if at.options.link_alts:
        for link in links:
            target = page_links.document.attributes_of(link, _HREF_ALONE).get("href", "")
            instead[link] = page_links.image_link(page_links.direct_image[link], target)
        instead |= {
            image: page_links.image_link(image, _target(page_links, image)) for image in images
        }
    return at.without([*links, *images], instead)


def _target(page_links: PageLinks, image: int) -> str:
    parent = int(page_links.document.elements.parent[image])
    if parent < 0:
        return "#"
    return page_links.document.attributes_of(parent, _HREF_ALONE).get("href", "#")


def _images(at: FilterInput) -> Filtered:
    found = at.current.left(at.page_links.plain_images).tolist()
    instead = {image: at.page_links.image_text(image) for image in found if at.options.image_alts}
    return at.without(found, instead)


def _noscript(at: FilterInput) -> Filtered:
    return at.without(at.page_links.named("noscript"))


def _scripts(at: FilterInput) -> Filtered:
    """The scripts; what stands in for them loses its tags where it is not taken itself."""
    taken = at.without(at.page_links.named("script"))
    if Filter.NOSCRIPT in at.options.filters:
        return taken
    stand_ins = taken.left(at.page_links.named("noscript")).tolist()
    return taken.edited([Edit(element, Operation.UNWRAP) for element in stand_ins])


def _sheets(at: FilterInput) -> Filtered:
    document, links = at.page_links.document, at.page_links.named("link")
    found = [
        link
        for link, tag in zip(links.tolist(), at.page_links.tags(links), strict=True)
        if "stylesheet" in tag.lower()  # few have it anywhere
        and "stylesheet" in document.attributes_of(link, {"rel"}).get("rel", "").lower().split()
    ]
    return at.without(found)


def _flash(at: FilterInput) -> Filtered:
    document, elements = at.page_links.document, at.page_links.document.elements
    found = []
    for element in at.page_links.named("object embed param").tolist():
        source = document.markup[elements.open_start[element] : elements.close_end[element]]
        classid = document.attributes_of(element).get("classid", "").lower()
        if _FLASH_CLASS in classid or _MOVIE.search(source):
            found.append(element)
    return at.without(found)


def _tables(at: FilterInput) -> Filtered:
    options = at.options
    document = at.page_links.document
    found = []
    if len(at.current.left(at.page_links.named("table"))):
        found = empty_tables(document, at.current, options.substance, options.least_text)
    left = at.current.without(document, found)
    if not options.hollow:
        return left
    return left.without(document, hollow_cells(document, left, options.cells, options.substance))


def _named(names: str) -> Pass:
    return lambda at: at.without(at.page_links.named(names))


PASSES: Final[Mapping[Filter, Pass]] = MappingProxyType(
    {
        Filter.CELL_WIDTHS: _cell_widths,
        Filter.STYLE_ATTRIBUTES: _style_attributes,
        Filter.DIV_STYLES: _div_styles,
        Filter.ADS: ads_pass,
        Filter.LINK_LISTS: _link_lists,
        Filter.TEXT_LINKS: _text_links,
        Filter.IMAGE_LINKS: _image_links,
        Filter.IMAGES: _images,
        Filter.SCRIPTS: _scripts,
        Filter.NOSCRIPT: _noscript,
        Filter.SHEETS: _sheets,
        Filter.STYLES: _named("style"),
        Filter.META: _named("meta"),
        Filter.FORMS: _named("form"),
        Filter.INPUTS: _named("input"),
        Filter.BUTTONS: _named("button"),
        Filter.SELECTS: _named("select"),
        Filter.FRAMES: _named("iframe"),
        Filter.EMBEDS: _named("embed"),
        Filter.FLASH: _flash,
        Filter.EMPTY_TABLES: _tables,
    }
)
"""Every filter's pass, in the order of ``Filter``."""
