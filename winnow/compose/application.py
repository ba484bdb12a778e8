"""Settings to objects, and these to a front with everything behind it; starts nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from winnow.compose.ad_lists import ads_of
from winnow.compose.caches import once, remembering
from winnow.compose.factories import INTERNAL, client_of, names_of, policy_of, pool_of
from winnow.compose.instances import among_instances
from winnow.compose.observing import Observability
from winnow.compose.own_pages import (
    OwnPageFactory,
    RulesInForce,
    annotations_of,
    small_of,
    with_shelf,
)
from winnow.compose.parent_probing import with_parent_probe
from winnow.compose.policies import (
    administrators,
    annotators,
    choices_of,
    data_folder,
    gate_of,
    interception_of,
    keys_of,
    learning_of,
    pauses,
    rules,
    shelf_of,
    spares,
)
from winnow.compose.pooled import PooledPageWork, PooledTransform
from winnow.compose.shares import SharedState, join, part_of
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
from winnow.proxy.own.templates.pac_file import ListeningAddress
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
class Persistent:
    """What outlives a run and is opened before it, and what outlives new settings."""

    store: ChoiceStore
    keys: LazyAuthority
    shelf: LibraryStore
    shared: SharedState
    watching: Observability
    learning: LearningService | None = None
    views: RequestedViews = field(default_factory=RequestedViews)
    handover: Handover = field(default_factory=Handover)
    connection_limits: ConnectionLimits = field(default_factory=ConnectionLimits)


@asynccontextmanager
async def kept_of(settings: Settings, shared: SharedState) -> AsyncIterator[Persistent]:
    """Choices, what was put by, and the authority. Raises ``StoreError``."""
    notices = Notices()
    shelf_here = await shelf_of(settings, notices)
    async with AsyncExitStack() as ending:
        ending.enter_context(data_folder_used(data_folder(settings), shared.name, notices))
        keys = keys_of(settings, notices)
        ending.callback(keys.close)
        kept_here = await choices_of(settings, notices)
        ending.push_async_callback(kept_here.aclose)
        among = among_instances(settings, shared, kept_here, shelf_here)
        shared, store, shelf = await ending.enter_async_context(among)
        learning = await learning_of(settings, notices)
        if learning is not None:
            ending.push_async_callback(learning.aclose)
        kept = Persistent(
            store,
            keys,
            shelf,
            shared,
            Observability(shared.bus, notices, log_requests=settings.server.log_requests),
            learning,
        )
        join(shared.bus, "choices", kept_here)
        join(shared.bus, "shelf", shelf_here)
        join(shared.bus, "views", kept.views)
        join(shared.bus, "activity changes", kept.watching.activity)
        join(shared.bus, "leaves", keys)
        yield kept


def steered(settings: Settings, kept: Persistent) -> Policy:
    """The policy of a run that begins; its own names are known once it listens."""
    return replace(
        policy_of(settings, frozenset({INTERNAL}), kept.shared.name),
        spares=spares(interception_of(settings)),
        rule_for=rules_of(settings, kept),
        view_of=kept.views.of,
        is_paused=pauses(kept.store),
    )


def rules_of(settings: Settings, kept: Persistent) -> RuleFor:
    """What holds for an origin and an owner: rules, choices, kept parts, what pages taught."""
    found = with_shelf(rules(settings, kept.store), kept.shelf)
    return with_learning(found, kept.learning) if kept.learning else found


def transform_of(settings: Settings, kept: Persistent, pool: Pool) -> Transform:
    """Pages made readable, once each, and learned from."""
    transform: Transform = PooledTransform(pool, QualityLimits.of(settings.extraction))
    if kept.learning:
        transform = LearningTransform(transform, kept.learning)
    return once(transform, settings)


@dataclass(frozen=True)
class Engine:
    """What works by one reading of the settings: pages are made here, origins are asked there.

    ``client`` is on the wire, ``sender`` goes by way of what is remembered.
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


def engine_of(settings: Settings, kept: Persistent, resolver: Resolver | None) -> Engine:
    """Raises ConfigError if what is remembered cannot be kept as the settings say."""
    own = part_of(settings, kept.shared.workers)
    pool, client = pool_of(own), client_of(own, resolver)
    sender = remembering(ObservedSender(client, kept.watching.observe), own, kept.shared.bus)
    transform = with_parent_probe(transform_of(own, kept, pool), sender)
    return Engine(own, pool, client, sender, transform, ads_of(own, sender))


class CurrentPolicy:
    """The policy as of now: what may change while the proxy runs is looked at anew each time."""

    def __init__(
        self, policy: Policy, kept: Persistent, ads: AdLists | None, place: ListeningPlace
    ) -> None:
        self.policy, self.kept, self.ads, self.place = policy, kept, ads, place
        self.now = policy

    def __call__(self) -> Policy:
        """Made anew only where something changed: it is asked for each request."""
        names, now, ads = self.place.names(), self.now, self.ads.now() if self.ads else ""
        if (now.own_names, now.recipe.options.ads) != (names, ads):
            recipe = self.policy.recipe
            recipe = replace(recipe, options=replace(recipe.options, ads=ads))
            self.now = replace(self.policy, own_names=names, recipe=recipe)
        return self.now


def door_of(loaded: Loaded, kept: Persistent, engine: Engine, place: ListeningPlace) -> App:
    """The front and everything behind it."""
    settings, watching, tokens = loaded.settings, kept.watching, kept.shared.tokens
    client, sender, transform = engine.client, engine.sender, engine.transform
    opened, gate = interception_of(settings), gate_of(settings)
    lessons = PinningDetector(kept.store, settings.interception.learn)
    controller = SettingsController(
        kept.store,
        kept.keys,
        opened,
        frozenset(names()),
        place.listener,
        tokens,
        kept.views,
        lessons.checked,
        administers=administrators(settings),
    )
    policy, liking = steered(settings, kept), AppearanceChoices(kept.shelf, settings.appearance)
    join(kept.shared.bus, "gate", gate)
    current = CurrentPolicy(policy, kept, engine.ads, place)
    api = ExtractApi(sender, transform, policy, settings.gateway.max_redirects)
    views = OwnPageFactory(
        sender,
        PooledPageWork(engine.pool),
        transform,
        current,
        kept.shelf,
        tokens,
        settings.gateway.max_redirects,
        partial(listed, settings, loaded.origins),
        small_of(settings),
        annotations_of(settings),
        annotators(settings),
        administrators(settings),
        liking,
        kept.learning,
        RulesInForce.of(settings),
    )
    plain: dict[str, OwnPage] = {
        "/": Home(views.annotates),
        "/-/health": health,
        "/-/ready": Ready(lambda: bool(engine.pool.pids)),
        "/-/api/extract": api,
        "/-/openapi.json": openapi,
        ACTIVITY: for_people(watching.activity_page(tokens)),
    }
    watching.activity.switch(enabled=settings.server.activity)
    tunnels = TunnelLimits(idle=settings.server.tunnel_idle)
    forwarder = Forwarder(
        sender,
        transform,
        PageBars(controller.extractors) if settings.extraction.bar else NO_BARS,
        looks=liking,
        tunnels=tunnels,
        images=ImageSignatures(tokens),
        notices=page_notice if settings.extraction.notice else None,
    )
    pages = OwnPages(
        {**plain, **controller.pages(), **views.pages(), **watching.pages()}, views.below()
    )
    return App(
        current,
        OwnRequests(pages, forwarder, tokens),
        client.connector,
        Interceptor(kept.keys, opened, lessons, client, tunnels),
        gate,
        watching.observe,
        kept.handover,
        ClientBounds(tunnel=tunnels),
    )


@dataclass
class ListeningPlace:
    """Where the proxy listens: ``port`` is known once it does."""

    host: str
    port: int
    secure: bool

    def listener(self) -> ListeningAddress:
        return ListeningAddress(self.host, self.port, self.secure)

    def names(self) -> frozenset[str]:
        return names_of(self.host, self.port)
