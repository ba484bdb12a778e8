"""What GET has said of pages lately, so that HEAD says the same (RFC 9110, section 9.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from winnow.document.values import Recipe, Rendered, Treatment
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.response_headers import HTML, RepresentationShape
from winnow.proxy.http.reasons import WinnowAction

MOST_KNOWN: Final = 1024


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """``body`` in its ``coding``; ``validator`` is that of the body uncoded."""

    body: bytes
    coding: str
    validator: etags.Validator


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What the fields of a transformed page depend on besides the origin's head.

    ``action``: None where its body decides. ``instead``: as in Rendered.
    """

    action: WinnowAction | None
    extractor: str
    shape: RepresentationShape
    tag: str
    instead: str = ""


KnownPages = LRUCache[tuple[str, str, str], KnownPage]
"""By address, mark of the plan, and the origin's validator."""
DONE: Final = {
    Treatment.EXTRACT: WinnowAction.EXTRACTED,
    Treatment.TIDY: WinnowAction.TIDIED,
    Treatment.ORIGINAL: WinnowAction.ORIGINAL,
}


def shape_of(recipe: Recipe, rendered: Rendered | None = None) -> RepresentationShape:
    media_type, tidied = HTML, False
    if rendered is not None:
        media_type, tidied = rendered.media_type, rendered.treatment is Treatment.TIDY
    keeps_scripts = recipe.live if tidied else recipe.scripts
    keeps_look = tidied or recipe.format.keeps_styles
    return RepresentationShape(media_type, keeps_look, keeps_scripts)
