"""From a page to its answer without HTTP: command line and batch, by the table of jobs.answers."""

from __future__ import annotations

from dataclasses import replace

from winnow.document.document import BareDocument
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Page, Recipe, Rendered
from winnow.engine.named_extractor import extractor_of
from winnow.engine.pipeline import transform
from winnow.jobs.answers import (
    NOTHING_TO_GIVE,
    OTHER_FILE,
    Fallback,
    is_other_file,
    status_of,
    unanswered,
    whole_text,
)
from winnow.jobs.job_types import PipelineError
from winnow.jobs.quality import QualityLimits


def bare_answer(page: Page, recipe: Recipe) -> Rendered:
    """What the recipe's method alone says of all text, hidden or not, without a step behind it:
    a page as the papers read it. Raises PipelineError for a method that does not exist."""
    document = BareDocument.parse(page)
    return renderer_for(recipe).render(document, extractor_of(recipe).extract(document))


def answer(
    page: Page, recipe: Recipe, fallback: Fallback, quality: QualityLimits | None = None
) -> Rendered:
    """The page as the recipe says; in a data format without an article its text, if asked for.

    Raises PipelineError where there is nothing to give.
    """
    if is_other_file(page.body):
        raise PipelineError(OTHER_FILE, "This is no page but another file.")
    try:
        rendered = transform(page, recipe, quality)
        if recipe.format.is_data and (failure := unanswered(rendered)):
            raise PipelineError(failure.reason, failure.message)
    except PipelineError as error:
        reason = error.failure.reason
        if fallback is not Fallback.TEXT or status_of(reason) != NOTHING_TO_GIVE:
            raise
        rendered = replace(transform(page, whole_text(recipe), quality), poor=reason)
    return rendered
