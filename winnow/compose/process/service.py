"""The proxy as a service: a signal stops it, another has it read its settings again."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Awaitable, Callable
from functools import partial
from operator import attrgetter

from winnow.compose.policies import gate_of
from winnow.compose.process.malloc import keep_freed_memory
from winnow.compose.process.service_manager import (
    notify,
    notify_reloaded,
    notify_reloading,
    watchdog,
)
from winnow.compose.process.shares import SharedState
from winnow.compose.process.stop_signals import StopSignals
from winnow.compose.process.succession import Newer, noting, until_taken_over
from winnow.compose.running import Running, listening
from winnow.config.errors import ConfigError
from winnow.config.setting_list import AFTER_RESTART
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.jobs.job_types import JobError
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.credentials.withdrawal import Admits, admits
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.stores.store_errors import StoreError

_LOG = logging.getLogger("winnow.compose.process.service")


async def serve_until_stopped(
    load: Callable[[], Loaded],
    announce: Callable[[Running], None],
    source: SettingsSource | None = None,
) -> None:
    """Run until SIGINT or SIGTERM; SIGHUP loads the settings again.

    ``source``: where our own pages can change them.
    ``announce`` is called once the proxy listens. Raises OSError if the address is taken.
    """
    signals, loaded = StopSignals.installed(), load()
    newer = await Newer.of(os.environ, let_in(load))
    tokens = FormTokens(bytes.fromhex(newer.identity.key))
    shared = SharedState(newer.identity.name, tokens, source=source)
    begun = listening(loaded.settings, None, loaded.origins, shared, newer.sockets)
    async with watchdog(), begun as proxy:
        seconds = loaded.settings.extraction.start_seconds
        if await signals.unless_stopped(proxy.begin(seconds)):
            freeze_heap()
            announce(proxy)
            newer.begun(admits(proxy.app.gate))
            proxy.tell = newer.tell
            note = noting(loaded.settings, newer.identity)
            reloading = reload_on_signal(signals.reload, note, partial(reloaded, proxy, load))
            if await signals.unless_stopped(
                until_taken_over(proxy, newer, signals.renew, note, reloading)
            ):
                await signals.unless_stopped(proxy.leave())
                return
        notify("STOPPING=1")
        proxy.state.handover.drain()
        await signals.drain(proxy.loaded.settings.server.drain)


def let_in(load: Callable[[], Loaded]) -> Callable[[], Admits]:
    """What the settings let in when it is called. Raises ConfigError."""
    return lambda: admits(gate_of(load().settings))


def freeze_heap() -> None:
    """Exclude the objects made at the start from garbage collection, and keep freed memory.

    A full collection would traverse all of them and hold the loop for some 50 ms each time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 50)  # a request leaves next to nothing in cycles
    gc.enable()
    keep_freed_memory()


async def reload_on_signal(
    again: asyncio.Event, note: Callable[[str], None], reload: Callable[[], Awaitable[str]]
) -> None:
    """``reload`` returns why the settings were not applied, "" if they were."""
    while await again.wait():
        again.clear()
        notify_reloading()
        failure = await reload()
        note(failure)
        notify_reloaded(failure)


async def reloaded(proxy: Running, load: Callable[[], Loaded], processes: int = 1) -> str:
    """Load and apply the settings again; returns why not, "" if they were applied."""
    try:
        loaded = load()
        await proxy.reload(loaded, processes)
    except (ConfigError, JobError, StoreError, OSError, ProxyError) as error:
        _LOG.error("The settings were not applied: %s", error)
        proxy.reloads.failed += 1
        proxy.reloads.succeeded = False
        return str(error)
    proxy.reloads.succeeded = True
    for path in AFTER_RESTART:
        if attrgetter(path)(proxy.first) != attrgetter(path)(loaded.settings):
            _LOG.warning("%s takes effect after a restart.", path)
    _LOG.info("The settings were read again.")
    return ""
