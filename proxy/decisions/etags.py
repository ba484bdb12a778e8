"""Validators of a transformed page, made of the origin's so that no state is needed to check them.

A page's own ETag holds the origin's validator and a digest of how it was transformed. When a client
shows it again, the origin is asked with its own validator; its 304 then holds for our page too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from winnow.proxy.http.headers import Headers

CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_OURS = re.compile(r"winnow-([emb])-([0-9a-f]{12})-([A-Za-z0-9_-]*)\Z")


@dataclass(frozen=True, slots=True)
class Validator:
    """``kind`` is ``e`` for the origin's ETag, ``m`` for its Last-Modified, ``b`` for our body."""

    kind: str
    value: str


def validator_of(reply: Headers) -> Validator | None:
    """The origin's strongest validator (RFC 9110, section 8.8), None if it sent none."""
    if reply.get("etag"):
        return Validator("e", reply.get("etag"))
    if reply.get("last-modified"):
        return Validator("m", reply.get("last-modified"))
    return None


def of_body(body: bytes) -> Validator:
    """For an origin that sends no validator: our own body's digest."""
    return Validator("b", hashlib.sha256(body).hexdigest()[:24])


def derived(validator: Validator, mark: str) -> str:
    """Our ETag. It is weak: the same page may be coded as br and as gzip."""
    packed = base64.urlsafe_b64encode(validator.value.encode("latin-1")).decode().rstrip("=")
    return f'W/"winnow-{validator.kind}-{mark}-{packed}"'


def read(field: str, mark: str) -> tuple[Validator, ...]:
    """The validators in an If-None-Match field that are ours and of the same mark."""
    found = []
    for opaque in _TAG.findall(field):
        match = _OURS.match(opaque)
        if match and match[2] == mark:
            found += _unpacked(match[1], match[3])
    return tuple(found)


def _unpacked(kind: str, packed: str) -> list[Validator]:
    try:
        value = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode("latin-1")
    except (binascii.Error, ValueError):
        return []
    harmless = value.isprintable() and len(value) < 1024
    return [Validator(kind, value)] if harmless else []


def origins_conditions(headers: Headers, mark: str) -> Headers:
    """The request with conditions on the origin's page instead of those on ours.

    Validators of anything else are dropped: a 304 to them would show a page made in another way.
    """
    if CONDITIONS.isdisjoint(headers.by_name):
        return headers
    validators = read(headers.joined("if-none-match"), mark)
    tags = ", ".join(item.value for item in validators if item.kind == "e")
    dates = [item.value for item in validators if item.kind == "m"]
    asked = headers.without(CONDITIONS)
    if tags:
        return asked.plus(("If-None-Match", tags))
    return asked.plus(("If-Modified-Since", dates[0])) if dates else asked


def without_ours(headers: Headers) -> Headers:
    """The request without the entity tags of reader pages, which no origin knows.

    If nothing else was in If-None-Match, If-Modified-Since goes too: it did not count beside it
    (RFC 9110, section 13.1.3), and the origin's 304 would keep the reader page on the screen.
    """
    field = headers.joined("if-none-match")
    if "winnow-" not in field:
        return headers
    others = [tag[0] for tag in _TAG.finditer(field) if not _OURS.match(tag[1])]
    asked = headers.without(CONDITIONS)
    return asked.plus(("If-None-Match", ", ".join(others))) if others else asked


def matches(headers: Headers, validator: Validator, mark: str) -> bool:
    """Whether the client has this very page already."""
    return validator in read(headers.joined("if-none-match"), mark)
