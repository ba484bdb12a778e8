"""Admits clients by address, password (RFC 7617) or API key (RFC 6750), and slows down guessing."""

from __future__ import annotations

import asyncio
import binascii
import hashlib
import secrets
import time
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cachetools import TTLCache

from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.client_networks import open_to
from winnow.proxy.access.credentials.passwords import PasswordHash, hash_password
from winnow.proxy.access.requester import log_failure, network_of
from winnow.proxy.stores.notices import Notify, notify_nobody

_MAX_HEADER = 1024
_CACHED = 4096
_ACCEPTED_FOR = 600.0
_FREE_TRIES = 5
MOST_VERIFYING = 64
"""Queued verifications; they run one after the other, some 50 ms each."""
_BUSY_WAIT = 60
_FORGIVEN_AFTER = 300.0


@dataclass(frozen=True, slots=True)
class Admitted:
    """``user`` is "" for a client that needs no password; ``by_key``: by an API key."""

    user: str = ""
    by_key: bool = False


@dataclass(frozen=True, slots=True)
class Denied:
    """``wait``: seconds until the next credentials are read, 0 for at once."""

    wait: int = 0


class Authenticator:
    """Decides who may use the proxy.

    Browsers send a password with each request and scrypt is slow, so right ones are cached for ten
    minutes by a keyed digest. After five failures from one address (one /64 of IPv6) credentials
    from there that are not cached are refused unread for five minutes.
    """

    def __init__(
        self,
        users: Mapping[str, PasswordHash],
        networks: tuple[Network, ...],
        clock: Callable[[], float] = time.monotonic,
        keys: Mapping[str, PasswordHash] | None = None,
    ) -> None:
        """``keys`` are API keys by their names (RFC 6750: ``Bearer NAME.SECRET``)."""
        self.users, self.keys, self.networks = users, keys or {}, networks
        self._is_open_to = open_to(networks)
        self._clock = clock
        self._key = secrets.token_bytes(32)
        self._accepted: TTLCache[bytes, Admitted] = TTLCache(_CACHED, _ACCEPTED_FOR, clock)
        self._failures: TTLCache[str, int] = TTLCache(_CACHED, _FORGIVEN_AFTER, clock)
        self._decoy: PasswordHash | None = None
        self._verifying: dict[bytes, asyncio.Task[Admitted | None]] = {}
        self._one_at_a_time = asyncio.Semaphore(1)
        self.notify: Notify = notify_nobody
        """Awaited with a network and its new number of failures, for other processes."""

    def on_notify(self, change: Sequence[str | int]) -> None:
        """Take over what another process passed to ``notify``."""
        network, failures = str(change[0]), int(change[1])
        if failures:
            self._failures[network] = max(failures, self._failures.get(network, 0))
        else:
            self._failures.pop(network, None)

    async def admit(
        self, client: str, credentials: str | None, *, is_open: bool = True
    ) -> Admitted | Denied:
        """Check a (Proxy-)Authorization field of the client at an address.

        ``is_open``: whether the open networks apply; an API key is checked in any case.
        """
        is_key = bool(self.keys and credentials and is_api_key(credentials))
        if is_open and not is_key and self._is_open_to(client):
            return Admitted()
        if credentials is None or len(credentials) > _MAX_HEADER:
            return Denied()
        digest = hashlib.blake2b(credentials.encode("utf-8", "replace"), key=self._key).digest()
        cached = self._accepted.get(digest)
        return cached if cached is not None else await self._try(client, credentials, digest)

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
        """Verify once for all concurrent requests with the same credentials."""
        task = asyncio.ensure_future(self._verify(credentials, digest))
        self._verifying[digest] = task
        task.add_done_callback(lambda _: self._verifying.pop(digest, None))
        task.add_done_callback(log_failure)
        return task

    async def _verify(self, credentials: str, digest: bytes) -> Admitted | None:
        name, secret, is_key = _parsed(credentials)
        hashes = self.keys if is_key else self.users
        async with self._one_at_a_time:  # guessing must not take every core
            expected = hashes.get(name) or await self._decoy_hash()
            is_right = await asyncio.to_thread(expected.matches, secret)
        if not is_right or name not in hashes:
            return None
        self._accepted[digest] = admitted = Admitted(name, is_key)
        return admitted

    async def _decoy_hash(self) -> PasswordHash:
        """Verified for an unknown name, so that it takes as long as any other."""
        if self._decoy is None:
            self._decoy = await asyncio.to_thread(hash_password, secrets.token_hex())
        return self._decoy


def is_api_key(credentials: str) -> bool:
    """Whether credentials are of the scheme by which API keys are sent (RFC 6750)."""
    return credentials[:7].lower() == "bearer "


def _parsed(credentials: str) -> tuple[str, str, bool]:
    """Name, secret, and whether it is an API key rather than a password."""
    scheme, _, token = credentials.partition(" ")
    if scheme.lower() == "bearer":
        name, _, secret = token.strip().partition(".")
        return name, secret, True
    return (*credentials_in(credentials), False)


def credentials_in(credentials: str) -> tuple[str, str]:
    """Name and password; empty ones if the field is malformed."""
    scheme, _, encoded = credentials.partition(" ")
    if scheme.lower() != "basic":
        return "", ""
    try:
        text = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    name, _, password = text.partition(":")
    return name, password
