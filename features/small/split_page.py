"""A part of a page for a small screen or an old browser, the page's forms beside it."""

from __future__ import annotations

from typing import Final

from winnow.document.render.reader.basic_profile import basic
from winnow.document.render.reader.byline_line import byline_line
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import extracted
from winnow.engine.script_shell import read
from winnow.engine.small.html32 import plain_article
from winnow.engine.small.splitter import parts_of
from winnow.features.small.jobs import SmallPart
from winnow.features.small.part_headings import numbered, placed
from winnow.features.small.passed_forms import forms_of
from winnow.jobs.small_gateway import Measure

FEWEST_WORDS: Final = 20
"""Below this an article is none, and all of the page is shown."""


def small_part(page: Page, recipe: Recipe, measure: Measure, image_prefix: str) -> SmallPart:
    """One part of a page. ``image_prefix`` stands where ``recipe.link_prefix`` is, for images.

    A page without an article is shown whole: a small screen has no other way to see it. Raises
    PipelineError.
    """
    document, _ = read(page, recipe.blocked)
    _, extraction = extracted(document, recipe)
    view = RenderContext.of(document, extraction, recipe.link_prefix)
    if view.words < FEWEST_WORDS:
        _, extraction = extracted(document, Recipe("plain"))
        view = RenderContext.of(document, extraction, recipe.link_prefix)
    body = plain_article(
        view.article(), recipe.link_prefix, image_prefix, measure, view.about.words
    )
    headings = numbered(body)
    parts = parts_of(body, measure.size)
    chosen = min(max(measure.part, 1), len(parts))
    forms, has_password = forms_of(document, page.url or "")
    return SmallPart(
        title=view.about.title,
        language=view.about.language,
        direction=view.about.direction,
        facts=basic(byline_line(view.about, round(view.reading_seconds() / 60))),
        markup=parts[chosen - 1],
        part=chosen,
        parts=len(parts),
        words=view.words,
        extractor=extraction.extractor,
        forms=forms,
        has_password=has_password,
        headings=placed(headings, parts),
    )
