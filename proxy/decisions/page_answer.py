"""From a page to its answer: the one way of proxy, gateway and API, by ``jobs.answers``."""

from __future__ import annotations

from dataclasses import replace

from winnow.document.values import BodyKind, Format, Page, Recipe, Rendered
from winnow.jobs.answers import NOTHING_TO_GIVE, Fallback, unanswered, whole_text
from winnow.jobs.text_parts import METHOD, PartError, part_of, tokens
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.decisions.request.preferences import Preferences
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import TransformError


def in_part(
    rendered: Rendered, form: Format, preferences: Preferences, url: str | None
) -> tuple[Rendered, tuple[Field, ...]]:
    """A text as far as is asked for, and the fields that say how long it is and what follows.

    Raises TransformError where the offset is of another text.
    """
    fields: tuple[Field, ...] = ()
    if rendered.agreement is not None:
        fields = (("Winnow-Agreement", f"{rendered.agreement:.3f}"),)
    if not form.is_data:
        return rendered, fields
    if url and url.isascii() and url.isprintable():
        links = f'<{url}>; rel="canonical", <{url}>; rel="alternate"; type="text/html"'
        fields = (*fields, ("Link", links))
    if form.kind is not BodyKind.TEXT:
        return rendered, fields
    if rendered.words_total:
        withheld = str(rendered.words_total - rendered.words_kept)
        fields = (*fields, ("Winnow-Withheld-Words", withheld))
    try:
        part = part_of(rendered.body, preferences.offset, preferences.max_tokens)
    except PartError as error:
        reason = "page-changed" if error.changed else "bad-parameter"
        raise TransformError(reason, str(error)) from error
    following = (("Winnow-Next-Offset", part.following),) if part.following else ()
    counted = ("Winnow-Tokens", f'{tokens(part.body)}; method="{METHOD}"')
    return replace(rendered, body=part.body), (*fields, counted, *following)


async def answered(
    transform: Transform, page: Page, recipe: Recipe, fallback: Fallback
) -> Rendered:
    """The page as the recipe says; in a data format without an article what ``fallback`` names.

    Raises TransformError with reason and status where there is nothing to give.
    """
    try:
        rendered = await transform(page, recipe)
        if recipe.format.is_data and (failure := unanswered(rendered)):
            raise TransformError(failure.reason, failure.message)
    except TransformError as error:
        if fallback is not Fallback.TEXT or error.status != NOTHING_TO_GIVE:
            raise
        rendered = replace(await transform(page, whole_text(recipe)), poor=error.reason)
    return rendered
