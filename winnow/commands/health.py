"""``winnow health``: asks a running proxy with the same settings whether it is alive or ready."""

from __future__ import annotations

import argparse
import ssl
import sys
from http.client import HTTPConnection, HTTPException, HTTPSConnection

from winnow.command_errors import CommandError
from winnow.commands.config import add_config_flag, load_settings
from winnow.commands.listening_address import authority, reachable
from winnow.compose.balancers import balancers_of
from winnow.config.server_settings import Server
from winnow.proxy.http.client_context import verifying_context
from winnow.proxy.server.balancers import NO_BALANCERS, Balancers
from winnow.proxy.server.proxy_protocol import UNKNOWN

SECONDS = 4.0
"""Less than the five that a container's health check usually has."""


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    parser.add_argument("--host", dest="server.host", help="the proxy's address")
    parser.add_argument("--port", dest="server.port", help="the proxy's port")
    parser.add_argument(
        "--ready", action="store_true", help="whether it should get requests (/-/ready)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    given = {path: getattr(arguments, path) for path in ("server.host", "server.port")}
    flags = {path: text for path, text in given.items() if text is not None}
    settings = load_settings(arguments.config, flags).settings
    server, path = settings.server, "/-/ready" if arguments.ready else "/-/live"
    status, answer = ask(server, path, balancers_of(server))
    if status != 200:
        raise CommandError(f"{_at(server)}: {answer or status}")
    sys.stdout.write(f"{answer}\n")
    return 0


def ask(server: Server, path: str, balancers: Balancers = NO_BALANCERS) -> tuple[int, str]:
    """Status and first line of the reply. Raises CommandError without one."""
    connection = _connection(server)
    connection.balancers = balancers
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read(99).decode("latin-1").partition("\n")[0]
    except (OSError, HTTPException) as error:
        raise CommandError(f"{_at(server)} does not respond: {error}") from error
    finally:
        connection.close()


def _at(server: Server) -> str:
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


def _connection(server: Server) -> _AsBalancer:
    host = reachable(server.host)
    if server.tls_cert is None:
        return _AsBalancer(host, server.port, timeout=SECONDS)
    context = verifying_context()
    context.check_hostname = False  # the certificate is of the proxy's name, not of its address
    context.verify_mode = ssl.CERT_NONE
    return _AsBalancerWithTls(host, server.port, timeout=SECONDS, context=context)
