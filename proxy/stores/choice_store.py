"""The store of choices and refusals: the protocol, and the one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from winnow.proxy.stores.choices import UNTIL_RESTART, Choices, PassThrough
from winnow.proxy.stores.notices import Notify, notify_nobody
from winnow.proxy.stores.site_choice import Choice


class ChoiceStore(Protocol):
    """``now`` is read without waiting; a change is stored when its coroutine returns.

    Changes raise ``StoreError`` if they cannot be stored; ``now`` then stays as it was.
    """

    @property
    def now(self) -> Choices:
        """All choices, as of the last change."""
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
        """Close files and threads."""
        ...


class NotifyingChoices:
    """A ``ChoiceStore`` in memory; the one on disk only adds saving."""

    def __init__(self, choices: Choices | None = None) -> None:
        self.now = choices or Choices()
        self._order = asyncio.Lock()
        self.notify: Notify = notify_nobody
        """Awaited after each change, with what ``on_notify`` takes in another process."""

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
        """Another process changed the stored choices; the pauses of these owners are in no file."""
        async with self._order:
            now = await self._stored()
            for owner in until_restart:
                now = now.with_pause(owner, UNTIL_RESTART)
            self.now = now

    async def adopt(self, now: Choices) -> None:
        """Store choices of elsewhere without a notification. Raises ``StoreError``."""
        async with self._order:
            await self._save(self.now, now)
            self.now = now

    async def _change(self, step: Callable[[Choices], Choices]) -> None:
        async with self._order:
            new = step(self.now)
            await self._save(self.now, new)
            self.now = new
        endless = [
            owner for owner, owned in new.owners.items() if owned.paused_until == UNTIL_RESTART
        ]
        await self.notify(endless)  # outside the lock: two that notify each other must not wait

    async def _stored(self) -> Choices:
        """All choices, as they are stored."""
        return self.now

    async def _save(self, old: Choices, new: Choices) -> None:
        """Store ``new`` where ``old`` is stored."""
