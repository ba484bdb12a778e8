"""Settings to objects to a running proxy; decides nothing else."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from aiohttp import web

from config.listing import listed
from config.loading import Loaded
from config.settings import Settings
from document.values import Format, Recipe
from extractors.catalogue import names
from proxy.api import ExtractApi
from proxy.coding import Bounds
from proxy.desk import Desk, DeskBars
from proxy.forward import Forwarder
from proxy.front import Front, listen
from proxy.home import Ready, front, health
from proxy.intercept import Interceptor
from proxy.learning import Learning, LearningTransform, with_learning
from proxy.lessons import Lessons
from proxy.own import OwnPage, OwnPages
from proxy.pages.pac import Listener
from proxy.pool import Pool, PoolLimits
from proxy.stores.choices import ChoiceStore
from proxy.stores.shelf import ShelfStore
from proxy.tls.keys import Keys
from proxy.upstream.client import Client, Limits, Sender
from proxy.upstream.connect import Connector, Resolver, default_tls
from proxy.upstream.pool import IdleWires
from proxy.values import NO_BARS, Policy, SiteRule, Transform
from proxy.watching.sender import WatchedSender
from winnow.pipeline import Standard
from winnow.pooled import PooledLaboratory, PooledTransform, worker_command
from winnow.remembering import once, remembering
from winnow.steering import (
    annotators,
    choices_of,
    gate_of,
    interception_of,
    is_paused,
    keys_of,
    learning_of,
    listener_tls,
    parent_of,
    permits,
    rules,
    shelf_of,
    spares,
)
from winnow.views import Views, annotations_of, small_of, with_shelf
from winnow.watching import Watching, gauges

INTERNAL = "winnow.internal"


@dataclass(frozen=True)
class Running:
    """A proxy that listens: ``host`` and ``port`` are where, ``front`` what answers."""

    host: str
    port: int
    front: Front
    pool: Pool
    server: web.Server
    secure: bool = False


def policy_of(settings: Settings, own_names: frozenset[str], name: str) -> Policy:
    """What of the settings decides over requests."""
    extraction = settings.extraction
    return Policy(
        name=name,
        own_names=own_names,
        recipe=Recipe(extractor=extraction.extractor, format=Format(extraction.format)),
        bounds=Bounds(bytes=extraction.max_page),
        largest_body=extraction.max_page,
        gather_seconds=settings.upstream.page_timeout,
        gateway=settings.gateway.enabled,
        page_names=settings.access.names,
        permit_for=permits(settings),
    )


def pool_of(settings: Settings) -> Pool:
    extraction = settings.extraction
    standard = Standard(extraction.min_words, extraction.min_confidence, extraction.min_share)
    limits = PoolLimits(
        workers=extraction.processes or os.cpu_count() or 1,
        waiting=extraction.max_waiting,
        deadline=extraction.deadline,
    )
    # NumPy's BLAS reserves address space and threads per core; a worker needs one of each.
    environment = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return Pool(worker_command(standard, extraction.max_memory), limits, environment)


def client_of(settings: Settings, resolver: Resolver | None = None) -> Client:
    upstream = settings.upstream
    resolver = resolver or Resolver(upstream.dns_cache)
    connector = Connector(resolver, trust(settings), upstream.connect_timeout, parent_of(settings))
    idle = IdleWires(upstream.keepalive, upstream.pool_per_host, upstream.pool_size)
    return Client(connector, idle, Limits(upstream.read_timeout, upstream.read_timeout * 10))


def trust(settings: Settings) -> ssl.SSLContext:
    """Whose certificates origins may show: the system's, or those of ``upstream.ca_bundle``."""
    context = default_tls()
    if settings.upstream.ca_bundle:
        context.load_verify_locations(settings.upstream.ca_bundle)
    return context


def names_of(host: str, port: int) -> frozenset[str]:
    """The authorities at which we ourselves answer."""
    here = {"127.0.0.1", "localhost", "::1", host} - {"", "0.0.0.0", "::"}  # noqa: S104  # a listener's wildcard is no name
    bracketed = {f"[{name}]" if ":" in name else name for name in here}
    return frozenset({INTERNAL, *(f"{name}:{port}" for name in bracketed)})


@dataclass(frozen=True)
class Kept:
    """What outlives a run and is opened before it; ``origins`` tell where settings come from."""

    store: ChoiceStore
    keys: Keys
    shelf: ShelfStore
    origins: Mapping[str, str]
    learning: Learning | None = None


@asynccontextmanager
async def kept_of(
    settings: Settings, origins: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[Kept]:
    """Choices, what was put by, and the authority. Raises ``StoreError``."""
    shelf = await shelf_of(settings)
    async with AsyncExitStack() as ending:
        keys = keys_of(settings)
        ending.callback(keys.close)
        store = await choices_of(settings)
        ending.push_async_callback(store.aclose)
        learning = await learning_of(settings)
        if learning is not None:
            ending.push_async_callback(learning.aclose)
        yield Kept(store, keys, shelf, origins, learning)


def steered(settings: Settings, kept: Kept) -> Policy:
    """The policy of a run that begins; its own names are known once it listens."""
    return replace(
        policy_of(settings, frozenset({INTERNAL}), f"winnow-{secrets.token_hex(4)}"),
        spares=spares(interception_of(settings), kept.store),
        rule_for=rules_of(settings, kept),
    )


def rules_of(settings: Settings, kept: Kept) -> Callable[[str], SiteRule]:
    """What holds for a host: rules and choices, parts that are kept, what pages taught."""
    found = with_shelf(rules(settings, kept.store), kept.shelf)
    return with_learning(found, kept.learning) if kept.learning else found


def transform_of(settings: Settings, kept: Kept, pool: Pool) -> Transform:
    """Pages made readable, once each, and learned from."""
    transform: Transform = PooledTransform(pool)
    if kept.learning:
        transform = LearningTransform(transform, kept.learning)
    return once(transform, settings)


@dataclass(frozen=True)
class Roads:
    """The ways to origins: ``client`` on the wire, ``sender`` by way of what is remembered.

    ``watching`` is told what goes there.
    """

    client: Client
    sender: Sender
    watching: Watching


def roads_of(client: Client, settings: Settings) -> Roads:
    """Raises ConfigError if what is remembered cannot be kept as the settings say."""
    watching = Watching()
    sender = remembering(WatchedSender(client, watching.watch), settings)
    return Roads(client, sender, watching)


def door_of(settings: Settings, kept: Kept, pool: Pool, roads: Roads, place: Place) -> Front:
    """The front and everything behind it."""
    client, sender, watching = roads.client, roads.sender, roads.watching
    transform, opened = transform_of(settings, kept, pool), interception_of(settings)
    desk = Desk(kept.store, kept.keys, opened, frozenset(names()), place.listener)
    policy = replace(steered(settings, kept), asked_original=desk.originals.asked)

    def current() -> Policy:
        return replace(policy, own_names=place.names(), paused=is_paused(kept.store))

    api = ExtractApi(sender, transform, policy, settings.gateway.max_redirects)
    ready = Ready(lambda: bool(pool.pids))
    plain: dict[str, OwnPage] = {
        "/": front,
        "/-/health": health,
        "/-/ready": ready,
        "/-/api/extract": api,
    }
    forwarder = Forwarder(sender, transform, DeskBars(desk) if settings.extraction.bar else NO_BARS)
    views = Views(
        sender,
        PooledLaboratory(pool),
        transform,
        current,
        kept.shelf,
        desk.tokens,
        settings.gateway.max_redirects,
        partial(listed, settings, kept.origins),
        small_of(settings),
        annotations_of(settings),
        annotators(settings),
    )
    lessons = Lessons(kept.store, settings.interception.learn)
    watching.show(*gauges(pool, client, sender, transform))
    return Front(
        current,
        forwarder,
        OwnPages({**plain, **desk.pages(), **views.pages(), **watching.pages()}, views.below()),
        client.connector,
        Interceptor(kept.keys, opened, lessons, client),
        gate_of(settings),
        watching.watch,
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


@asynccontextmanager
async def running(
    settings: Settings,
    resolver: Resolver | None = None,
    origins: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Running]:
    """The whole proxy, from its workers to its listening socket; all ends with the context.

    ``origins``: where each setting comes from (config.loading.Loaded).

    Raises OSError if it cannot listen, ConfigError or StoreError if it may not begin.
    """
    pool, client, tls = pool_of(settings), client_of(settings, resolver), listener_tls(settings)
    place = Place(settings.server.host, settings.server.port, tls is not None)
    async with AsyncExitStack() as ending:
        kept = await ending.enter_async_context(kept_of(settings, origins))
        roads = roads_of(client, settings)
        door = door_of(settings, kept, pool, roads, place)
        ending.push_async_callback(pool.aclose)
        await pool.start()
        ending.push_async_callback(roads.sender.aclose)
        server, web_server = await listen(door, place.host, place.port, tls)
        ending.push_async_callback(server.wait_closed)
        ending.push_async_callback(web_server.shutdown, settings.server.shutdown_grace)
        ending.callback(server.close)
        place.port = server.sockets[0].getsockname()[1]
        yield Running(place.host, place.port, door, pool, web_server, place.secure)


def serve(settings: Settings | None = None) -> AbstractAsyncContextManager[Running]:
    """The proxy inside another asyncio program: ``async with winnow.serve() as proxy: ...``."""
    return running(settings or Settings())


async def serve_until_told(loaded: Loaded, announce: Callable[[Running], None]) -> None:
    """Run until SIGINT or SIGTERM; ``announce`` is called once the proxy listens.

    Raises OSError if the address is taken.
    """
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    async with running(loaded.settings, origins=loaded.origins) as proxy:
        announce(proxy)
        await told.wait()
