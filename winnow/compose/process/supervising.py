"""Several server processes as the settings say, and the signals that control them."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from winnow.compose.policies import gate_of
from winnow.compose.process.service import let_in, reload_on_signal
from winnow.compose.process.service_manager import notify, watchdog
from winnow.compose.process.stop_signals import StopSignals
from winnow.compose.process.succession import Identity, Newer, noting, until_taken_over
from winnow.config.errors import ConfigError
from winnow.config.server_settings import Server
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.proxy.access.credentials.withdrawal import Tell, admits, tell_nobody
from winnow.proxy.cluster.supervisor import ProcessNotStartedError, Supervisor, SupervisorPlan
from winnow.proxy.observability.aggregation import summed

_LOG = logging.getLogger("winnow.compose.process.supervising")


@dataclass(frozen=True)
class SharedListener:
    """Where all processes listen."""

    host: str
    port: int
    secure: bool


async def supervise(
    source: SettingsSource, load: Callable[[], Loaded], announce: Callable[[SharedListener], None]
) -> None:
    """Keep the processes running until SIGINT or SIGTERM; SIGHUP has them read the settings again.

    Raises OSError if the address is taken, ProcessNotStartedError with what a process says.
    """
    settings = load().settings
    server, signals = settings.server, StopSignals.installed()
    newer = await Newer.of(os.environ, let_in(load))
    supervisor = Supervisor(replace(plan_of(source, server, newer.identity), sockets=newer.sockets))
    async with watchdog():
        try:
            if await signals.unless_stopped(supervisor.start(server.processes)):
                announce(SharedListener(server.host, supervisor.port, server.tls_cert is not None))
                newer.begun(admits(gate_of(settings)))
                note = noting(settings, newer.identity)
                apply = partial(reload, supervisor, load, newer.tell)
                reloading = reload_on_signal(signals.reload, note, apply)
                if await signals.unless_stopped(
                    until_taken_over(supervisor, newer, signals.renew, note, reloading)
                ):
                    await signals.unless_stopped(supervisor.leave(server.handover_grace))
                    return
                notify("STOPPING=1")
                supervisor.drain()
                await signals.drain(server.drain)
        finally:
            await supervisor.stop()


def plan_of(source: SettingsSource, server: Server, identity: Identity) -> SupervisorPlan:
    """Processes that read the settings from the same source and share one name and one key."""

    def job(number: int, processes: int) -> dict[str, Any]:
        return {
            **source.as_json(),
            "number": number,
            "processes": processes,
            "name": identity.name,
            "key": identity.key,
        }

    command = (sys.executable, "-P", "-m", "winnow.compose.process.server_process")
    return SupervisorPlan(command, job, summed, server.host, server.port, server.shutdown_grace)


async def reload(
    supervisor: Supervisor, load: Callable[[], Loaded], tell: Tell = tell_nobody
) -> str:
    """Start or stop processes as the new settings say, and have all read the settings again.

    ``tell``: who hears then what the settings let in. Returns why not, "" if all applied them.
    """
    try:
        settings = load().settings
        later = admits(gate_of(settings))
        await supervisor.resize(settings.server.processes)
    except (ConfigError, OSError, ProcessNotStartedError) as error:
        _LOG.error("The settings were not applied: %s", error)
        if isinstance(error, ConfigError):
            await supervisor.reload()  # each finds the same, and counts it
        return str(error)
    failures = [each for each in await supervisor.reload() if each]
    if failures:
        _LOG.error("%d processes did not apply the settings: %s", len(failures), failures[0])
    tell(later)
    return next(iter(failures), "")
