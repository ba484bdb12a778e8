"""Bytes to rendering: parse, extract, render, judge; the one place where these meet. No process."""

from __future__ import annotations

from dataclasses import replace

from winnow.document.document import Document
from winnow.document.errors import DocumentError
from winnow.document.metadata.next_page import next_page
from winnow.document.render.renderers import renderer_for
from winnow.document.values import (
    Detail,
    Extraction,
    Format,
    Page,
    Profile,
    Recipe,
    Rendered,
    changed,
)
from winnow.engine import site_memory
from winnow.engine.base.selector_rules import only_part, with_parts
from winnow.engine.base.third_party_filters import filtered
from winnow.engine.named_extractor import extractor_of
from winnow.engine.net.completion import completed
from winnow.engine.purpose.fallback import PageTreatment, judged
from winnow.engine.records.page_records import with_records
from winnow.engine.script_shell import read
from winnow.engine.second_opinion import agreement
from winnow.engine.small.small_images import with_small_images
from winnow.extractors.extractor_protocol import Extractor
from winnow.jobs.job_types import PipelineError
from winnow.jobs.public_names import public_name
from winnow.jobs.quality import QualityLimits


def transform(page: Page, recipe: Recipe, quality: QualityLimits | None = None) -> Rendered:
    """A page shown as a recipe says. Raises PipelineError."""
    extractor_of(recipe)
    try:
        renderer = renderer_for(recipe)
    except DocumentError as error:
        raise PipelineError("unsupported-format", f"{error}.") from error
    document, why = read(page, recipe.blocked, scripts_run=recipe.live)
    extractor, extraction = extracted(document, recipe)
    if why:
        extraction = replace(extraction, reasons=(*why, *extraction.reasons))

    def render(found: Extraction) -> Rendered:
        shown = _opening(document, found, recipe) if in_parts(recipe) else None
        return shown or with_small_images(renderer.render(document, found), recipe, page.url or "")

    rendered = PageTreatment(document, recipe, render, quality or QualityLimits())(extraction)
    following = recipe.pages > 1 and not in_parts(recipe)
    return replace(
        rendered,
        next_page=next_page(document, recipe.number) if following else "",
        lesson=site_memory.lesson(document, extractor, recipe.knowledge),
        row=site_memory.row(document, extractor, recipe.knowledge),
    )


def extracted(document: Document, recipe: Recipe) -> tuple[Extractor, Extraction]:
    """What a recipe's method and its site's rule say of a document. Raises PipelineError."""
    extractor = extractor_of(recipe)
    named = site_memory.extract(document, extractor, recipe.knowledge)
    if ":" in named.extractor:
        named = changed(named, extractor=public_name(named.extractor))
    named = completed(document, named)
    if recipe.only:
        named = only_part(document, named, recipe.only)
    elif recipe.keep or recipe.drop:
        named = with_parts(document, named, recipe.keep, recipe.drop)
    named = judged(document, named, recipe)
    if Detail.AGREEMENT in recipe.details:
        named = replace(named, agreement=agreement(document, named))
    named = with_records(document, named, recipe.comments)
    return extractor, filtered(document, named, extractor) if ":" in recipe.extractor else named


def _opening(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The first part of a page for small devices."""
    from winnow.engine.small.html32 import opening  # noqa: PLC0415 - with lxml, a twentieth of a start

    return opening(document, extraction, recipe)


def in_parts(recipe: Recipe) -> bool:
    """Whether a page is shown in parts, for devices that hold no whole one."""
    is_basic = recipe.profile is Profile.BASIC and recipe.format is Format.HTML
    return is_basic and recipe.part.size > 0
