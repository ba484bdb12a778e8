"""``winnow serve``: the proxy from its settings to its end. Knows no request."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from config.settings import Server
from proxy.errors import ProxyError
from winnow import logs
from winnow.commands.config import add_config_flag, load_settings
from winnow.errors import CommandError
from winnow.serving import Running, serve_until_told

FLAGS: Final[Mapping[str, tuple[str, str]]] = {
    "server.host": ("--host", "address to listen on (127.0.0.1)"),
    "server.port": ("--port", "port to listen on (8080)"),
    "extraction.extractor": ("--extractor", "the method, see `winnow extractors` (auto)"),
}
"""Setting to the flag that overrides it, and what that says in --help."""
_WILDCARDS: Final = {
    "0.0.0.0": "127.0.0.1",  # noqa: S104  # a name to be shown; nothing is bound to it here
    "::": "::1",
}
"""Addresses to listen on that no browser opens, and what it opens instead."""


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    for path, (flag, purpose) in FLAGS.items():
        parser.add_argument(flag, dest=path, metavar=flag.lstrip("-").upper(), help=purpose)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    given = {path: getattr(arguments, path) for path in FLAGS}
    flags = {path: text for path, text in given.items() if text is not None}
    loaded = load_settings(arguments.config, flags)
    settings = loaded.settings
    logs.configure(settings.server.log_level, settings.server.log_format)
    try:
        _runner()(serve_until_told(loaded, announce))
    except OSError as error:
        raise CommandError(refusal(settings.server, error)) from error
    except ProxyError as error:
        raise CommandError(f"cannot start: {error}") from error
    return 0


def announce(proxy: Running) -> None:
    """Say what to do next, once the proxy listens."""
    bound = _authority(proxy.host, proxy.port)
    address = _authority(_WILDCARDS.get(proxy.host, proxy.host), proxy.port)
    scheme = "https" if proxy.secure else "http"
    sys.stdout.write(
        f"Winnow listens on {bound} (Ctrl-C stops it).\n"
        f"Next: open {scheme}://{address}/ or set {address} as your browser's HTTP proxy.\n"
    )
    sys.stdout.flush()


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def refusal(server: Server, error: OSError) -> str:
    """Return why the proxy cannot listen, and what to change."""
    where = _authority(server.host, server.port)
    reason = os.strerror(error.errno) if error.errno else str(error)
    return f"cannot listen on {where}: {reason}; choose another with --host or --port"


def _runner() -> Callable[[Coroutine[Any, Any, None]], None]:
    """Return uvloop's runner where the extra ``fast`` is installed, else asyncio's."""
    runner: Callable[[Coroutine[Any, Any, None]], None] = asyncio.run
    return import_module("uvloop").run if find_spec("uvloop") else runner
