"""``winnow setup [--undo]``: proxy and certificate for this computer's browsers."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import ssl
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from shlex import quote
from typing import Final

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, load_settings
from winnow.config.server_settings import Server
from winnow.config.settings import Settings
from winnow.data_folder import ca_folder, data_folder
from winnow.features.setup import system_setup
from winnow.features.setup.system_setup import RECORD, SetupResult, SetupTarget
from winnow.proxy.stores.files import write_private
from winnow.proxy.tls.authority import ensure_authority
from winnow.running_server import ask, authority, reachable

CERTIFICATE: Final = "winnow-ca.crt"
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")
_HERE: Final = re.compile(r"https?://[0-9A-Za-z.:%_\[\]-]+")
"""Nothing that a shell, GNOME's settings or an address read otherwise."""
_PROGRAMS: Final = (
    "Programs that crawl, download or build (wget, pip, robots) get pages as their sites send "
    "them; curl and browsers get articles.\n"
)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--undo", action="store_true", help="undo what this command did")
    parser.add_argument(
        "--open", action="store_true", help="then start Chromium with the proxy, at the guide"
    )
    parser.add_argument(
        "--agent",
        action="store_true",
        help="print what a program's environment needs, and change nothing else: "
        'eval "$(winnow setup --agent)", and --agent --undo to take it back',
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
        if arguments.agent:
            sys.stdout.write(_for_agents(settings, undo=arguments.undo))
            return 0
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
    sys.stdout.write(_PROGRAMS if settings.extraction.programs == "original" else "")
    sys.stdout.write("winnow setup --undo takes it all back.\n")
    if arguments.open:
        _open(wanted.pac)
    return failed


def _for_agents(settings: Settings, *, undo: bool) -> str:
    """Lines for a shell; the file with the authorities that they name is written, or removed."""
    wanted, bundle = wanted_of(settings), data_folder(settings) / BUNDLE
    found = variables(wanted.pac.removesuffix("/-/proxy.pac"), wanted.certificate, bundle)
    if undo:
        bundle.unlink(missing_ok=True)
        return unset(found)
    write_bundle(bundle, wanted.certificate.read_bytes())
    if silent := _silent(settings.server):
        sys.stderr.write(f"winnow: {silent}: start it, or name its port by --port\n")
    return exported(found)


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
    write_private(file, authority_found.pem, READABLE)
    server = settings.server
    scheme = "https" if server.tls_cert else "http"
    here = f"{scheme}://{authority(reachable(server.host), server.port)}"
    if not _HERE.fullmatch(here):
        raise ValueError(f"server.host is no host: {server.host!r}")
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


BUNDLE: Final = "agent-ca.pem"
READABLE: Final = 0o644
_PROXY: Final = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
_BUNDLES: Final = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO")
"""OpenSSL's (Python, Ruby), requests', curl's and Git's: each replaces the system's authorities."""
_ADDED: Final = "NODE_EXTRA_CA_CERTS"
"""Node's: it adds to those that Node brings."""


def variables(proxy: str, certificate: Path, bundle: Path) -> Mapping[str, str]:
    """The variables by name; ``certificate`` is Winnow's alone, ``bundle`` has the system's too."""
    return {
        **dict.fromkeys(_PROXY, proxy),
        "no_proxy": "localhost,127.0.0.1,::1",
        _ADDED: str(certificate),
        **dict.fromkeys(_BUNDLES, str(bundle)),
    }


def exported(found: Mapping[str, str]) -> str:
    """Lines that set variables in a POSIX shell."""
    return "".join(f"export {name}={quote(value)}\n" for name, value in found.items())


def unset(found: Mapping[str, str]) -> str:
    """The line that takes them back."""
    return f"unset {' '.join(found)}\n"


def write_bundle(bundle: Path, own: bytes) -> None:
    """The system's authorities and our own in one file. Raises OSError."""
    paths = ssl.get_default_verify_paths()
    system = Path(paths.cafile) if paths.cafile else None
    theirs = system.read_bytes() if system is not None and system.is_file() else b""
    write_private(bundle, theirs.rstrip(b"\n") + b"\n" * bool(theirs) + own, READABLE)
