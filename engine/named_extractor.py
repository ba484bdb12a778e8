"""The extractor that a recipe names, with what the proxy knows, and its fingerprint."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from winnow.document.values import Recipe
from winnow.extractors import registry
from winnow.extractors.base import Method
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.errors import ExtractorError, ParameterError
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.parameters import lacking
from winnow.extractors.site_learners import learner_of
from winnow.jobs.job_types import PipelineError
from winnow.jobs.public_names import without_folders
from winnow.jobs.rendering_key import ExtractorIdentity

READABLE: Final = frozenset({"referer", "user-agent"})
"""What a filter of a third party may read of a reader's request."""


def specification(recipe: Recipe) -> str:
    """The extractor that a recipe names, at its level; the slider's levels see cells of today."""
    if not recipe.ladder_level:
        return recipe.extractor
    name, _, values = recipe.extractor.partition(":")
    return f"{name}:level={recipe.ladder_level},{values or 'modern=true'}"


@lru_cache(maxsize=64)
def _extractor(name: str) -> Extractor:
    found = registry.make(name)
    if sentence := lacking(found):
        raise ParameterError(sentence)
    return found


@lru_cache(maxsize=64)
def _informed(name: str, ads: str, inner: bool) -> Extractor:
    """Crunch with what the proxy knows, unless its specification says otherwise."""
    extractor = _extractor(name)
    if isinstance(extractor, Crunch):
        return replace(extractor, ads=extractor.ads or ads, inner=extractor.inner or inner)
    return extractor


def extractor_of(recipe: Recipe) -> Extractor:
    """Raises PipelineError for a name or parameters that do not exist."""
    options = recipe.options
    try:
        if recipe.extractor.partition(":")[0] == "crunch" and (options.ads or options.inner):
            return _informed(specification(recipe), options.ads, options.inner)
        return _extractor(specification(recipe))
    except ParameterError as error:
        raise PipelineError("bad-parameter", without_folders(str(error))) from error
    except ExtractorError as error:
        raise PipelineError("unknown-extractor", without_folders(str(error))) from error


def identify(recipe: Recipe) -> ExtractorIdentity:
    """What of a recipe's method decides how pages are shown; a method that does not exist fails
    each page alike, so its error identifies it.
    """
    try:
        extractor = extractor_of(recipe)
    except PipelineError as error:
        return ExtractorIdentity(str(error))
    reads_memory = learner_of(extractor) is not None
    if not isinstance(extractor, Method) or not extractor.filters:
        return ExtractorIdentity(extractor.fingerprint, reads_memory)
    filters = extractor.third_party_filters
    asked = {name for each in filters for name in getattr(each, "request_fields", ())}
    return ExtractorIdentity(extractor.fingerprint, reads_memory, tuple(sorted(asked & READABLE)))
