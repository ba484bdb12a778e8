"""Browser extensions that readers paired with Winnow: origin, owner and digest of the key. Pure."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

MOST_PAIRED: Final = 10
"""Of one owner; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class PairedExtension:
    """``owner`` is RequestHead.owner, ``digest`` that of the key, ``since`` an ISO 8601 date."""

    origin: str
    owner: str
    digest: str
    since: str


Paired = tuple[PairedExtension, ...]


def digest_of(key: str) -> str:
    """Keys are random, 256 bits: one round of SHA-256 is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def holder(paired: Paired, origin: str, key: str) -> PairedExtension | None:
    """The pairing of an origin that holds the key."""
    digest = digest_of(key)
    found = (each for each in paired if each.origin == origin)
    return next((each for each in found if hmac.compare_digest(each.digest, digest)), None)


def of_owner(paired: Paired, owner: str) -> Paired:
    """An owner's pairings, the latest last."""
    return tuple(each for each in paired if each.owner == owner)


def with_extension(paired: Paired, new: PairedExtension) -> Paired:
    """The next value; an origin that is paired again gets another key."""
    others = without_extension(paired, new.owner, new.origin)
    kept = of_owner(others, new.owner)[1 - MOST_PAIRED :]
    return (*_without(others, new.owner), *kept, new)


def without_extension(paired: Paired, owner: str, origin: str) -> Paired:
    """The next value, without an owner's pairing of an origin."""
    return tuple(each for each in paired if (each.owner, each.origin) != (owner, origin))


def _without(paired: Iterable[PairedExtension], owner: str) -> Paired:
    return tuple(each for each in paired if each.owner != owner)
