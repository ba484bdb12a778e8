"""Host names of a test that is no loopback to a browser: each leads to an origin of the test."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import replace

from winnow.config.settings import Settings
from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver


class NamedOrigins(Resolver):
    """Knows only the given names, and for each its port on this machine."""

    def __init__(self, ports: Mapping[tuple[str, int], int]) -> None:
        super().__init__()
        self._ports = ports

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        if (host, port) not in self._ports:
            raise OriginUnreachableError(f"The name {host} could not be resolved.")
        there = ("127.0.0.1", self._ports[host, port])
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", there)]


def open_names(settings: Settings) -> Settings:
    """The settings, by which all names of the test may lead to this machine as they do."""
    access = replace(settings.access, private_names=("example", "test"))
    return replace(settings, access=access)
