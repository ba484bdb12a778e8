"""A page tidied: its own markup and look without chaff."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.render.live_page import LiveRenderer
from winnow.document.render.pruned import PrunedRenderer
from winnow.document.values import Extraction, Purpose, Recipe, Rendered, Treatment
from winnow.engine.main_region import MainRegion, kept_pieces
from winnow.engine.offers import lost_price
from winnow.engine.phone_layout import with_viewport
from winnow.engine.selector_rules import inside_all, selected
from winnow.extractors import registry
from winnow.extractors.base import spans_of_pieces

TIDYING: Final = registry.make(
    "crunch:level=7,modern=true,keep=scripts+noscript+meta+inputs+selects+frames+"
    "embeds+flash+empty-tables+cell-widths"
)
"""Crunch's level for pages on which something is to be done: of its filters, ads and link lists."""
_WAYS: Final = "header nav form"
"""What leads through a site stays where a page is tidied."""


_FIELDS: Final = tags.table_of("input select textarea button iframe object embed")
"""What makes a list item something to use, without a word in it."""


def tidies(extraction: Extraction, recipe: Recipe) -> bool:
    """Whether a page of this purpose is to be tidied."""
    return dict(recipe.treatments).get(extraction.purpose or Purpose.ARTICLE) is Treatment.TIDY


def tidied(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's own markup without chaff; with its scripts where they may run."""
    renderer = LiveRenderer() if recipe.live else PrunedRenderer(recipe.link_prefix)
    tidy = tidy_extraction(document, extraction, recipe)
    found = renderer.render(document, tidy)
    return replace(found, body=with_viewport(document, found.body), treatment=Treatment.TIDY)


def tidy_extraction(document: Document, extraction: Extraction, recipe: Recipe) -> Extraction:
    """What a tidied page keeps. Its site's rules go first.

    Chaff is what Crunch takes before or behind the main region, in no header, navigation or form.
    """
    found = TIDYING.extract(document)
    around = MainRegion.of(document, extraction)
    dropped = inside_all(document, recipe.drop)
    by_rule = inside_all(document, recipe.keep)
    shown = ~document.hidden
    stays = shown & (around.mask(document) | document.inside_tags(_WAYS) | by_rule)
    kept = kept_pieces(document, found) | stays
    if around.first == around.last or lost_price(document, shown, kept):
        kept, stays = shown, shown
    kept, stays = kept & shown & ~dropped, stays & ~dropped
    edits = (
        *(edit for edit in found.edits if not _holds(document, edit.element, stays)),
        *(Edit(element, Operation.REMOVE) for element in selected(document, recipe.drop)),
    )
    return replace(
        found,
        spans=spans_of_pieces(document, kept),
        edits=(*edits, *_emptied_items(document, kept, edits)),
        purpose=extraction.purpose,
        purpose_reason=extraction.purpose_reason,
    )


def _holds(document: Document, element: int, stays: Mask) -> bool:
    """Whether an element holds pictures or text that stays, or stands where nothing is shown."""
    first, last = document.elements.first_piece[element], document.elements.last_piece[element]
    return first == last or bool((stays | document.media)[first:last].any())


def _emptied_items(document: Document, kept: Mask, edits: tuple[Edit, ...]) -> Iterator[Edit]:
    """Takes the list items that lost all that they held: their numbers and dots would stay."""
    gone = document.inside(np.array([e.element for e in edits if e.operation is Operation.REMOVE]))
    shown = ~document.hidden & (document.piece_words > 0)
    stays = (kept & shown) | (document.media & ~gone) | document.hidden
    fields = document.elements.first_piece[_FIELDS[document.elements.tag]]
    for item in document.elements_named("li"):
        first, last = document.elements.first_piece[item], document.elements.last_piece[item]
        held = shown[first:last].any() and not stays[first:last].any()
        if held and not ((fields >= first) & (fields <= last)).any():
            yield Edit(int(item), Operation.REMOVE)
