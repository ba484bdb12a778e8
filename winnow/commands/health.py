"""``winnow health``: asks a running proxy with the same settings whether it is alive or ready."""

from __future__ import annotations

import argparse
import ssl
import sys
from http.client import HTTPConnection, HTTPException, HTTPSConnection

from winnow.command_errors import CommandError
from winnow.commands.config import add_config_flag, load_settings
from winnow.commands.listening_address import authority, reachable
from winnow.config.server_settings import Server
from winnow.proxy.http.client_context import verifying_context

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
    server = load_settings(arguments.config, flags).settings.server
    status, answer = ask(server, "/-/ready" if arguments.ready else "/-/live")
    if status != 200:
        raise CommandError(f"{_at(server)}: {answer or status}")
    sys.stdout.write(f"{answer}\n")
    return 0


def ask(server: Server, path: str) -> tuple[int, str]:
    """Status and first line of the reply. Raises CommandError without one."""
    connection = _connection(server)
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


def _connection(server: Server) -> HTTPConnection:
    host = reachable(server.host)
    if server.tls_cert is None:
        return HTTPConnection(host, server.port, timeout=SECONDS)
    context = verifying_context()
    context.check_hostname = False  # the certificate is of the proxy's name, not of its address
    context.verify_mode = ssl.CERT_NONE
    return HTTPSConnection(host, server.port, timeout=SECONDS, context=context)
