"""Passwords as they are kept: hashed by scrypt (RFC 7914), one ``NAME:HASH`` a user.

Knows how to make and verify a hash, both slow on purpose (some 50 ms); refuses to know requests.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass


class AccessError(Exception):
    """Whatever this package raises. The client's fault, or that of whoever set it up."""


class PasswordError(AccessError):
    """A line with a hashed password cannot be read. The configuration's fault."""


_COST = 2**14
_BLOCK = 8
_LANES = 1
_MAX_COST = 2**20
_SIZE = 32


@dataclass(frozen=True, slots=True)
class PasswordHash:
    """A password's scrypt hash and what is needed to make it again."""

    cost: int
    block: int
    lanes: int
    salt: bytes
    digest: bytes

    def __str__(self) -> str:
        salt, digest = (b64encode(part).decode() for part in (self.salt, self.digest))
        return f"scrypt${self.cost}${self.block}${self.lanes}${salt}${digest}"

    def matches(self, password: str) -> bool:
        """Whether ``password`` is the one that was hashed. Slow: call it off the event loop."""
        again = _scrypt(password, self.salt, self.cost, self.block, self.lanes)
        return hmac.compare_digest(again, self.digest)


def hash_password(password: str) -> PasswordHash:
    """A new hash of ``password`` with a salt of its own. Slow: call it off the event loop."""
    salt = secrets.token_bytes(16)
    return PasswordHash(_COST, _BLOCK, _LANES, salt, _scrypt(password, salt, _COST, _BLOCK, _LANES))


def read_hash(text: str) -> PasswordHash:
    """Read what ``str(Hash)`` wrote; raises ``PasswordError``, which never shows the hash."""
    try:
        scheme, cost, block, lanes, salt, digest = text.split("$")
        read = PasswordHash(int(cost), int(block), int(lanes), _base64(salt), _base64(digest))
    except ValueError as error:
        raise PasswordError("A password's hash is damaged: make it anew.") from error
    bounds_hold = 1 < read.cost <= _MAX_COST and 0 < read.block <= 32 and 0 < read.lanes <= 16
    if scheme != "scrypt" or not bounds_hold or len(read.digest) != _SIZE:
        raise PasswordError("A password's hash is not one of ours: make it anew.")
    return read


def read_users(lines: Iterable[str]) -> dict[str, PasswordHash]:
    """Users by name, from lines ``NAME:HASH``. Raises ``PasswordError`` naming the user."""
    users: dict[str, PasswordHash] = {}
    for line in lines:
        name, colon, text = line.strip().partition(":")
        if not name or not colon:
            raise PasswordError("A user is written NAME:HASH, as `winnow password NAME` prints it.")
        try:
            users[name] = read_hash(text)
        except PasswordError as error:
            raise PasswordError(f"User {name}: {error}") from error
    return users


def _base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except Base64Error as error:
        raise ValueError(text) from error


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    memory = 256 * cost * block + 2**20
    secret = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=block, p=lanes, maxmem=memory, dklen=_SIZE)
