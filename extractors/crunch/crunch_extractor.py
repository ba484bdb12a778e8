"""``crunch``: parameters to filters, filters to an extraction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import ClassVar, Final

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.parsing import tags
from winnow.document.texts.short_texts import text_inside
from winnow.document.values import (
    Extraction,
)
from winnow.extractors.base import Method, spans_of_pieces
from winnow.extractors.crunch import crunch_options, relax_levels
from winnow.extractors.crunch.ad_matching import digest_of, load_ads
from winnow.extractors.crunch.crunch_options import MODERN_CELLS, CrunchOptions
from winnow.extractors.crunch.filter_protocol import PageFilter, filtered
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.filters import OwnFilter
from winnow.extractors.crunch.page_links import PageLinks
from winnow.extractors.crunch.relax_levels import Filter
from winnow.extractors.crunch.result_check import DRASTIC, NEGLIGIBLE, Check
from winnow.extractors.crunch.site_genre import auto_level
from winnow.extractors.crunch.size_modifier import UNCHANGED, SizeModifier
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.parameters import OneOf, Range, parameter, unoffered

AUTO: Final = "auto"
"""The preset that is found by the page's own words (winnow.extractors.crunch.site_genre)."""
_REMOVALS: Final = frozenset({Operation.REMOVE, Operation.EMPTY, Operation.REPLACE})
REMOVED_LINKS: Final = "Removed links"


@dataclass(frozen=True)
class Crunch(Method):
    """Crunch 3 at one of its relax levels: 1 takes most away, 12 nearly nothing.

    ``preset`` sets the level by a kind of site (relax_levels.PRESETS; ``auto`` finds it).
    ``modern`` treats DIV, SECTION, UL, NAV and ASIDE as cells too, of which empty ones go.
    ``check`` undoes filters that change too little or too much (``drastic``, ``negligible``:
    result_check.Check), as the papers say; without it this is the program of Crunch 3, which does
    not. ``take`` and ``keep`` switch single filters on and off, each as ``one+two``. ``ratio`` 0
    and ``alts`` "" leave these to the level. ``substance`` is the shortest text, in characters,
    that makes a table more than empty, ``things`` are elements that do. ``retain`` lists removed
    links at the page's end. ``font`` and ``fixed`` are per cent of the size of text, and of what
    has a size in pixels. ``ads`` is the path of a list. ``inner``: for ``preset=auto``, the page is
    no front page. The rest is as in crunch_options.CrunchOptions.
    """

    level: int = parameter(2, Range(1, 12))
    preset: str = parameter("", OneOf(("", AUTO, *relax_levels.PRESETS)))
    modern: bool = False
    check: bool = True
    drastic: float = parameter(DRASTIC, Range(0, 1))
    negligible: float = parameter(NEGLIGIBLE, Range(0, 1))
    take: str = ""
    keep: str = ""
    ratio: float = parameter(0.0, Range(0, 1000))
    letters: int = parameter(crunch_options.LETTERS_PER_WORD, Range(1, 100))
    alts: str = parameter("", OneOf(("", "none", "images", "links", "both")))
    lists: str = parameter("both", OneOf(("both", "text", "images")))
    only_links: bool = True
    substance: int = parameter(12, Range(0, 100_000))
    things: str = "+".join(crunch_options.SUBSTANCE)
    retain: bool = False
    font: int = parameter(UNCHANGED, Range(25, 400))
    fixed: int = parameter(UNCHANGED, Range(10, 400))
    ads: str = ""
    inner: bool = unoffered(False)
    method: ClassVar[str] = "crunch"
    main_parameter: ClassVar[str] = "level"
    version: ClassVar[int] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.options_at(self.level)
        digest_of(self.ads)

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the list of ads."""
        return f"{super().fingerprint}+{digest_of(self.ads)}"

    def options_at(self, number: int) -> CrunchOptions:
        """The options at a level. Raises ValueError for what does not exist."""
        image_alts, link_alts = crunch_options.alts_of(number, self.alts)
        texts, images = crunch_options.lists_of(self.lists)
        things = crunch_options.names_in(
            self.things, crunch_options.SUBSTANCE, "things of substance"
        )
        return CrunchOptions(
            filters=crunch_options.filters_of(number, self.take, self.keep),
            ratio=self.ratio or relax_levels.level(number).ratio,
            image_alts=image_alts,
            link_alts=link_alts,
            list_texts=texts,
            list_images=images,
            only_links=self.only_links,
            letters=self.letters,
            cells=tags.codes_of("td") | (MODERN_CELLS if self.modern else frozenset()),
            substance=tags.codes_of(" ".join(things)),
            least_text=self.substance,
            retain=self.retain,
            hollow=self.modern,
        )

    def extract(self, document: Document) -> Extraction:
        """Label what the filters leave; what they do to markup is in the edits."""
        number, why = self._level_for(document)
        chosen = _options_of(self, number)
        state, reverted = self.filtered(document, chosen)
        appended = _removed_links_edit(document, state) if chosen.retain else ()
        edits = sorted((*state.edits, *appended), key=lambda edit: edit.element)
        return Extraction(
            extractor=self.name,
            spans=spans_of_pieces(document, ~state.removed_pieces & ~document.hidden),
            edits=tuple(edits),
            edited=True,
            reasons=(*why, *reverted),
        )

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The filter operation that removed each block."""
        found = self.extract(document)
        removed = {edit.element: edit for edit in found.edits if edit.operation in _REMOVALS}
        owners = document.pieces.owner[blocks_of(document).first_piece].tolist()
        rules = (self._rule(document, element, removed) for element in owners)
        return block_reasons(document, found.spans, rules)

    def _rule(self, document: Document, element: int, removed: Mapping[int, Edit]) -> str:
        while element >= 0:
            if edit := removed.get(element):
                name = document.name_of(element)
                return f"{self.method} filters <{name}> ({edit.operation})."
            element = int(document.elements.parent[element])
        return f"{self.method} takes the text of cells in which links outweigh words."

    def _level_for(self, document: Document) -> tuple[int, tuple[str, ...]]:
        """The level of a page and, where it was not given, why."""
        if self.preset == AUTO:
            number, why = auto_level(document, inner=self.inner)
            return number, (f"level {number}: {why}",)
        return (relax_levels.level_of(self.preset) if self.preset else self.level), ()

    def filtered(self, document: Document, chosen: CrunchOptions) -> tuple[Filtered, list[str]]:
        """The page after all filters, and which filters were reverted."""
        check = Check(self.drastic, self.negligible) if self.check else None
        return filtered(document, self._filters(document, chosen), check)

    def _filters(self, document: Document, chosen: CrunchOptions) -> Iterator[PageFilter]:
        page_links, ads = PageLinks(document), load_ads(self.ads)
        for kind in Filter:
            if kind in chosen.filters:
                yield OwnFilter(kind, page_links, chosen, ads)
        if (self.font, self.fixed) != (UNCHANGED, UNCHANGED):
            yield SizeModifier(page_links, self.font, self.fixed)
        yield from self.third_party_filters


@lru_cache(maxsize=64)
def _options_of(method: Crunch, number: int) -> CrunchOptions:
    return method.options_at(number)


def _removed_links_edit(document: Document, state: Filtered) -> Iterator[Edit]:
    """The removed links as a labelled navigation at the end of the body."""
    removed_links = [
        (text_inside(document, link), document.attributes_of(link))
        for link, _ in sorted(state.links.tolist())
    ]
    items = "".join(
        f'<li><a href="{escape(attributes.get("href", ""))}">{escape(text)}</a></li>'
        for text, attributes in removed_links
        if text
    )
    for body in document.elements_named("body")[:1] if items else ():
        listed = f"<h3>{REMOVED_LINKS}</h3><ul>{items}</ul>"
        named = f'<div role="navigation" aria-label="{REMOVED_LINKS}">{listed}</div>'
        yield Edit(body, Operation.APPEND, named)
