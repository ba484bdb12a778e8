"""A page tidied: its own markup and look without its site's furniture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from winnow.document.arrays import Mask, range_sums
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.render.original.live_page import LiveRenderer
from winnow.document.render.original.pruned import PrunedRenderer
from winnow.document.values import Extraction, Purpose, Recipe, Rendered, Treatment
from winnow.engine.base.selector_rules import inside_all, selected
from winnow.engine.purpose.page_furniture import used_parts
from winnow.engine.purpose.phone_layout import with_viewport
from winnow.engine.purpose.removable import removable
from winnow.extractors.base import spans_of_pieces


def tidies(extraction: Extraction, recipe: Recipe) -> bool:
    """Whether a page of this purpose is to be tidied."""
    return dict(recipe.treatments).get(extraction.purpose or Purpose.ARTICLE) is Treatment.TIDY


def tidied(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's own markup without furniture; with its scripts where they may run."""
    renderer = LiveRenderer() if recipe.live else PrunedRenderer(recipe.link_prefix)
    tidy = tidy_extraction(document, extraction, recipe)
    found = renderer.render(document, tidy)
    return replace(found, body=with_viewport(document, found.body), treatment=Treatment.TIDY)


def tidy_extraction(document: Document, extraction: Extraction, recipe: Recipe) -> Extraction:
    """What a tidied page keeps: all but furniture, in which stays what is used. Its site's rules
    go first."""
    used = used_parts(document)
    stays = inside_all(document, recipe.keep) | document.inside(np.flatnonzero(used))
    chaff = removable(document, extraction)
    gone = document.inside(chaff) & ~stays
    dropped = inside_all(document, recipe.drop)
    whole = (*_whole(document, gone, used), *selected(document, recipe.drop))
    return replace(
        extraction,
        spans=spans_of_pieces(document, ~document.hidden & ~gone & ~dropped),
        edits=tuple(Edit(element, Operation.REMOVE) for element in whole),
        edited=True,
        comments=(),
        records=(),
    )


@dataclass(frozen=True, slots=True)
class Tidying:
    """Tidying as a method, whose verdict can be asked for."""

    extraction: Extraction
    recipe: Recipe
    name: ClassVar[str] = "tidy"
    fingerprint: ClassVar[str] = "tidy"

    def extract(self, document: Document) -> Extraction:
        return tidy_extraction(document, self.extraction, self.recipe)


def _whole(document: Document, gone: Mask, used: Mask) -> Iterator[int]:
    """The outermost elements all of whose pieces go, and in which nothing is used. O(elements)."""
    elements = document.elements
    first, last = elements.first_piece, elements.last_piece
    is_whole = (last > first) & (range_sums(~gone, first, last) == 0)
    is_whole &= range_sums(used, np.arange(len(elements)), elements.last) == 0
    is_inner = is_whole[elements.parent] & (elements.parent >= 0)
    yield from np.flatnonzero(is_whole & ~is_inner).tolist()
