"""Connections to Redis, verified as every other TLS connection is. Needs the extra ``redis``."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis
from redis.asyncio.connection import ConnectionPool, SSLConnection
from redis.asyncio.retry import Retry

from winnow.proxy.http.client_context import by_alternative_name_only


class NamedSSLConnection(SSLConnection):
    """``rediss://``: the server's certificate must name the host in subjectAltName."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        by_alternative_name_only(self.ssl_context.get())


def redis_at(
    url: str, *, timeout: float, connect_timeout: float, retry: Retry | None = None
) -> Redis:
    """A Redis by its address; connects with the first command. Times in seconds.

    Raises ValueError if ``url`` is no address of a Redis.
    """
    options = {"retry": retry} if retry else {}
    pool = ConnectionPool.from_url(
        url, socket_timeout=timeout, socket_connect_timeout=connect_timeout, **options
    )
    if issubclass(pool.connection_class, SSLConnection):
        pool.connection_class = NamedSSLConnection
    return Redis.from_pool(pool)
