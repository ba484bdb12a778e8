"""A page tidied: its own markup and look without chaff."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.render.live_page import LiveRenderer
from winnow.document.render.pruned import PrunedRenderer
from winnow.document.values import Extraction, Recipe, Rendered, Treatment
from winnow.engine.main_region import MainRegion, kept_pieces
from winnow.engine.offers import lost_price
from winnow.extractors import registry
from winnow.extractors.base import spans_of_pieces

TIDYING: Final = registry.make(
    "crunch:level=7,modern=true,keep=scripts+noscript+meta+inputs+selects+frames+"
    "embeds+flash+empty-tables+cell-widths"
)
"""Crunch's level for pages on which something is to be done: of its filters, ads and link lists."""
_WAYS: Final = "header nav form"
"""What leads through a site stays where a page is tidied."""


def tidied(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's own markup without chaff; with its scripts where they may run.

    Chaff is what Crunch takes before or behind the main region, in no header, navigation or form.
    """
    found = TIDYING.extract(document)
    around = MainRegion.of(document, extraction)
    shown = ~document.hidden
    stays = shown & (around.mask(document) | document.inside_tags(_WAYS))
    kept = kept_pieces(document, found) | stays
    if around.first == around.last or lost_price(document, shown, kept):
        kept, stays = shown, shown
    edits = tuple(edit for edit in found.edits if not _holds(document, edit.element, stays))
    tidy = replace(
        found,
        spans=spans_of_pieces(document, kept & shown),
        edits=edits,
        purpose=extraction.purpose,
        purpose_reason=extraction.purpose_reason,
    )
    renderer = LiveRenderer() if recipe.live else PrunedRenderer(recipe.link_prefix)
    return replace(renderer.render(document, tidy), treatment=Treatment.TIDY)


def _holds(document: Document, element: int, stays: Mask) -> bool:
    """Whether an element holds pictures or text that stays, or stands where nothing is shown."""
    first, last = document.elements.first_piece[element], document.elements.last_piece[element]
    return first == last or bool((stays | document.media)[first:last].any())
