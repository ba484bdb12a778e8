"""Lets clients in by address or by name and password, and slows down those who guess.

Knows Basic credentials (RFC 7617), API keys (RFC 6750) and failures by address; refuses to know
which status a refusal gets (407 for the proxy, 401 for its own pages).
"""

from __future__ import annotations

import asyncio
import binascii
import hashlib
import secrets
import time
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cachetools import TTLCache

from winnow.proxy.access.ip_addresses import Network, in_networks
from winnow.proxy.access.passwords import PasswordHash, hash_password
from winnow.proxy.access.request_head import log_failure, network_of
from winnow.proxy.stores.notices import Notify, notify_nobody

_MAX_HEADER = 1024
_REMEMBERED = 4096
_ACCEPTED_FOR = 600.0
_FREE_TRIES = 5
MOST_VERIFYING = 64
"""Credentials that wait to be verified, one after the other, some 50 ms each."""
_BUSY_WAIT = 60
_FORGIVEN_AFTER = 300.0


@dataclass(frozen=True, slots=True)
class Admitted:
    """The client may go on; ``user`` is "" for one that needs no password.

    ``by_key``: an API key was sent, not a password.
    """

    user: str = ""
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class Denied:
    """The client may not; ``wait`` is seconds until a next try is looked at, 0 for at once."""

    wait: int = 0


class Authenticator:
    """Decides who may use the proxy.

    A right password is verified once in ten minutes and known by a keyed digest in between, for
    a browser sends it with each request and scrypt is slow on purpose. After five failures from
    one address (one /64 of IPv6) unknown credentials from there are refused unread for a while.
    """

    def __init__(
        self,
        users: Mapping[str, PasswordHash],
        open_to: tuple[Network, ...],
        clock: Callable[[], float] = time.monotonic,
        keys: Mapping[str, PasswordHash] | None = None,
    ) -> None:
        """``keys`` are API keys by their names (RFC 6750: ``Bearer NAME.SECRET``)."""
        self.users = users
        self._keys = keys or {}
        self._is_open_to = lru_cache(_REMEMBERED)(lambda client: in_networks(client, open_to))
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._accepted: TTLCache[bytes, Admitted] = TTLCache(_REMEMBERED, _ACCEPTED_FOR, clock)
        self._failures: TTLCache[str, int] = TTLCache(_REMEMBERED, _FORGIVEN_AFTER, clock)
        self._decoy: PasswordHash | None = None
        self._verifying: dict[bytes, asyncio.Task[Admitted | None]] = {}
        self._one_at_a_time = asyncio.Semaphore(1)
        self.notify: Notify = notify_nobody
        """Awaited when a place failed or was forgiven, with what ``on_notify`` takes elsewhere."""

    def on_notify(self, told: Sequence[str | int]) -> None:
        """So often a place has failed in all, as another process of ours counts."""
        place, failures = str(told[0]), int(told[1])
        if failures:
            self._failures[place] = max(failures, self._failures.get(place, 0))
        else:
            self._failures.pop(place, None)

    async def admit(
        self, client: str, credentials: str | None, *, is_open: bool = True
    ) -> Admitted | Denied:
        """Whether the client at address ``client`` may go on with this (Proxy-)Authorization.

        ``is_open``: networks that need no password need none here; an API key counts all the same.
        """
        is_key = bool(self._keys and credentials and credentials[:7].lower() == "bearer ")
        if is_open and not is_key and self._is_open_to(client):
            return Admitted()
        if credentials is None or len(credentials) > _MAX_HEADER:
            return Denied()
        digest = hashlib.blake2b(credentials.encode("utf-8", "replace"), key=self._key).digest()
        known = self._accepted.get(digest)
        return known if known is not None else await self._try(client, credentials, digest)

    async def _try(self, client: str, credentials: str, digest: bytes) -> Admitted | Denied:
        task = self._verifying.get(digest)
        if task is None:
            failures = self._failures.get(network_of(client), 0)
            if failures >= _FREE_TRIES:
                return Denied(wait=int(_FORGIVEN_AFTER))
            if len(self._verifying) >= MOST_VERIFYING:
                return Denied(wait=_BUSY_WAIT)
            self._failures[network_of(client)] = failures + 1  # before the wait: a burst counts too
            task = self._start(credentials, digest)
            await self.notify([network_of(client), failures + 1])
        admitted = await asyncio.shield(task)
        if admitted is None:
            return Denied()
        if self._failures.pop(network_of(client), None):
            await self.notify([network_of(client), 0])
        return admitted

    def _start(self, credentials: str, digest: bytes) -> asyncio.Task[Admitted | None]:
        """Verify once for all requests that a browser sends with the same credentials at once."""
        task = asyncio.ensure_future(self._verify(credentials, digest))
        self._verifying[digest] = task
        task.add_done_callback(lambda _: self._verifying.pop(digest, None))
        task.add_done_callback(log_failure)
        return task

    async def _verify(self, credentials: str, digest: bytes) -> Admitted | None:
        name, secret, is_key = _parsed(credentials)
        known = self._keys if is_key else self.users
        async with self._one_at_a_time:  # guessing must not take every core
            expected = known.get(name) or await self._decoy_hash()
            is_right = await asyncio.to_thread(expected.matches, secret)
        if not is_right or name not in known:
            return None
        self._accepted[digest] = admitted = Admitted(name, is_key)
        return admitted

    async def _decoy_hash(self) -> PasswordHash:
        """What an unknown name is tried against, so that it takes as long as a known one."""
        if self._decoy is None:
            self._decoy = await asyncio.to_thread(hash_password, secrets.token_hex())
        return self._decoy


def _parsed(credentials: str) -> tuple[str, str, bool]:
    """Name, secret and whether it is an API key (RFC 6750) rather than a password (RFC 7617)."""
    scheme, _, token = credentials.partition(" ")
    if scheme.lower() == "bearer":
        name, _, secret = token.strip().partition(".")
        return name, secret, True
    return (*_basic(credentials), False)


def _basic(credentials: str) -> tuple[str, str]:
    """Name and password; empty ones if the header is none of Basic."""
    scheme, _, encoded = credentials.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        text = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    name, _, password = text.partition(":")
    return name, password
