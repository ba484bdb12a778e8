"""What several server processes have in common, and each one's share of the limits."""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Protocol

from winnow.config.settings import Settings
from winnow.config.sources.settings_source import SettingsSource
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.cluster.bus import ALONE, Bus
from winnow.proxy.stores.notices import Notify

LEAST_MEMORY: Final = 1024 * 1024


def _alone() -> None:
    """There is no other process."""


@dataclass(frozen=True)
class SharedState:
    """``name`` stands in Via, against loops; ``tokens`` are those of our forms.

    ``source``: where the settings can be changed; ``reload_all`` has the other processes load them.
    """

    name: str = field(default_factory=lambda: f"winnow-{secrets.token_hex(4)}")
    tokens: FormTokens = field(default_factory=FormTokens)
    bus: Bus = ALONE
    processes: int = 1
    source: SettingsSource | None = None
    reload_all: Callable[[], None] = _alone


class NotifiedState(Protocol):
    """State that notifies other processes of its changes and takes theirs."""

    notify: Notify

    def on_notify(self, change: Any, /) -> Awaitable[None] | None: ...


def join_bus(bus: Bus, subject: str, state: NotifiedState) -> None:
    """Connect a state with its counterparts in other server processes."""
    if bus is not ALONE:
        state.notify = partial(bus.ask, subject)
        bus.subscribe(subject, state.on_notify)


def share_of(settings: Settings, processes: int) -> Settings:
    """The settings of one of so many server processes."""
    if processes == 1:
        return settings
    server, extraction, cache = settings.server, settings.extraction, settings.cache
    extracting = extraction.processes or os.cpu_count() or 1
    return replace(
        settings,
        server=replace(
            server,
            connections=-(-server.connections // processes),
            request_memory=-(-server.request_memory // processes),
        ),
        extraction=replace(
            extraction,
            processes=-(-extracting // processes),
            max_waiting=-(-extraction.max_waiting // processes),
            max_waiting_per_client=-(-extraction.max_waiting_per_client // processes),
        ),
        cache=replace(
            cache,
            memory=max(cache.memory // processes, LEAST_MEMORY),
            renderings=cache.renderings // processes,
        ),
    )
