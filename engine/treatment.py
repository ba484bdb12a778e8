"""What becomes of a page that nobody asked for: its article, its own markup tidied, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.document.document import Document
from winnow.document.render.live_page import LiveRenderer
from winnow.document.render.pruned import PrunedRenderer
from winnow.document.values import Extraction, Recipe, Rendered, Treatment
from winnow.extractors import registry

NOT_FOR_READING: Final = "not-for-reading"
TIDYING: Final = "crunch:level=7,keep=inputs+selects+scripts+noscript+meta,check=true"
"""Crunch's level for pages on which something is to be done, with all that works left in place."""


def treatment_of(extraction: Extraction, recipe: Recipe) -> Treatment:
    """What is done with a page by its purpose; whatever somebody asked for is extracted."""
    chosen = dict(recipe.treatments)
    return (
        chosen.get(extraction.purpose, Treatment.EXTRACT)
        if extraction.purpose
        else Treatment.EXTRACT
    )


def left_alone(extraction: Extraction, reason: str) -> Rendered:
    """No body: the original is to be sent."""
    return Rendered(
        b"",
        "text/html",
        extraction.extractor,
        confidence=extraction.confidence,
        reasons=extraction.reasons,
        poor=reason,
        purpose=extraction.purpose,
        purpose_reason=extraction.purpose_reason,
        treatment=Treatment.ORIGINAL,
    )


def tidied(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's own markup without chaff; with its scripts where they may run."""
    found = registry.make(TIDYING).extract(document)
    found = replace(found, purpose=extraction.purpose, purpose_reason=extraction.purpose_reason)
    renderer = LiveRenderer() if recipe.live else PrunedRenderer(recipe.link_prefix)
    return replace(renderer.render(document, found), treatment=Treatment.TIDY)
