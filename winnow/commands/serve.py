"""``winnow serve``: runs the proxy."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from winnow.command_errors import CommandError
from winnow.command_settings import add_config_flag, source_of
from winnow.compose.process import logs
from winnow.compose.process.supervising import supervise
from winnow.config.feature_settings import FeatureSettings
from winnow.config.server_settings import Server
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.feature_list import sections_of
from winnow.jobs.job_types import JobError
from winnow.proxy.cluster.supervisor import ProcessNotStartedError
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.running_server import authority, reachable

FLAGS: Final[Mapping[str, tuple[str, str]]] = {
    "server.host": ("--host", "address to listen on (127.0.0.1)"),
    "server.port": ("--port", "port to listen on (8080)"),
    "server.processes": ("--processes", "processes that share the port (1)"),
    "extraction.extractor": ("--extractor", "the method, see `winnow extractors` (auto)"),
}
"""Setting to the flag that overrides it, and its text in --help."""
OLD_FLAGS: Final[Mapping[str, str]] = {"server.workers": "--workers"}
"""Flags of settings by their old names, which go on working with a warning."""
MOST_FILES: Final = 65536


def declare(parser: argparse.ArgumentParser) -> None:
    add_config_flag(parser)
    for path, (flag, purpose) in FLAGS.items():
        parser.add_argument(flag, dest=path, metavar=flag.lstrip("-").upper(), help=purpose)
    for path, flag in OLD_FLAGS.items():
        parser.add_argument(flag, dest=path, help=argparse.SUPPRESS)
    parser.add_argument("--origin", metavar="URL", help="stand before this one site, as no proxy")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    given = {path: getattr(arguments, path) for path in (*FLAGS, *OLD_FLAGS)}
    flags = {path: text for path, text in given.items() if text is not None}
    if arguments.origin:
        flags |= before_site(arguments.config, arguments.origin)
    source = source_of(arguments.config, flags, configure_log)
    open_all_files()
    server = source.load().settings.server
    try:
        if server.processes > 1:
            asyncio.run(supervise(source, source.load, announce))
        else:
            _serve_alone(source)
    except OSError as error:
        raise CommandError(refusal(server, error)) from error
    except (JobError, ProxyError, ProcessNotStartedError) as error:
        raise CommandError(f"cannot start: {error}") from error
    return 0


def before_site(config: Path | None, url: str) -> dict[str, str]:
    """The flags that ``--origin`` stands for, beside the features that the settings name."""

    def with_origin(chosen: FeatureSettings) -> FeatureSettings:
        return replace(chosen, enabled=tuple(dict.fromkeys((*chosen.enabled, "origin"))))

    source = SettingsSource(config, of_features=lambda chosen: sections_of(with_origin(chosen)))
    named = with_origin(source.load().settings.features).enabled
    return {"origin.url": url, "features.enabled": ",".join(named)}


def configure_log(loaded: Loaded) -> None:
    """Log as the settings say."""
    logs.configure(loaded.settings.server.log_level, loaded.settings.server.log_format)


def open_all_files() -> None:
    """Raise the limit of open files of this process and its children to what is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _serve_alone(source: SettingsSource) -> None:
    gc.disable()  # imports are never freed: ``freeze_heap`` collects once, and enables it again
    serving = import_module("winnow.compose.process.service")  # not needed by a supervisor
    runner()(serving.serve_until_stopped(source.load, announce, source))


class Listens(Protocol):
    """The address that a proxy listens on."""

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def secure(self) -> bool: ...


def announce(proxy: Listens) -> None:
    """Print the address and what to do next."""
    bound = authority(proxy.host, proxy.port)
    address = authority(reachable(proxy.host), proxy.port)
    scheme = "https" if proxy.secure else "http"
    sys.stdout.write(
        f"Winnow listens on {bound} (Ctrl-C stops it).\n"
        f"Next: open {scheme}://{address}/ or set {address} as your browser's HTTP proxy.\n"
    )
    sys.stdout.flush()


def refusal(server: Server, error: OSError) -> str:
    """Return why the proxy cannot listen, and what to change."""
    where = authority(server.host, server.port)
    reason = os.strerror(error.errno) if error.errno else str(error)
    return f"cannot listen on {where}: {reason}; choose another with --host or --port"


def runner() -> Callable[[Coroutine[Any, Any, None]], None]:
    """Return uvloop's runner where the extra ``fast`` is installed, else asyncio's."""
    runner: Callable[[Coroutine[Any, Any, None]], None] = asyncio.run
    return import_module("uvloop").run if find_spec("uvloop") else runner
