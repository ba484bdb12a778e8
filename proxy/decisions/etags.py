"""Validators of a transformed page, made of the origin's so that checking them needs no state.

Our ETag holds the origin's validator and a digest of how the page was transformed. The origin gets
its own validator back from it; its 304 then holds for our page too.
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
_OURS = re.compile(r"winnow-([emb])(t?)-([0-9a-f]{12})-([A-Za-z0-9_-]*)\Z")


@dataclass(frozen=True, slots=True)
class Validator:
    """``kind`` is ``e`` for the origin's ETag, ``m`` for its Last-Modified, ``b`` for our body.

    ``tidied``: it stands for the page's own markup, tidied.
    """

    kind: str
    value: str
    tidied: bool = False


def validator_of(reply: Headers) -> Validator | None:
    """The origin's strongest validator (RFC 9110, section 8.8), if any."""
    if reply.get("etag"):
        return Validator("e", reply.get("etag"))
    if reply.get("last-modified"):
        return Validator("m", reply.get("last-modified"))
    return None


def of_body(body: bytes) -> Validator:
    """The validator of an origin that sends none: a digest of our body."""
    return Validator("b", hashlib.sha256(body).hexdigest()[:24])


def derived(validator: Validator, mark: str) -> str:
    """Our ETag. It is weak: the same page may be coded as br and as gzip."""
    packed = base64.urlsafe_b64encode(validator.value.encode("latin-1")).decode().rstrip("=")
    kind = f"{validator.kind}t" if validator.tidied else validator.kind
    return f'W/"winnow-{kind}-{mark}-{packed}"'


def read(field: str, mark: str) -> tuple[Validator, ...]:
    """The validators in an If-None-Match field that are ours and of the same mark."""
    found = []
    for opaque in _TAG.findall(field):
        match = _OURS.match(opaque)
        if match and match[3] == mark:
            found += _unpacked(match[1], match[4], tidied=bool(match[2]))
    return tuple(found)


def _unpacked(kind: str, packed: str, *, tidied: bool) -> list[Validator]:
    try:
        value = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode("latin-1")
    except (binascii.Error, ValueError):
        return []
    harmless = value.isprintable() and len(value) < 1024
    return [Validator(kind, value, tidied)] if harmless else []


def origins_conditions(headers: Headers, mark: str) -> Headers:
    """The request with conditions on the origin's page instead of those on ours.

    Other validators are dropped: a 304 to them would show a page rendered otherwise.
    """
    if CONDITIONS.isdisjoint(headers.by_name):
        return headers
    validators = read(headers.joined("if-none-match"), mark)
    tags = ", ".join(item.value for item in validators if item.kind == "e")
    dates = [item.value for item in validators if item.kind == "m"]
    rest = headers.without(CONDITIONS)
    if tags:
        return rest.plus(("If-None-Match", tags))
    return rest.plus(("If-Modified-Since", dates[0])) if dates else rest


def without_ours(headers: Headers) -> Headers:
    """The request without the entity tags of reader pages, which no origin knows.

    If nothing else was in If-None-Match, If-Modified-Since goes too: it did not count beside it
    (RFC 9110, section 13.1.3), and the origin's 304 would keep the reader page on the screen.
    """
    field = headers.joined("if-none-match")
    if "winnow-" not in field:
        return headers
    others = [tag[0] for tag in _TAG.finditer(field) if not _OURS.match(tag[1])]
    rest = headers.without(CONDITIONS)
    return rest.plus(("If-None-Match", ", ".join(others))) if others else rest


def matches(headers: Headers, validator: Validator | None, mark: str) -> bool:
    """Whether the client has this page already; ``*`` is any (RFC 9110, section 13.1.2)."""
    listed = headers.joined("if-none-match")
    return listed.strip() == "*" or validator in read(listed, mark)
