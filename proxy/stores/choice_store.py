"""Keeps what a reader chose and what the proxy learned: the protocol, and the one in memory.

Knows the order of changes; refuses to know what a choice means to a request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from winnow.proxy.stores.choices import UNTIL_RESTART, Choice, Choices, PassThrough
from winnow.proxy.stores.notices import Notify, notify_nobody


class ChoiceStore(Protocol):
    """Read at once through ``now``; every change is awaited, and is kept when it returns.

    Changes raise ``StoreError`` if they cannot be kept; ``now`` then stays as it was.
    """

    @property
    def now(self) -> Choices:
        """Everything remembered, as of the last change."""
        ...

    async def choose(self, owner: str, site: str, choice: Choice) -> None:
        """Store ``owner``'s choice for a site key; an empty choice undoes what was chosen."""
        ...

    async def learn(self, entry: PassThrough) -> None:
        """Tunnel ``entry.host`` for that client from now on."""
        ...

    async def unlearn(self, keys: frozenset[str]) -> None:
        """Forget the refusals of these keys."""
        ...

    async def pause(self, owner: str, until: datetime | None) -> None:
        """Let everything of ``owner`` through unchanged until then; None ends a pause at once."""
        ...

    async def aclose(self) -> None:
        """Let go of files and threads."""
        ...


class MemoryChoices:
    """A ``ChoiceStore`` that forgets with the process; the one on disk adds only the keeping."""

    def __init__(self, remembered: Choices | None = None) -> None:
        self._now = remembered or Choices()
        self._order = asyncio.Lock()
        self.notify: Notify = notify_nobody
        """Awaited after each change, with what ``on_notify`` takes in another process."""

    @property
    def now(self) -> Choices:
        """Everything remembered, as of the last change."""
        return self._now

    async def choose(self, owner: str, site: str, choice: Choice) -> None:
        """Store ``owner``'s choice for a site key."""
        await self._change(lambda now: now.with_choice(owner, site, choice))

    async def learn(self, entry: PassThrough) -> None:
        """Tunnel ``entry.host`` for that client from now on."""
        await self._change(lambda now: now.with_passed(entry))

    async def unlearn(self, keys: frozenset[str]) -> None:
        """Forget the refusals of these keys."""
        await self._change(lambda now: now.without_passed(keys))

    async def pause(self, owner: str, until: datetime | None) -> None:
        """Let everything of ``owner`` through unchanged until then."""
        await self._change(lambda now: now.with_pause(owner, until))

    async def aclose(self) -> None:
        """Nothing is held."""

    async def on_notify(self, until_restart: Sequence[str]) -> None:
        """Another process changed what is kept; these owners' pauses stand in no file."""
        async with self._order:
            now = await self._kept()
            for owner in until_restart:
                now = now.with_pause(owner, UNTIL_RESTART)
            self._now = now

    async def adopt(self, now: Choices) -> None:
        """Keep what is said elsewhere; nobody is told. Raises ``StoreError``."""
        async with self._order:
            await self._keep(self._now, now)
            self._now = now

    async def _change(self, step: Callable[[Choices], Choices]) -> None:
        async with self._order:
            new = step(self._now)
            await self._keep(self._now, new)
            self._now = new
        endless = [
            owner for owner, owned in new.owners.items() if owned.paused_until == UNTIL_RESTART
        ]
        await self.notify(endless)  # outside the lock: two that tell each other must not wait

    async def _kept(self) -> Choices:
        """Everything, as it is kept now."""
        return self._now

    async def _keep(self, old: Choices, new: Choices) -> None:
        """Make ``new`` outlive the process, knowing that ``old`` does."""
