"""Figures of a whole run, read when they are exported."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from winnow.proxy.observability.metrics import LiveGauge

if TYPE_CHECKING:
    from winnow.compose.running import Running


@dataclass
class Reloads:
    """How the settings were read again: how often in vain, and whether the last time was not."""

    failed: int = 0
    succeeded: bool = True


def figures_of_run(proxy: Running) -> tuple[LiveGauge, ...]:
    """Those that are no part's of what a reload replaces."""
    told = partial(LiveGauge, is_shown=False)
    limits, state = proxy.state.connection_limits, proxy.state
    return (
        LiveGauge("connections", "Client connections.", lambda: len(limits)),
        LiveGauge("client_addresses", "Client addresses with connections.", lambda: limits.clients),
        told("tunnels", "Open tunnels.", lambda: state.handover.tunnels),
        told(
            "event_loop_lag_seconds",
            "Longest wait for the event loop within a minute.",
            lambda: proxy.lag.longest,
        ),
        told(
            "config_last_reload_successful",
            "Whether the settings were applied when they were last read again.",
            lambda: proxy.reloads.succeeded,
        ),
        told(
            "config_reload_failures",
            "Settings that were read again and not applied.",
            lambda: proxy.reloads.failed,
            counts=True,
        ),
        told(
            "authority_expiry_timestamp_seconds",
            "When the authority's certificate ends.",
            lambda: state.ca.expires,
        ),
        told(
            "build_info",
            "The version that runs.",
            lambda: 1,
            labels=(("version", version("winnow-proxy")), ("python", platform.python_version())),
        ),
    )
