"""The fingerprint of a rendering, as the server process computes it."""

from __future__ import annotations

from winnow.document.values import Recipe
from winnow.engine.named_extractor import identify
from winnow.jobs import rendering_key
from winnow.jobs.quality import QualityLimits


def fingerprint(recipe: Recipe, quality: QualityLimits | None = None) -> str:
    return rendering_key.fingerprint(recipe, identify(recipe), quality or QualityLimits())
