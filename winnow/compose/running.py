"""A running proxy: start, reload, stop."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from aiohttp import web

from winnow.balancers import balancers_of
from winnow.compose.application import AppFactory
from winnow.compose.backend import Backend, backend_of
from winnow.compose.factories import limit_connections
from winnow.compose.installation import installation_faults
from winnow.compose.live_figures import Reloads, figures_of_run
from winnow.compose.network_listening import NetworkListening, discard
from winnow.compose.observing import gauges
from winnow.compose.own_pages.features import FeatureTasks
from winnow.compose.policies import listener_tls
from winnow.compose.process.malloc import give_back
from winnow.compose.process.shares import SharedState
from winnow.compose.run_state import RunState, open_state
from winnow.compose.transparent import own_and_redirected, transparent_listener
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.config.sources.file_permissions import exposed_secrets
from winnow.config.sources.source_precedence import Loaded
from winnow.jobs.job_types import JobError, PoolStartingError
from winnow.jobs.pool import Pool
from winnow.proxy.access.credentials.withdrawal import Admits, Tell, admits, tell_nobody, withdrawn
from winnow.proxy.app.app import App
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.observability.loop_lag import LoopLag
from winnow.proxy.observability.metrics import Reporting
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.server.connection import ConnectionServer
from winnow.proxy.server.listener import Listener
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.upstream.connections.resolver import Resolver

_LOG = logging.getLogger("winnow.compose.running")
CHANGES_SECONDS = 5.0
"""How long new connections may wait for changes that own pages are making, at a hand-over."""
RETIRED_SECONDS = 600.0
"""How long the extraction of the old settings is kept for requests that still need it."""


@dataclass(eq=False)
class Running:
    """A proxy that listens: ``host`` and ``port`` are where, ``app`` what answers."""

    loaded: Loaded
    state: RunState
    backend: Backend
    app: App
    place: ListeningPlace
    server: web.Server
    listening: Listener
    tls: ssl.SSLContext | None
    resolver: Resolver | None
    first: Settings
    transparent: Listener | None = None
    network: NetworkListening = field(init=False)
    tasks: FeatureTasks = field(default_factory=FeatureTasks)
    reloads: Reloads = field(default_factory=Reloads)
    lag: LoopLag = field(default_factory=LoopLag)
    tell: Tell = tell_nobody
    _retired: set[asyncio.Task[None]] = field(default_factory=set)
    _waits: set[asyncio.Task[bool]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.network = NetworkListening(self.listening, self.place)

    @property
    def host(self) -> str:
        return self.place.host

    @property
    def port(self) -> int:
        return self.place.port

    @property
    def secure(self) -> bool:
        return self.place.secure

    @property
    def pool(self) -> Pool:
        return self.backend.pool

    async def begin(self, seconds: float) -> None:
        """Say that it is ready once an extraction process has begun, or so many seconds passed."""
        if not await self.pool.begun(seconds):
            _LOG.warning(
                "No extraction process has started after %.0f s: pages go through unchanged.",
                seconds,
            )
        self.state.handover.begun = True
        faults = await asyncio.to_thread(installation_faults)
        for text in (*faults, *exposed_secrets(self.loaded)):
            self.state.observability.notices.add(text)

    async def reload(self, loaded: Loaded, processes: int = 1) -> None:
        """Apply other settings from the next request on.

        Raises ConfigError, JobError, StoreError, OSError or ProxyError; nothing has changed then.
        """
        state = replace(self.state, shared=replace(self.state.shared, processes=processes))
        backend = backend_of(loaded.settings, state, self.resolver)
        fresh: Sequence[socket.socket] = ()
        try:
            fresh = self.network.bound(loaded.settings, processes)
            app = AppFactory(loaded, state, backend, self.place).app()
            self._renew_certificate(loaded.settings)
            backend.pool.start()
            if not await backend.pool.begun(backend.pool.limits.start_seconds):
                raise PoolStartingError("no extraction process has started")
            await self.tasks.begin(app.tasks)
        except BaseException:
            discard(fresh)
            await backend.aclose()
            raise
        self.network.follow(loaded.settings, fresh)
        old_backend, old_app = self.backend, self.app
        self.loaded, self.state, self.backend, self.app = loaded, state, backend, app
        state.handover.app = app
        limit_connections(state.connection_limits, backend.settings)
        state.observability.log.enabled = loaded.settings.server.log_requests
        later = admits(app.gate)
        state.handover.withdraw(withdrawn(old_app.gate, later))
        self.tell(later)
        self._retiring(self._retire(old_backend, old_app))

    def withdraw(self, later: Admits) -> None:
        """Break off what serves those whom a newer process would not let in."""
        self.state.handover.withdraw(withdrawn(self.app.gate, later))

    async def apply(self, loaded: Loaded) -> None:
        """As ``reload``, for a change made on our own pages: raises ConfigError alone."""
        try:
            await self.reload(loaded, self.state.shared.processes)
        except (JobError, StoreError, OSError, ProxyError) as error:
            raise ConfigError(f"The settings were not applied: {error}") from error

    @property
    def sockets(self) -> list[socket.socket]:
        """Those that it accepts from."""
        return [one for each in self._listeners for one in each.sockets]

    async def rest(self) -> None:
        """Accept nothing more and change nothing stored."""
        for each in self._listeners:
            each.rest()
        await self.state.handover.rest(CHANGES_SECONDS)

    async def resume(self) -> None:
        """Go on after ``rest``."""
        self.state.handover.rests = False
        for each in self._listeners:
            each.resume()

    async def leave(self) -> None:
        """Serve what has begun, within ``server.handover_grace``: a newer process answers."""
        for each in self._listeners:
            each.leave()
        await self.tasks.aclose()
        self._retiring(self._end_extraction())
        await self.state.handover.end(self.loaded.settings.server.handover_grace)

    async def _end_extraction(self) -> None:
        await asyncio.wait([self._wait(self.state.handover.wait_for_heads(RETIRED_SECONDS))])
        await self.backend.end_extraction()
        give_back()

    @property
    def _listeners(self) -> list[Listener]:
        return [each for each in (self.listening, self.transparent) if each is not None]

    async def aclose(self) -> None:
        """Accept nothing more, let requests end within ``server.shutdown_grace``, and stop."""
        grace = self.loaded.settings.server.shutdown_grace
        await self.listening.close()
        await self.tasks.aclose()
        await self.state.handover.end(grace)
        await self.server.shutdown(1)
        for wait in self._waits:
            wait.cancel()
        await asyncio.gather(*self._retired, return_exceptions=True)
        await self.backend.aclose()

    def _renew_certificate(self, settings: Settings) -> None:
        if self.tls and settings.server.tls_cert:
            self.tls.load_cert_chain(settings.server.tls_cert, settings.server.tls_key)

    def _retiring(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something closed; ``aclose`` waits for its end."""
        task = asyncio.create_task(work)
        self._retired.add(task)
        task.add_done_callback(self._retired.discard)

    async def _retire(self, backend: Backend, app: App) -> None:
        """Close a backend once it is not needed."""
        unused = self._wait(self.state.handover.wait_for(app))
        await asyncio.wait([unused], timeout=RETIRED_SECONDS)
        await backend.end_extraction()
        await asyncio.wait([unused])
        await backend.aclose()

    def _wait(self, holds: Coroutine[Any, Any, bool]) -> asyncio.Task[bool]:
        """Until that is so; ``aclose`` ends the wait, but not what comes after."""
        wait = asyncio.create_task(holds)
        self._waits.add(wait)
        wait.add_done_callback(self._waits.discard)
        return wait


@asynccontextmanager
async def listening(
    settings: Settings,
    resolver: Resolver | None = None,
    origins: Mapping[str, str] = MappingProxyType({}),
    shared: SharedState | None = None,
    sockets: Sequence[socket.socket] = (),
) -> AsyncIterator[Running]:
    """The whole proxy, from its workers to its listening socket, until the context ends.

    It accepts at once; ``Running.begin`` waits for extraction.
    ``origins``: where each setting comes from (winnow.config.sources.source_precedence.Loaded).
    ``sockets``: bound ones to accept from instead of those that the settings name.

    Raises OSError if it cannot listen, ConfigError or StoreError if it cannot start.
    """
    tls, loaded = listener_tls(settings), Loaded(settings, origins)
    place = ListeningPlace(settings.server.host, settings.server.port, tls is not None)
    async with AsyncExitStack() as stack:
        state = await stack.enter_async_context(open_state(settings, shared or SharedState()))
        backend = backend_of(settings, state, resolver)
        app = AppFactory(loaded, state, backend, place).app()
        server = _server_of(app, state, backend.settings)
        listener = Listener(server, tls, state.connection_limits)
        listener.balancers = balancers_of(settings.server)
        proxy = Running(
            loaded, state, backend, app, place, server, listener, tls, resolver, settings
        )
        stack.callback(asyncio.create_task(_join(state, proxy)).cancel)
        redirected = app.redirected_server(lambda ends: proxy.app.connector.is_ours(ends))  # noqa: PLW0108 - that of then
        stack.push_async_callback(redirected.shutdown, 1)
        stack.push_async_callback(proxy.aclose)
        own, apart = own_and_redirected(sockets, place, settings.server.transparent_port)
        listener.accept(own)  # nothing but extraction needs the workers
        proxy.transparent = transparent_listener(settings.server, state, redirected, apart)
        stack.push_async_callback(proxy.transparent.close)
        await proxy.tasks.begin(app.tasks)
        backend.pool.start()
        yield proxy


def _server_of(app: App, state: RunState, settings: Settings) -> ConnectionServer:
    """What the app serves clients with, within the limits of the run."""
    state.handover.app = app
    server = app.server()
    server.connection_limits = limits = state.connection_limits
    limit_connections(limits, settings)
    limits.on_refusal = state.observability.connection_refused
    return server


def _join(state: RunState, proxy: Running) -> Coroutine[Any, Any, None]:
    """Have the run's figures shown and edited settings applied; what measures while it runs."""
    state.observability.show(*gauges(lambda: proxy.backend), *figures_of_run(proxy))
    opened = (each for stores in state.stores.values() for each in stores)
    state.observability.report(each for each in opened if isinstance(each, Reporting))
    if state.editor:
        state.editor.apply = proxy.apply
    return proxy.lag.run()


@asynccontextmanager
async def running(
    settings: Settings,
    resolver: Resolver | None = None,
    origins: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Running]:
    """``listening`` once it can extract."""
    async with listening(settings, resolver, origins) as proxy:
        await proxy.begin(proxy.pool.limits.start_seconds)
        yield proxy


def serve(settings: Settings | None = None) -> AbstractAsyncContextManager[Running]:
    """The proxy inside another asyncio program: ``async with winnow.serve() as proxy: ...``."""
    return running(settings or Settings())
