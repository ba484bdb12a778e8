"""``winnow setup [--undo]``: proxy and certificate for this computer's browsers."""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from winnow import system_setup
from winnow.command_errors import CommandError
from winnow.commands.config import add_config_flag, load_settings
from winnow.commands.health import ask
from winnow.commands.listening_address import authority, reachable
from winnow.compose.stores import ca_folder, data_folder
from winnow.config.server_settings import Server
from winnow.config.settings import Settings
from winnow.proxy.tls.authority import ensure_authority
from winnow.system_setup import RECORD, SetupResult, SetupTarget

CERTIFICATE: Final = "winnow-ca.crt"
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--undo", action="store_true", help="undo what this command did")
    parser.add_argument(
        "--open", action="store_true", help="then start Chromium with the proxy, at the guide"
    )
    add_config_flag(parser)
    parser.add_argument("--port", dest="server.port", help="where Winnow was started elsewhere")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    port = getattr(arguments, "server.port")
    flags = {} if port is None else {"server.port": port}
    settings = load_settings(arguments.config, flags).settings
    record = data_folder(settings) / RECORD
    try:
        if arguments.undo:
            return _said(system_setup.undone(record), "undone")
        wanted = wanted_of(settings)
        todo = list(system_setup.steps(wanted))
        failed = _said(system_setup.done(wanted, record, todo), "set")
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot set this computer up: {error}") from error
    for hint in system_setup.hints(wanted):
        sys.stdout.write(f"  {hint}\n")
    if silent := _silent(settings.server):
        sys.stdout.write(f"  {silent}: start it, or name its port by --port\n")
    if not arguments.open:
        sys.stdout.write("Restart your browser, then open a page.\n")
    sys.stdout.write("winnow setup --undo takes it all back.\n")
    if arguments.open:
        _open(wanted.pac)
    return failed


def _silent(server: Server) -> str:
    """Why Winnow does not answer there; "" where it does."""
    try:
        ask(server, "/-/live")
    except CommandError as error:
        return str(error)
    return ""


def wanted_of(settings: Settings) -> SetupTarget:
    """What this computer shall have; writes the certificate into the data folder."""
    authority_found = ensure_authority(ca_folder(settings), socket.gethostname())
    file = data_folder(settings) / CERTIFICATE
    file.write_bytes(authority_found.pem)
    server = settings.server
    scheme = "https" if server.tls_cert else "http"
    here = f"{scheme}://{authority(reachable(server.host), server.port)}"
    return SetupTarget(Path.home(), file, f"{here}/-/proxy.pac", authority_found.name)


def _said(results: Iterable[SetupResult], word: str) -> int:
    """Print each result; 1 if any failed."""
    found = []
    for result in results:
        found.append(result)
        line = f"{result.what}: {result.fault}" if result.fault else f"{result.what}: {word}"
        sys.stdout.write(f"  {line}\n")
    if not found:
        sys.stdout.write("  There is nothing to do here.\n")
    return int(any(result.fault for result in found))


def _open(pac: str) -> None:
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise CommandError("there is no Chromium here: open the setup guide in your browser")
    address = f"{pac.removesuffix('/-/proxy.pac')}/-/setup"
    words = [found, f"--proxy-pac-url={pac}", address]
    os.posix_spawn(found, words, os.environ, setsid=True)  # it outlives this command
