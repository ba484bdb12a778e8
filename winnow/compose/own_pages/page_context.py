"""What the pages of features are made from, of one reading of the settings."""

from __future__ import annotations

from winnow.compose.backend import Backend
from winnow.compose.policies import CurrentPolicy, administrators, annotators
from winnow.compose.run_state import RunState
from winnow.config.sources.source_precedence import Loaded
from winnow.extractors import registry
from winnow.feature import Context, described
from winnow.feature_list import extractors_of, features_of
from winnow.jobs.quality import QualityLimits
from winnow.proxy.observability.activity import Activities
from winnow.transforms.pooled import PooledTransform, PooledWorkers


def page_context(
    loaded: Loaded, state: RunState, backend: Backend, policy: CurrentPolicy, *services: object
) -> Context:
    """``services``: further ones, found by their types."""
    settings, observability = loaded.settings, state.observability
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
        backend.drawing,
        {type(service): service for service in found if service is not None},
        described(features_of(settings.features)),
        tuple(registry.names(extractors_of(settings.features))),
    )
