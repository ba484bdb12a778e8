"""All objects of a run made from the settings and joined; starts nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from winnow.compose.caches import cached_sender, cached_transform
from winnow.compose.crunch import ads_of, with_parent_probe
from winnow.compose.factories import client_of, policy_of, pool_of
from winnow.compose.observing import Observability
from winnow.compose.own_pages import (
    OwnPageFactory,
    RulesInForce,
    annotations_of,
    small_of,
)
from winnow.compose.policies import (
    INTERNAL,
    CurrentPolicy,
    ListeningPlace,
    administrators,
    annotators,
    gate_of,
    interception_of,
    pauses,
    rules,
    spares,
    with_saved_parts,
)
from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.shares import SharedState, join_bus, share_of
from winnow.compose.stores import (
    across_instances,
    choices_of,
    data_folder,
    keys_of,
    learning_of,
    library_of,
)
from winnow.config.loading import Loaded
from winnow.config.settings import Settings
from winnow.config.settings_in_force import listed
from winnow.extractors.registry import names
from winnow.jobs.pool import Pool
from winnow.jobs.quality import QualityLimits
from winnow.proxy.access.image_signatures import ImageSignatures
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import NO_BARS, Policy, RuleFor, Transform
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.http.messages import Sender
from winnow.proxy.learning.service import LearningService, LearningTransform, with_learning
from winnow.proxy.observability.events import ObservedSender
from winnow.proxy.own.controller import SettingsController
from winnow.proxy.own.handlers.appearance_page import AppearanceChoices
from winnow.proxy.own.handlers.extract_api import ExtractApi
from winnow.proxy.own.handlers.index import Home, Ready, health
from winnow.proxy.own.handlers.openapi import openapi
from winnow.proxy.own.handlers.requests import for_people
from winnow.proxy.own.page_bars import PageBars, page_notice
from winnow.proxy.own.requested_views import RequestedViews
from winnow.proxy.own.router import OwnPage, OwnPages
from winnow.proxy.own.templates.navigation import ACTIVITY
from winnow.proxy.server.client_limits import ClientBounds, TunnelLimits
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.listener import ConnectionLimits
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.files import data_folder_used
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.pinning import PinningDetector
from winnow.proxy.upstream.ad_list_updates import AdLists
from winnow.proxy.upstream.connector import Resolver
from winnow.proxy.upstream.origin_client import OriginClient


@dataclass(frozen=True)
class RunState:
    """The stores of a run, and what outlives a reload of the settings."""

    choices: ChoiceStore
    ca: LazyAuthority
    library: LibraryStore
    shared: SharedState
    observability: Observability
    learning: LearningService | None = None
    views: RequestedViews = field(default_factory=RequestedViews)
    handover: Handover = field(default_factory=Handover)
    connection_limits: ConnectionLimits = field(default_factory=ConnectionLimits)


@asynccontextmanager
async def open_state(settings: Settings, shared: SharedState) -> AsyncIterator[RunState]:
    """Open the choices, the library, the authority and the sites. Raises ``StoreError``."""
    notices = Notices()
    local_library = await library_of(settings, notices)
    async with AsyncExitStack() as stack:
        stack.enter_context(data_folder_used(data_folder(settings), shared.name, notices))
        ca = keys_of(settings, notices)
        stack.callback(ca.close)
        local_choices = await choices_of(settings, notices)
        stack.push_async_callback(local_choices.aclose)
        among = across_instances(settings, shared, local_choices, local_library)
        shared, choices, library = await stack.enter_async_context(among)
        learning = await learning_of(settings, notices)
        if learning is not None:
            stack.push_async_callback(learning.aclose)
        state = RunState(
            choices,
            ca,
            library,
            shared,
            Observability(shared.bus, notices, log_requests=settings.server.log_requests),
            learning,
        )
        join_bus(shared.bus, "choices", local_choices)
        join_bus(shared.bus, "library", local_library)
        join_bus(shared.bus, "views", state.views)
        join_bus(shared.bus, "activity changes", state.observability.activity)
        join_bus(shared.bus, "leaves", ca)
        yield state


def run_policy(settings: Settings, state: RunState) -> Policy:
    """The policy of these settings; ``CurrentPolicy`` adds the names of the listener."""
    return replace(
        policy_of(settings, frozenset({INTERNAL}), state.shared.name),
        spares=spares(interception_of(settings)),
        rule_for=rules_of(settings, state),
        view_of=state.views.of,
        is_paused=pauses(state.choices),
    )


def rules_of(settings: Settings, state: RunState) -> RuleFor:
    """The rule for an origin and an owner: configured, chosen, saved parts, learned."""
    found = with_saved_parts(rules(settings, state.choices), state.library)
    return with_learning(found, state.learning) if state.learning else found


def transform_of(settings: Settings, state: RunState, pool: Pool) -> Transform:
    """The transform of the worker pool, with learning and caches."""
    transform: Transform = PooledTransform(pool, QualityLimits.of(settings.extraction))
    if state.learning:
        transform = LearningTransform(transform, state.learning)
    return cached_transform(transform, settings)


@dataclass(frozen=True)
class Engine:
    """What depends on the settings: the worker pool and the origins' connections.

    ``client`` is on the wire, ``sender`` the cache before it.
    """

    settings: Settings
    pool: Pool
    client: OriginClient
    sender: Sender
    transform: Transform
    ads: AdLists | None

    async def aclose(self) -> None:
        """End its processes and connections."""
        if self.ads:
            await self.ads.aclose()
        await self.sender.aclose()
        await self.transform.aclose()
        await self.pool.aclose()


def engine_of(settings: Settings, state: RunState, resolver: Resolver | None) -> Engine:
    """Raises ConfigError if the caches cannot be as the settings say."""
    own = share_of(settings, state.shared.workers)
    pool, client = pool_of(own), client_of(own, resolver)
    sender = cached_sender(
        ObservedSender(client, state.observability.observe), own, state.shared.bus
    )
    transform = with_parent_probe(transform_of(own, state, pool), sender)
    return Engine(own, pool, client, sender, transform, ads_of(own, sender))


def app_of(loaded: Loaded, state: RunState, engine: Engine, place: ListeningPlace) -> App:
    """The request dispatcher and everything behind it."""
    settings, observability, tokens = loaded.settings, state.observability, state.shared.tokens
    client, sender, transform = engine.client, engine.sender, engine.transform
    interception, gate = interception_of(settings), gate_of(settings)
    pinning = PinningDetector(state.choices, settings.interception.learn)
    controller = SettingsController(
        state.choices,
        state.ca,
        interception,
        frozenset(names()),
        place.listener,
        tokens,
        state.views,
        pinning.checked,
        administers=administrators(settings),
    )
    policy, appearance = (
        run_policy(settings, state),
        AppearanceChoices(state.library, settings.appearance),
    )
    join_bus(state.shared.bus, "gate", gate)
    current = CurrentPolicy(policy, engine.ads, place)
    api = ExtractApi(sender, transform, policy, settings.gateway.max_redirects)
    factory = OwnPageFactory(
        sender,
        PooledPageWork(engine.pool),
        transform,
        current,
        state.library,
        tokens,
        settings.gateway.max_redirects,
        partial(listed, settings, loaded.origins),
        small_of(settings),
        annotations_of(settings),
        annotators(settings),
        administrators(settings),
        appearance,
        state.learning,
        RulesInForce.of(settings),
    )
    plain: dict[str, OwnPage] = {
        "/": Home(factory.annotates),
        "/-/health": health,
        "/-/ready": Ready(lambda: bool(engine.pool.pids)),
        "/-/api/extract": api,
        "/-/openapi.json": openapi,
        ACTIVITY: for_people(observability.activity_page(tokens)),
    }
    observability.activity.switch(enabled=settings.server.activity)
    tunnels = TunnelLimits(idle=settings.server.tunnel_idle)
    forwarder = Forwarder(
        sender,
        transform,
        PageBars(controller.extractors) if settings.extraction.bar else NO_BARS,
        looks=appearance,
        tunnels=tunnels,
        images=ImageSignatures(tokens),
        notices=page_notice if settings.extraction.notice else None,
    )
    pages = OwnPages(
        {**plain, **controller.pages(), **factory.pages(), **observability.pages()},
        factory.subtrees(),
    )
    return App(
        current,
        OwnRequests(pages, forwarder, tokens),
        client.connector,
        Interceptor(state.ca, interception, pinning, client, tunnels),
        gate,
        observability.observe,
        state.handover,
        ClientBounds(tunnel=tunnels),
    )
