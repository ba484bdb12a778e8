"""What the pages of features are made from, of one reading of the settings."""

from __future__ import annotations

from winnow.compose.backend import Backend
from winnow.compose.policies import CurrentPolicy, administrators, annotators
from winnow.compose.pooled import PooledTransform, PooledWorkers
from winnow.compose.run_state import RunState
from winnow.config.sources.source_precedence import Loaded
from winnow.document.values import Page
from winnow.feature import Context, described
from winnow.feature_list import features_of
from winnow.jobs.quality import QualityLimits
from winnow.proxy.observability.activity import Activities


def page_context(
    loaded: Loaded, state: RunState, backend: Backend, policy: CurrentPolicy, *services: object
) -> Context:
    """``services``: further ones, found by their types."""
    settings, observability = loaded.settings, state.observability

    async def draw(url: str, ads: str) -> Page:
        return (await backend.draw(url, ads)).page

    found = (
        *(loaded, state.ca, state.views, state.learning, state.editor, state.codes),
        *(state.handover, observability, *services),
        *(each for stores in state.stores.values() for each in stores),
        Activities(observability.activity, observability.activity_elsewhere),
    )
    return Context(
        settings,
        backend.sender,
        PooledWorkers(backend.pool),
        backend.transform,
        PooledTransform(backend.pool, QualityLimits.of(settings.extraction)),
        policy,
        state.shared.tokens,
        state.choices,
        state.library,
        administrators(settings),
        annotators(settings),
        draw,
        {type(service): service for service in found if service is not None},
        described(features_of(settings.features)),
    )
