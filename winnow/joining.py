"""Settings to objects, and these to a front with everything behind it; starts nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from config.listing import listed
from config.loading import Loaded
from config.settings import Settings
from extractors.catalogue import names
from proxy.adlists import AdLists
from proxy.api import ExtractApi
from proxy.crowd import Crowd
from proxy.desk import Desk, DeskBars, Originals
from proxy.forward import Forwarder
from proxy.front import Front
from proxy.home import Home, Ready, health
from proxy.intercept import Interceptor
from proxy.learning import Learning, LearningTransform, with_learning
from proxy.lessons import Lessons
from proxy.own import OwnPage, OwnPages
from proxy.pages.pac import Listener
from proxy.pool import Pool
from proxy.server.client_bounds import ClientBounds, TunnelLimits
from proxy.stores.choices import ChoiceStore
from proxy.stores.data_folder_lock import data_folder_used
from proxy.stores.notices import Notices
from proxy.stores.shelf import ShelfStore
from proxy.tls.keys import Keys
from proxy.turns import Turns
from proxy.upstream.client import Client, Sender
from proxy.upstream.connect import Resolver
from proxy.values import NO_BARS, Policy, RuleFor, Transform
from proxy.views.reading import Liking
from proxy.watching.sender import WatchedSender
from winnow.advertising import ads_of
from winnow.fronts import with_parents_asked
from winnow.instances import among_instances
from winnow.making import INTERNAL, client_of, names_of, policy_of, pool_of
from winnow.pooled import Loading, PooledLaboratory, PooledTransform
from winnow.remembering import let_go, once, remembering
from winnow.sharing import Shared, join, part_of
from winnow.standard import Standard
from winnow.steering import (
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
from winnow.views import RulesInForce, Views, annotations_of, small_of, with_shelf
from winnow.watching import Watching


@dataclass(frozen=True)
class Kept:
    """What outlives a run and is opened before it, and what outlives new settings."""

    store: ChoiceStore
    keys: Keys
    shelf: ShelfStore
    shared: Shared
    watching: Watching
    learning: Learning | None = None
    originals: Originals = field(default_factory=Originals)
    turns: Turns = field(default_factory=Turns)
    crowd: Crowd = field(default_factory=Crowd)


@asynccontextmanager
async def kept_of(settings: Settings, shared: Shared) -> AsyncIterator[Kept]:
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
        kept = Kept(
            store,
            keys,
            shelf,
            shared,
            Watching(shared.bus, notices, journalled=settings.server.log_requests),
            learning,
        )
        join(shared.bus, "choices", kept_here)
        join(shared.bus, "shelf", shelf_here)
        join(shared.bus, "originals", kept.originals)
        join(shared.bus, "leaves", keys)
        yield kept


def steered(settings: Settings, kept: Kept) -> Policy:
    """The policy of a run that begins; its own names are known once it listens."""
    return replace(
        policy_of(settings, frozenset({INTERNAL}), kept.shared.name),
        spares=spares(interception_of(settings)),
        rule_for=rules_of(settings, kept),
        asked_original=kept.originals.asked,
        is_paused=pauses(kept.store),
    )


def rules_of(settings: Settings, kept: Kept) -> RuleFor:
    """What holds for an origin and an owner: rules, choices, kept parts, what pages taught."""
    found = with_shelf(rules(settings, kept.store), kept.shelf)
    return with_learning(found, kept.learning) if kept.learning else found


def transform_of(settings: Settings, kept: Kept, pool: Pool) -> Transform:
    """Pages made readable, once each, and learned from."""
    transform: Transform = PooledTransform(pool, Standard.of(settings.extraction))
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
    client: Client
    sender: Sender
    transform: Transform
    ads: AdLists

    async def aclose(self) -> None:
        """End its processes and connections."""
        await self.ads.aclose()
        await self.sender.aclose()
        await let_go(self.transform)
        await self.pool.aclose()


def engine_of(settings: Settings, kept: Kept, resolver: Resolver | None) -> Engine:
    """Raises ConfigError if what is remembered cannot be kept as the settings say."""
    own = part_of(settings, kept.shared.workers)
    pool, client = pool_of(own), client_of(own, resolver)
    sender = remembering(WatchedSender(client, kept.watching.watch), own, kept.shared.bus)
    transform = with_parents_asked(transform_of(own, kept, pool), sender)
    return Engine(own, pool, client, sender, transform, ads_of(own, sender))


class Current:
    """The policy as of now: what may change while the proxy runs is looked at anew each time."""

    def __init__(self, policy: Policy, kept: Kept, ads: AdLists, place: Place) -> None:
        self.policy, self.kept, self.ads, self.place = policy, kept, ads, place
        self.now = policy

    def __call__(self) -> Policy:
        """Made anew only where something changed: it is asked for each request."""
        names, now, ads = self.place.names(), self.now, self.ads.now()
        if (now.own_names, now.recipe.ads) != (names, ads):
            recipe = replace(self.policy.recipe, ads=ads)
            self.now = replace(self.policy, own_names=names, recipe=recipe)
        return self.now


def door_of(loaded: Loaded, kept: Kept, engine: Engine, place: Place) -> Front:
    """The front and everything behind it."""
    settings, watching, tokens = loaded.settings, kept.watching, kept.shared.tokens
    client, sender, transform = engine.client, engine.sender, engine.transform
    opened, gate = interception_of(settings), gate_of(settings)
    lessons = Lessons(kept.store, settings.interception.learn)
    desk = Desk(
        kept.store,
        kept.keys,
        opened,
        frozenset(names()),
        place.listener,
        tokens,
        kept.originals,
        lessons.checked,
        administers=administrators(settings),
    )
    policy, liking = steered(settings, kept), Liking(kept.shelf, settings.looks)
    join(kept.shared.bus, "gate", gate)
    current = Current(policy, kept, engine.ads, place)
    api = ExtractApi(sender, transform, policy, settings.gateway.max_redirects)
    views = Views(
        sender,
        PooledLaboratory(engine.pool),
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
    }
    tunnels = TunnelLimits(idle=settings.server.tunnel_idle)
    return Front(
        current,
        Forwarder(
            sender,
            transform,
            DeskBars(desk) if settings.extraction.bar else NO_BARS,
            looks=liking,
            preparation=Loading(lambda: transform.fingerprint(current().recipe)),
            tunnels=tunnels,
        ),
        OwnPages({**plain, **desk.pages(), **views.pages(), **watching.pages()}, views.below()),
        client.connector,
        Interceptor(kept.keys, opened, lessons, client, tunnels),
        gate,
        watching.watch,
        kept.turns,
        tokens,
        ClientBounds(tunnel=tunnels),
    )


@dataclass
class Place:
    """Where the proxy listens: ``port`` is known once it does."""

    host: str
    port: int
    secure: bool

    def listener(self) -> Listener:
        return Listener(self.host, self.port, self.secure)

    def names(self) -> frozenset[str]:
        return names_of(self.host, self.port)
