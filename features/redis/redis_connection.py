"""Connections to Redis, verified as every other TLS connection is. Needs the extra ``redis``.

``redis://`` and ``rediss://`` (TLS) name one server, as redis-py reads them;
``redis+sentinel://[:PASSWORD@]HOST:PORT,HOST:PORT/SERVICE/DB`` and ``rediss+sentinel://`` name the
Sentinels that know which server is the master now.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.connection import ConnectionPool, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import (
    Sentinel,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)
from redis.backoff import NoBackoff

from winnow.proxy.http.client_context import by_alternative_name_only

_SENTINEL: Final = "+sentinel"
_SENTINEL_PORT: Final = 26379
_OF_SENTINELS: Final = "sentinel_"
"""Options of an address that are for the Sentinels alone: ``sentinel_password=...``."""


class NamedSSLConnection(SSLConnection):
    """``rediss://``: the server's certificate must name the host in subjectAltName."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        by_alternative_name_only(self.ssl_context.get())


class NamedManagedConnection(SentinelManagedSSLConnection):
    """The same of the master that the Sentinels name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]  # redis-py has no types there
        by_alternative_name_only(self.ssl_context.get())


class MasterPool(SentinelConnectionPool):
    """Connections to the master; those to the Sentinels end with them."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        await super().disconnect(inuse_connections)
        for sentinel in self.sentinel_manager.sentinels:
            await sentinel.aclose()


def redis_at(
    url: str, *, timeout: float, connect_timeout: float, tries_again: bool = False
) -> Redis:
    """A Redis by its address; connects with the first command. Times in seconds.

    Raises ValueError if ``url`` is no address of a Redis.
    """
    options: dict[str, Any] = {} if tries_again else {"retry": Retry(NoBackoff(), 0)}
    options |= {"socket_timeout": timeout, "socket_connect_timeout": connect_timeout}
    if urlsplit(url).scheme.endswith(_SENTINEL):
        return _master(url, options)
    pool = ConnectionPool.from_url(url, **options)
    _verify_names(pool)
    return Redis.from_pool(pool)


def _master(url: str, options: dict[str, Any]) -> Redis:
    parts = urlsplit(url)
    scheme, (service, database) = parts.scheme.removesuffix(_SENTINEL), _named(parts.path)
    credentials, _, hosts = parts.netloc.rpartition("@")
    addresses = [
        parse_url(f"{scheme}://{credentials}@{host}/{database}?{parts.query}")
        for host in hosts.split(",")
    ]
    given: dict[str, Any] = dict(addresses[0])
    tls = {"ssl": True} if given.pop("connection_class", None) else {}
    sentinels = [(each.get("host"), each.get("port", _SENTINEL_PORT)) for each in addresses]
    if not service or not all(host for host, _ in sentinels):
        raise ValueError("it names no Sentinel, or no service as in HOST:PORT/SERVICE/DB")
    for name in ("host", "port"):
        given.pop(name, None)
    own = {name: given.pop(name) for name in list(given) if name.startswith(_OF_SENTINELS)}
    theirs = {name.removeprefix(_OF_SENTINELS): value for name, value in own.items()}
    theirs |= {name: value for name, value in given.items() if name.startswith("ssl_")}
    manager = Sentinel(  # type: ignore[no-untyped-call]  # the same
        sentinels, sentinel_kwargs={**theirs, **tls, **options}
    )
    for sentinel in manager.sentinels:
        _verify_names(sentinel.connection_pool)
    kind = NamedManagedConnection if tls else SentinelManagedConnection
    pool = MasterPool(  # type: ignore[no-untyped-call]  # the same
        service, manager, connection_class=kind, **given, **options
    )
    return Redis.from_pool(pool)


def _named(path: str) -> tuple[str, str]:
    """Service and number of the database, "0" without one."""
    service, _, database = path.strip("/").partition("/")
    if database and not database.isdecimal():
        raise ValueError("the number of its database is none")
    return service, database or "0"


def _verify_names(pool: ConnectionPool) -> None:
    if issubclass(pool.connection_class, SSLConnection):
        pool.connection_class = NamedSSLConnection
