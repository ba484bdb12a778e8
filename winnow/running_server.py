"""A proxy that runs on this computer: its address, and what it answers."""

from __future__ import annotations

import argparse
import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, load_settings
from winnow.config.server_settings import Server
from winnow.config.settings import Settings
from winnow.proxy.http.client_context import verifying_context
from winnow.proxy.server.balancers import NO_BALANCERS, Balancers
from winnow.proxy.server.proxy_protocol import UNKNOWN

SECONDS: Final = 4.0
"""Less than the five that a container's health check usually has."""

_WILDCARDS: Final = {
    "": "127.0.0.1",
    "0.0.0.0": "127.0.0.1",  # noqa: S104  # nothing is bound to it here
    "::": "::1",
}
"""Wildcard addresses, and what a browser opens instead."""


def reachable(host: str) -> str:
    """The address to connect to on this computer."""
    return _WILDCARDS.get(host, host)


def authority(host: str, port: int) -> str:
    """``host:port`` as in a URI."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def declare_address(parser: argparse.ArgumentParser) -> None:
    """The options that say where the running proxy is."""
    add_config_flag(parser)
    parser.add_argument("--host", dest="server.host", help="the proxy's address")
    parser.add_argument("--port", dest="server.port", help="the proxy's port")


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings, and what the options of ``declare_address`` say."""
    given = {path: getattr(arguments, path) for path in ("server.host", "server.port")}
    flags = {path: text for path, text in given.items() if text is not None}
    return load_settings(arguments.config, flags).settings


def ask(server: Server, path: str, balancers: Balancers = NO_BALANCERS) -> tuple[int, str]:
    """Status and first line of the reply. Raises CommandError without one."""
    connection = connection_to(server, balancers, SECONDS)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read(99).decode("latin-1").partition("\n")[0]
    except (OSError, HTTPException) as error:
        raise CommandError(f"{at(server)} does not respond: {error}") from error
    finally:
        connection.close()


def at(server: Server) -> str:
    """Where it is reached from here."""
    return authority(reachable(server.host), server.port)


class _AsBalancer(HTTPConnection):
    """Begins with a PROXY header, where the proxy takes this computer for a load balancer."""

    balancers = NO_BALANCERS

    def connect(self) -> None:
        super().connect()
        if self.balancers.sends_header and self.balancers.has(self.sock.getsockname()[0]):
            self.sock.sendall(UNKNOWN)


class _AsBalancerWithTls(HTTPSConnection, _AsBalancer):
    """The header comes before TLS."""


def connection_to(server: Server, balancers: Balancers, seconds: float) -> HTTPConnection:
    """A connection to the proxy, which opens at its first request; ``seconds``: its timeout."""
    connection = _connection(reachable(server.host), server, seconds)
    connection.balancers = balancers
    return connection


def _connection(host: str, server: Server, seconds: float) -> _AsBalancer:
    if server.tls_cert is None:
        return _AsBalancer(host, server.port, timeout=seconds)
    context = verifying_context()
    context.check_hostname = False  # the certificate is of the proxy's name, not of its address
    context.verify_mode = ssl.CERT_NONE
    return _AsBalancerWithTls(host, server.port, timeout=seconds, context=context)
