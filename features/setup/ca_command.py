"""``winnow ca show|export|install-help``: the local certificate authority."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Final

from winnow.command_errors import CommandError, local_path, one_of
from winnow.command_settings import add_config_flag, load_settings
from winnow.config.settings import Settings
from winnow.data_folder import ca_folder
from winnow.features.setup.devices.apple_profile import PROFILE
from winnow.features.setup.setup_guides import GUIDES
from winnow.proxy.tls.authority import FILE_NAME, Authority, ensure_authority, shared_authority


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", type=one_of("action", _ACTIONS), choices=[*_ACTIONS], metavar="|".join(_ACTIONS)
    )
    parser.add_argument(
        "--out", type=local_path, metavar="FILE", help="export: write here, not stdout"
    )
    parser.add_argument("--der", action="store_true", help="export: DER instead of PEM")
    add_config_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.config, {}).settings
    shared = settings.interception.authority
    authority = (
        shared_authority(shared)
        if shared
        else ensure_authority(ca_folder(settings), socket.gethostname())
    )
    _ACTIONS[arguments.action](authority, settings, arguments)
    return 0


def _show(authority: Authority, settings: Settings, _: argparse.Namespace) -> None:
    certificate = authority.certificate
    file = settings.interception.authority or ca_folder(settings) / FILE_NAME
    sys.stdout.write(
        f"Name         {authority.name}\n"
        f"Valid from   {certificate.not_valid_before_utc:%Y-%m-%d}\n"
        f"Valid until  {certificate.not_valid_after_utc:%Y-%m-%d}\n"
        f"SHA-256      {authority.fingerprint}\n"
        f"File         {file} (holds the private key: keep it secret)\n"
    )


def _export(authority: Authority, _: Settings, arguments: argparse.Namespace) -> None:
    data = authority.der if arguments.der else authority.pem
    if arguments.out is None:
        sys.stdout.buffer.write(data)
        return
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise CommandError(f"cannot write {arguments.out}: {error.strerror}") from error


def _install_help(authority: Authority, settings: Settings, _: argparse.Namespace) -> None:
    host, port = settings.server.host, settings.server.port
    here = f"http://{host}:{port}"
    names = {
        "host": host,
        "port": str(port),
        "pac": f"{here}/-/proxy.pac",
        "certificate": f"{here}/-/ca.crt",
        "profile": f"{here}{PROFILE}",
        "name": authority.name,
    }
    sys.stdout.write(
        "Winnow opens HTTPS only for the hosts under interception.hosts, with certificates of\n"
        f"{authority.name}, SHA-256\n{authority.fingerprint}\n"
        "Each browser or system must be set to trust it; the steps below say how to undo that.\n"
        f"The same steps, with a live check, are at {here}/-/setup while Winnow runs.\n"
    )
    for guide in GUIDES:
        steps = (*guide.trust, f"To undo it: {guide.undo}")
        lines = (
            f"  {number}. {step}".replace("\n", "\n     ") for number, step in enumerate(steps, 1)
        )
        sys.stdout.write("\n".join(("", guide.system, *lines, "")).format(**names))


_ACTIONS: Final[Mapping[str, Callable[[Authority, Settings, argparse.Namespace], None]]] = {
    "show": _show,
    "export": _export,
    "install-help": _install_help,
}
