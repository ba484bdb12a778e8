"""Files that a browser saves, each under a name that tells what it is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from winnow.proxy.caching.conditions import wanted_range
from winnow.proxy.http.headers import Headers
from winnow.proxy.own.router import OwnResponse

_LONGEST: Final = 80
_UNFIT: Final = re.compile(r"[^\w.-]+")


def file_name(title: str, otherwise: str = "page") -> str:
    """A name for a file on any system, without its ending."""
    return _UNFIT.sub("-", title)[:_LONGEST].strip("-._").lower() or otherwise


def file_response(body: bytes, media_type: str, name: str) -> OwnResponse:
    """``name`` is as ``file_name`` makes them; see RFC 6266, section 4.3, on other letters."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    said = f'attachment; filename="{plain}"'
    said += "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return OwnResponse(body, media_type, fields=(("Content-Disposition", said),))


def in_ranges(response: OwnResponse, request: Headers) -> OwnResponse:
    """The part of a finished file that a request asks for (RFC 9110, section 14).

    A player finds the length of the sound by it, and goes to any place.
    """
    size, tag = len(response.body), f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    fields = (*response.fields, ("Accept-Ranges", "bytes"), ("ETag", tag))
    holds = request.get("if-range").strip() in ("", tag)
    found = wanted_range(request.get("range"), size) if holds else None
    if found is None:
        return replace(response, fields=fields)
    first, last = found
    if first > last:
        fields = (*fields, ("Content-Range", f"bytes */{size}"))
        return replace(response, body=b"", status=416, fields=fields)
    fields = (*fields, ("Content-Range", f"bytes {first}-{last}/{size}"))
    return replace(response, body=response.body[first : last + 1], status=206, fields=fields)
