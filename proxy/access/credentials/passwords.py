"""Password hashes by scrypt (RFC 7914), which take some 50 ms; users as lines ``NAME:HASH``."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass


class PasswordError(Exception):
    """A line of the settings with a password hash is malformed."""


_COST = 2**14
_BLOCK = 8
_LANES = 1
_MAX_COST = 2**20
_SIZE = 32


@dataclass(frozen=True, slots=True)
class PasswordHash:
    """A password's scrypt hash and its parameters."""

    cost: int
    block: int
    lanes: int
    salt: bytes
    digest: bytes

    def __str__(self) -> str:
        salt, digest = (b64encode(part).decode() for part in (self.salt, self.digest))
        return f"scrypt${self.cost}${self.block}${self.lanes}${salt}${digest}"

    def matches(self, password: str) -> bool:
        """Whether ``password`` has this hash. Slow: call it off the event loop."""
        digest = _scrypt(password, self.salt, self.cost, self.block, self.lanes)
        return hmac.compare_digest(digest, self.digest)


def hash_password(password: str) -> PasswordHash:
    """A hash of ``password`` with a new salt. Slow: call it off the event loop."""
    salt = secrets.token_bytes(16)
    return PasswordHash(_COST, _BLOCK, _LANES, salt, _scrypt(password, salt, _COST, _BLOCK, _LANES))


def read_hash(text: str) -> PasswordHash:
    """Parse ``str(PasswordHash)``. Raises ``PasswordError``, which does not show the hash."""
    try:
        scheme, cost, block, lanes, salt, digest = text.split("$")
        read = PasswordHash(int(cost), int(block), int(lanes), _base64(salt), _base64(digest))
    except ValueError as error:
        raise PasswordError(
            "A password's hash is damaged: create a new one by `winnow password`."
        ) from error
    bounds_hold = 1 < read.cost <= _MAX_COST and 0 < read.block <= 32 and 0 < read.lanes <= 16
    if scheme != "scrypt" or not bounds_hold or len(read.digest) != _SIZE:
        raise PasswordError(
            "A password's hash is not Winnow's: create a new one by `winnow password`."
        )
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
