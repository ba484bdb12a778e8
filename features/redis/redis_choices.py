"""Stores what readers chose in Redis for several instances, and a copy where each is.

Needs the extra ``redis``. Redis decides while it answers; the copy answers requests at once,
holds while Redis is gone, and fills a Redis that has lost all. What is changed meanwhile is sent to
Redis once it is back, field by field, so that no instance undoes what another one did.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import EVERYBODY, Choices, PassThrough, grouped
from winnow.proxy.stores.notices import Notify, notify_nobody
from winnow.proxy.stores.site_choice import Choice
from winnow.proxy.stores.store_errors import StoreError

CHOICES: Final = "winnow:choices"
STAMP: Final = "winnow:choices:stamp"
_PAUSE: Final = "pause"
_DECIDED: Final = "decided"
_BEFORE: Final = frozenset({"site", "own"})
"""Fields of earlier versions: a choice each, of everybody and of an owner."""
_LOG = logging.getLogger("winnow.redis")


class RedisChoices:
    """A ``ChoiceStore``; ``copy`` answers, and notifies the other processes of its instance."""

    def __init__(self, copy: NotifyingChoices, redis: Redis, patience: float = 1.0) -> None:
        """``patience``: seconds that a change waits for Redis."""
        self._copy, self._redis, self._patience = copy, redis, patience
        self._owed: dict[str, str | None] = {}
        self._seen = ""
        self._order = asyncio.Lock()
        self.notify_instances: Notify = notify_nobody
        """Awaited after each change: the other instances are to ``refresh``."""

    @property
    def now(self) -> Choices:
        """Everything remembered, as of the last change."""
        return self._copy.now

    async def choose(self, owner: str, site: str, choice: Choice) -> None:
        """Store ``owner``'s choice for a site key."""
        await self._change(lambda: self._copy.choose(owner, site, choice))

    async def learn(self, entry: PassThrough) -> None:
        """Tunnel ``entry.host`` for that client from now on."""
        await self._change(lambda: self._copy.learn(entry))

    async def unlearn(self, keys: frozenset[str]) -> None:
        """Forget the refusals of these keys."""
        await self._change(lambda: self._copy.unlearn(keys))

    async def pause(self, owner: str, until: datetime | None) -> None:
        """Let everything of ``owner`` through unchanged until then."""
        await self._change(lambda: self._copy.pause(owner, until))

    async def aclose(self) -> None:
        """Close the copy; the connections are whose they came from."""
        await self._copy.aclose()

    async def refresh(self) -> None:
        """Take over what Redis has, after telling it what it does not know. Raises StoreError."""
        try:
            async with asyncio.timeout(self._patience), self._order:
                await self._settle()
        except (RedisError, OSError, TimeoutError, ValueError, TypeError) as error:
            raise StoreError(f"Redis failed: {error!r}.") from error

    async def _change(self, step: Callable[[], Awaitable[None]]) -> None:
        async with self._order:
            before = self.now
            await step()
            self._owed |= difference(before, self.now)
        try:
            await self.refresh()
        except StoreError as error:
            _LOG.warning("A choice is stored here alone until Redis is back: %s", error)
        else:
            await self.notify_instances(
                None
            )  # outside the lock: two that tell each other must not wait

    async def _settle(self) -> None:
        stamp = await cast("Awaitable[bytes | None]", self._redis.get(STAMP))
        if stamp is None:  # a new Redis, or one that forgot: what is here is what there is
            self._owed = {**difference(Choices(), self.now), **self._owed}
        elif stamp.decode() != self._seen:
            found = await cast("Awaitable[dict[bytes, bytes]]", self._redis.hgetall(CHOICES))
            fields: dict[str, str | None] = {key.decode(): at.decode() for key, at in found.items()}
            fields |= self._owed
            present = {name: value for name, value in fields.items() if value is not None}
            now = remembered(present)
            self._owed = {**_upgraded(present, now), **self._owed}
            await self._copy.adopt(now)
            self._seen = stamp.decode()
        if self._owed or stamp is None:
            await self._pay()

    async def _pay(self) -> None:
        stamp = secrets.token_hex(8)
        async with self._redis.pipeline() as pipeline:
            for name, value in self._owed.items():
                if value is None:
                    pipeline.hdel(CHOICES, name)
                else:
                    pipeline.hset(CHOICES, name, value)
            pipeline.set(STAMP, stamp)
            await pipeline.execute()
        self._owed, self._seen = {}, stamp


def difference(old: Choices, new: Choices) -> dict[str, str | None]:
    """What makes the fields of ``old`` those of ``new``: None where one goes."""
    return _difference(fields_of(old), fields_of(new))


def _difference(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    gone: dict[str, str | None] = dict.fromkeys(before.keys() - after.keys())
    return gone | {name: value for name, value in after.items() if before.get(name) != value}


def _upgraded(present: Mapping[str, str], now: Choices) -> dict[str, str | None]:
    """What makes a field for each field of a site of those that earlier versions wrote."""
    before = {name for name in present if name.partition(" ")[0] in _BEFORE}
    return _difference({name: present[name] for name in before}, fields_of(now)) if before else {}


def fields_of(now: Choices) -> dict[str, str]:
    """Everything, a field for each field of a site, each pause and each host."""
    found = {f"refusal {key}": json.dumps(_told(entry)) for key, entry in now.passed.items()}
    for owner, owned in now.owners.items():
        for (site, name), text in owned.fields().items():
            found[f"{_DECIDED} {json.dumps([owner, site, name])}"] = text
        if owned.paused_until:
            found[f"{_PAUSE} {owner}".rstrip()] = owned.paused_until.isoformat()
    return found


def remembered(fields: Mapping[str, str]) -> Choices:
    """The inverse of ``fields_of``. Raises ValueError or TypeError for anything else."""
    old: list[tuple[str, str, str, str]] = []
    rows: list[tuple[str, str, str, str]] = []
    pauses: list[tuple[str, datetime]] = []
    passed: dict[str, PassThrough] = {}
    for name, value in fields.items():
        kind, _, key = name.partition(" ")
        if kind == _DECIDED:
            owner, site, field = json.loads(key)
            rows.append((owner, site, field, value))
        elif kind in _BEFORE:
            owner, site = json.loads(key) if kind == "own" else (EVERYBODY, key)
            before = zip(("mode", "extractor", "level"), json.loads(value), strict=True)
            old += [(owner, site, field, str(each)) for field, each in before if each is not None]
        elif kind == "refusal":  # "host", of earlier versions, held for every client
            passed[key] = _passed(json.loads(value))
        elif kind == _PAUSE:
            pauses.append((key, datetime.fromisoformat(value)))
    return Choices(grouped([*old, *rows], pauses), MappingProxyType(passed))


def _told(entry: PassThrough) -> list[str | bool]:
    since = entry.since.isoformat()
    return [entry.host, entry.reason, since, entry.sure, entry.client, entry.hello]


def _passed(row: list[Any]) -> PassThrough:
    host, reason, since, sure, client, hello = row
    return PassThrough(host, reason, datetime.fromisoformat(since), bool(sure), client, hello)
