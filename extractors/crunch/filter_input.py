"""What one of Crunch's filters works on: the page, the options, and what earlier filters left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document
from winnow.extractors.crunch.ad_matching import AdList
from winnow.extractors.crunch.crunch_options import CrunchOptions
from winnow.extractors.crunch.filter_state import Filtered, with_ranges
from winnow.extractors.crunch.page_links import PageLinks


@dataclass(frozen=True, eq=False)
class FilterInput:
    """One filter at work: what is seen of the page, how it is to be filtered, what is left."""

    page_links: PageLinks
    options: CrunchOptions
    ads: AdList
    current: Filtered

    def without(
        self,
        found: npt.NDArray[np.integer] | list[int],
        instead: Mapping[int, str] = MappingProxyType({}),
    ) -> Filtered:
        """What is left without the elements found; links inside these are not counted as
        removed."""
        state, document = self.current, self.page_links.document
        if not len(found):
            return state
        if len(state.links):
            is_inside = below(document, state.left(np.asarray(found, np.int64)))
            state = replace(state, links=state.links[~is_inside[state.links[:, 1]]])
        return state.without(document, found, instead)


def below(document: Document, tops: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Which elements stand below any of those found; shape (elements,)."""
    return with_ranges(
        np.zeros(len(document.elements), dtype=bool), tops + 1, document.elements.last[tops]
    )
