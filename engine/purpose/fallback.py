"""What becomes of a page by its purpose: its article, its own markup tidied, or the original.

Each result is checked before it is sent, and gives way to the next: the chosen method's, that of
another method that others agree with, the tidied page, the original. The reasons name each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import (
    BodyKind,
    Extraction,
    Purpose,
    Recipe,
    Rendered,
    Treatment,
)
from winnow.engine.base.main_region import MainRegion
from winnow.engine.base.overlap import covered, f1_between, word_offsets
from winnow.engine.base.selector_rules import with_parts
from winnow.engine.net.completion import completed
from winnow.engine.purpose.no_article import with_no_article
from winnow.engine.purpose.offers import lost
from winnow.engine.purpose.page_purpose import with_purpose
from winnow.engine.purpose.short_pages import LETTERS_A_WORD, holds_more, kept_length
from winnow.engine.purpose.tidying import tidied
from winnow.engine.records.page_records import with_records
from winnow.extractors import registry
from winnow.extractors.extractor_protocol import Extractor
from winnow.jobs.quality import QualityLimits

NOT_FOR_READING: Final = "not-for-reading"
_TIDIED: Final = {Purpose.INDEX: "index", Purpose.PRODUCT: "product"}
"""Why a page is tidied rather than extracted, by its purpose, as reason tokens."""
_OF_ITS_KIND: Final = "kind"
_MODEL: Final = "auto"
"""The method that classifies pages by purpose."""
_OTHERS: Final = (_MODEL, "lqf", "dsc", "bte")
_AGREEMENT: Final = 0.8
"""The mean F1 with the words of its two nearest from which a method is believed."""
_LEAST_GONE: Final = 0.1
"""The share of a page's words that must go for a tidied page to be sent, with its bar."""
_READ: Final = frozenset(
    (Purpose.ARTICLE, Purpose.DOCUMENTATION, Purpose.THREAD, Purpose.QUESTION, Purpose.RECIPE)
)


@cache
def _method(name: str) -> Extractor:
    return registry.make(name)


def judged(document: Document, extraction: Extraction, recipe: Recipe) -> Extraction:
    """The extraction with the page's purpose; where that decides, the model classifies the page.

    One without a word says so.
    """
    if not recipe.treatments or extraction.page_type:
        return with_no_article(document, with_purpose(document, extraction))
    said = with_purpose(document, _method(_MODEL).extract(document))
    found = replace(extraction, purpose=said.purpose, purpose_reason=said.purpose_reason)
    return with_no_article(document, found)


@dataclass(frozen=True, slots=True, eq=False)
class PageTreatment:
    """How one page is treated; ``render`` shows an extraction of it as the recipe says."""

    document: Document
    recipe: Recipe
    render: Callable[[Extraction], Rendered]
    quality: QualityLimits

    def __call__(self, extraction: Extraction) -> Rendered:
        """The page as its purpose wants it; as its extraction where the request names one."""
        if self.recipe.treatments and self.recipe.format.kind is not BodyKind.PAGE:
            return self._for_programs(extraction)
        if self.recipe.treatments:
            return self._by_purpose(extraction)
        rendered = self._by_extraction(extraction)
        if self._is_in_browser() and is_blank(rendered, self.quality):
            return self._extracted(extraction)
        return rendered

    def _is_in_browser(self) -> bool:
        recipe = self.recipe
        return recipe.format.kind is BodyKind.PAGE and (recipe.live or bool(recipe.link_prefix))

    def _by_purpose(self, extraction: Extraction) -> Rendered:
        chosen = dict(self.recipe.treatments)
        wanted = chosen.get(extraction.purpose or Purpose.ARTICLE, Treatment.EXTRACT)
        if wanted is Treatment.ORIGINAL:
            return left_alone(extraction, NOT_FOR_READING)
        if wanted is Treatment.TIDY:
            why = _TIDIED.get(extraction.purpose or Purpose.ARTICLE, _OF_ITS_KIND)
            return replace(self._tidied(extraction, "no-article", []), instead=why)
        anyway = wanted is Treatment.EXTRACT_ANYWAY and self._by_extraction(extraction)
        if anyway and not is_blank(anyway, self.quality):
            return anyway
        return self._extracted(extraction)

    def _for_programs(self, extraction: Extraction) -> Rendered:
        """The article that the reader view shows, as data; the extraction where it shows none."""
        chosen = dict(self.recipe.treatments)
        wanted = chosen.get(extraction.purpose or Purpose.ARTICLE, Treatment.EXTRACT)
        passed = self._checked(extraction)[0] if wanted is Treatment.EXTRACT else None
        shown = passed or self._by_extraction(extraction)
        return replace(shown, poor=NOT_FOR_READING) if wanted is Treatment.ORIGINAL else shown

    def _by_extraction(self, extraction: Extraction) -> Rendered:
        """The extraction as requested, poor or not."""
        rendered = self.render(extraction)
        return replace(rendered, poor=self._poor(extraction, rendered, self.quality))

    def _poor(self, found: Extraction, rendered: Rendered, limits: QualityLimits) -> str:
        """Why a rendering is too poor to be shown, if it is. A text of few words may be long in
        its script, or be all that a thread, a picture or a piece of code needs."""
        if rendered.poor or limits.has_words(rendered.words_kept // LETTERS_A_WORD):
            return rendered.poor or limits.shortfall(rendered)
        if holds_more(self.document, found):
            limits = limits.of_any_length()
        return limits.shortfall(rendered, kept_length(self.document, found.spans))

    def _extracted(self, extraction: Extraction) -> Rendered:
        """The first result that passes the check, else the tidied page, else the original."""
        passed, first, reasons = self._checked(extraction)
        return passed or self._tidied(extraction, first, reasons)

    def _checked(self, extraction: Extraction) -> tuple[Rendered | None, str, list[str]]:
        """The first result that passes the check; why the first one, and each, did not."""
        around, reasons, first = MainRegion.of(self.document, extraction), list[str](), ""
        limits = self.quality
        for found in candidates(self.document, extraction, self.recipe):
            rendered = self.render(found)
            poor = self._poor(found, rendered, limits)
            token, said = (poor, poor) if poor else lost(self.document, found, rendered, around)
            if not token:
                return replace(rendered, reasons=(*rendered.reasons, *reasons)), first, reasons
            first = first or token
            reasons.append(f"{found.extractor} was not used: {said}")
            limits = self.quality.without_confidence()  # others agree with what follows
        return None, first, reasons

    def _tidied(self, extraction: Extraction, poor: str, reasons: list[str]) -> Rendered:
        rendered = tidied(self.document, extraction, self.recipe)
        is_worth_it = rendered.words_kept <= (1 - _LEAST_GONE) * rendered.words_total
        if is_worth_it and not is_blank(rendered, self.quality):
            return replace(rendered, reasons=(*rendered.reasons, *reasons), instead=poor)
        why = (*extraction.reasons, *reasons, "a tidied page would not read better")
        return left_alone(replace(extraction, reasons=why), poor)


def is_blank(rendered: Rendered, quality: QualityLimits) -> bool:
    """Whether hardly a word is left of a page that has some."""
    kept = rendered.words_kept
    return not kept or (not quality.has_words(kept) and kept * 2 < rendered.words_total)


def candidates(document: Document, extraction: Extraction, recipe: Recipe) -> Iterator[Extraction]:
    """The extraction, then those of other methods that agree with each other, the best first;
    completed, with their records and by the site's rule, as the first one is.
    """
    yield extraction
    if extraction.purpose not in _READ:
        return
    others = [completed(document, _method(name).extract(document)) for name in _OTHERS]
    offsets = word_offsets(document)
    masks = np.array([covered(offsets, other.spans) for other in others], dtype=np.bool_)
    overlaps = f1_between(masks)
    np.fill_diagonal(overlaps, 0)
    agreement = np.sort(overlaps)[:, -2:].mean(axis=1)
    for index in np.argsort(-agreement, kind="stable").tolist():
        other = others[index]
        if agreement[index] >= _AGREEMENT and other.extractor != extraction.extractor:
            purpose, reason = extraction.purpose, extraction.purpose_reason
            other = replace(other, purpose=purpose, purpose_reason=reason)
            other = with_records(document, other, recipe.comments)
            yield with_parts(document, other, recipe.keep, recipe.drop)


def left_alone(extraction: Extraction, poor: str) -> Rendered:
    """No body: the original is to be sent, for a reason."""
    return Rendered(
        b"",
        "text/html",
        extraction.extractor,
        confidence=extraction.confidence,
        reasons=extraction.reasons,
        poor=poor,
        purpose=extraction.purpose,
        purpose_reason=extraction.purpose_reason,
        treatment=Treatment.ORIGINAL,
    )
