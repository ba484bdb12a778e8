"""Settings to objects to a running proxy; decides nothing else."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from config.settings import Settings
from document.values import Format, Recipe
from proxy.api import ExtractApi
from proxy.coding import Bounds
from proxy.forward import Forwarder
from proxy.front import Front, listen
from proxy.home import Ready, front, health
from proxy.own import OwnPages
from proxy.pool import Pool, PoolLimits
from proxy.upstream.client import Client, Limits
from proxy.upstream.connect import Connector, Resolver, default_tls
from proxy.upstream.pool import IdleWires
from proxy.values import Policy
from winnow.pipeline import Standard
from winnow.pooled import PooledTransform, worker_command

INTERNAL = "winnow.internal"


@dataclass(frozen=True)
class Running:
    """A proxy that listens: ``host`` and ``port`` are where, ``front`` what answers."""

    host: str
    port: int
    front: Front
    pool: Pool
    server: web.Server


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
    )


def pool_of(settings: Settings) -> Pool:
    extraction = settings.extraction
    standard = Standard(extraction.min_words, extraction.min_confidence)
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
    connector = Connector(resolver, trust(settings), upstream.connect_timeout)
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


@asynccontextmanager
async def running(settings: Settings, resolver: Resolver | None = None) -> AsyncIterator[Running]:
    """The whole proxy, from its workers to its listening socket; all ends with the context."""
    pool, client = pool_of(settings), client_of(settings, resolver)
    transform = PooledTransform(pool)
    name = f"winnow-{secrets.token_hex(4)}"
    policy = policy_of(settings, frozenset({INTERNAL}), name)

    def current() -> Policy:
        return policy

    api = ExtractApi(client, transform, policy, settings.gateway.max_redirects)
    ready = Ready(lambda: bool(pool.pids))
    pages = OwnPages({"/": front, "/-/health": health, "/-/ready": ready, "/-/api/extract": api})
    door = Front(current, Forwarder(client, transform), pages, client.connector)
    async with AsyncExitStack() as ending:
        ending.push_async_callback(pool.aclose)
        await pool.start()
        ending.push_async_callback(client.aclose)
        server, web_server = await listen(door, settings.server.host, settings.server.port)
        ending.push_async_callback(server.wait_closed)
        ending.push_async_callback(web_server.shutdown, settings.server.shutdown_grace)
        ending.callback(server.close)
        port = server.sockets[0].getsockname()[1]
        policy = policy_of(settings, names_of(settings.server.host, port), name)
        yield Running(settings.server.host, port, door, pool, web_server)


def serve(settings: Settings | None = None) -> AbstractAsyncContextManager[Running]:
    """The proxy inside another asyncio program: ``async with winnow.serve() as proxy: ...``."""
    return running(settings or Settings())


async def serve_until_told(settings: Settings, announce: Callable[[Running], None]) -> None:
    """Run until SIGINT or SIGTERM; ``announce`` is called once the proxy listens.

    Raises OSError if the address is taken.
    """
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    async with running(settings) as proxy:
        announce(proxy)
        await told.wait()
