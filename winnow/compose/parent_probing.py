"""Joins Crunch's test for front pages to what asks the directories above; part of composing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from winnow.document.values import Page, Recipe
from winnow.jobs.errors import PipelineError
from winnow.proxy.access.ip_addresses import public_only
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Sender
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.parent_probe import ParentProbeTransform


def with_parents_asked(transform: Transform, sender: Sender) -> ParentProbeTransform:
    """The transform, asking where Crunch finds the level itself; never an address of this network.

    A page's address may be a stranger's say, so private hosts are not asked.
    """
    fetcher = Fetcher(sender, Policy)
    return ParentProbeTransform(
        transform, asked, followed, lambda url: fetcher.status(url, public_only)
    )


def asked(page: Page, recipe: Recipe) -> Sequence[str]:
    """The directories above what may be a front page, the page itself left out."""
    if not recipe.extractor.startswith("crunch:"):
        return ()
    # Loaded where Crunch is asked for: the process that answers starts without parsers.
    from winnow.engine.pipeline import extractor_of  # noqa: PLC0415
    from winnow.extractors.crunch.crunch_extractor import AUTO, Crunch  # noqa: PLC0415
    from winnow.extractors.crunch.site_genre import is_front, parents_of  # noqa: PLC0415

    if not is_front(page.url or ""):
        return ()
    try:
        extractor = extractor_of(recipe)
    except PipelineError:
        return ()
    if not isinstance(extractor, Crunch) or extractor.preset != AUTO or extractor.inner:
        return ()
    own = (page.url or "").rstrip("/")
    return [url for url in parents_of(page.url or "") if url.rstrip("/") != own]


def followed(page: Page, recipe: Recipe, statuses: Mapping[str, int]) -> Recipe:
    """The recipe, told where the page is no front page."""
    from winnow.extractors.crunch.site_genre import is_front  # noqa: PLC0415

    if is_front(page.url or "", statuses):
        return recipe
    return replace(recipe, options=replace(recipe.options, inner=True))
