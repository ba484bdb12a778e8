"""Keeps what a reader chose and what the proxy learned: the protocol, and the one in memory.

Knows the order of changes; refuses to know what a choice means to a request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from proxy.stores.remembered import Choice, PassThrough, Remembered
from proxy.stores.telling import Told, nobody_told

UNTIL_RESTART = datetime.max.replace(tzinfo=UTC)
"""A pause that no clock ends and no store keeps."""


class ChoiceStore(Protocol):
    """Read at once through ``now``; every change is awaited, and is kept when it returns.

    Changes raise ``StoreError`` if they cannot be kept; ``now`` then stays as it was.
    """

    @property
    def now(self) -> Remembered:
        """Everything remembered, as of the last change."""
        ...

    async def choose(self, site: str, choice: Choice) -> None:
        """Remember ``choice`` for ``site``; an empty choice undoes what was chosen."""
        ...

    async def learn(self, entry: PassThrough) -> None:
        """Tunnel ``entry.host`` for that client from now on."""
        ...

    async def unlearn(self, keys: frozenset[str]) -> None:
        """Forget the refusals of these keys."""
        ...

    async def pause(self, until: datetime | None) -> None:
        """Let everything through unchanged until then; None ends a pause at once."""
        ...

    async def aclose(self) -> None:
        """Let go of files and threads."""
        ...


class MemoryChoices:
    """A ``ChoiceStore`` that forgets with the process; the one on disk adds only the keeping."""

    def __init__(self, remembered: Remembered | None = None) -> None:
        self._now = remembered or Remembered()
        self._order = asyncio.Lock()
        self.told: Told = nobody_told
        """Awaited after each change, with what ``heard`` takes in another process."""

    @property
    def now(self) -> Remembered:
        """Everything remembered, as of the last change."""
        return self._now

    async def choose(self, site: str, choice: Choice) -> None:
        """Remember ``choice`` for ``site``."""
        await self._change(lambda now: now.with_choice(site, choice))

    async def learn(self, entry: PassThrough) -> None:
        """Tunnel ``entry.host`` for that client from now on."""
        await self._change(lambda now: now.with_passed(entry))

    async def unlearn(self, keys: frozenset[str]) -> None:
        """Forget the refusals of these keys."""
        await self._change(lambda now: now.without_passed(keys))

    async def pause(self, until: datetime | None) -> None:
        """Let everything through unchanged until then."""
        await self._change(lambda now: replace(now, paused_until=until))

    async def aclose(self) -> None:
        """Nothing is held."""

    async def heard(self, paused_until: str | None) -> None:
        """Another process changed what is kept; it pauses until then (ISO 8601), None: not."""
        until = datetime.fromisoformat(paused_until) if paused_until else None
        async with self._order:
            self._now = replace(await self._kept(), paused_until=until)

    async def adopt(self, now: Remembered) -> None:
        """Keep what is said elsewhere; nobody is told. Raises ``StoreError``."""
        async with self._order:
            await self._keep(self._now, now)
            self._now = now

    async def _change(self, step: Callable[[Remembered], Remembered]) -> None:
        async with self._order:
            new = step(self._now)
            await self._keep(self._now, new)
            self._now = new
        until = new.paused_until  # outside the lock: two that tell each other must not wait
        await self.told(until.isoformat() if until else None)

    async def _kept(self) -> Remembered:
        """Everything, as it is kept now."""
        return self._now

    async def _keep(self, old: Remembered, new: Remembered) -> None:
        """Make ``new`` outlive the process, knowing that ``old`` does."""
