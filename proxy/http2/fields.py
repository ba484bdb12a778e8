"""Header fields of HTTP/2 streams (RFC 9113, section 8), to and from those of HTTP/1. Pure.

What is malformed raises MalformedFieldsError, so nothing that HTTP/1 could read in two ways is ever
translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hpack import HeaderTuple, NeverIndexedHeaderTuple

from winnow.proxy.http.headers import HOP_BY_HOP, Field, Headers
from winnow.proxy.http.proxy_errors import MalformedHeadError, ProxyError

RawFields = Iterable[tuple[bytes, bytes]]

_NAME: Final = re.compile(rb"[!#$%&'*+\-.^_`|~0-9a-z]+\Z")
_VALUE: Final = re.compile(rb"(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?\Z")
_METHOD: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_PATH: Final = re.compile(r"(?:/[!-~]*|\*)\Z")
_AUTHORITY: Final = re.compile(r"[0-9A-Za-z.\-_~!$&'()*+,;=%:\[\]]+\Z")
_DIGITS: Final = re.compile(r"[0-9]+\Z")
FORBIDDEN: Final = frozenset(
    {b"connection", b"proxy-connection", b"keep-alive", b"transfer-encoding", b"upgrade"}
)
"""Fields of one HTTP/1 connection (RFC 9113, section 8.2.2)."""
_OF_REQUESTS: Final = frozenset({b":method", b":scheme", b":authority", b":path", b":protocol"})
_OF_RESPONSES: Final = frozenset({b":status"})
_NOT_SENT: Final = (HOP_BY_HOP | {"host", "http2-settings"}) - {"te", "proxy-authorization"}
_SECRET: Final = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
"""Fields that are never indexed: clients share connections to origins (RFC 7541, section 7.1)."""


def section_size(raw: RawFields) -> int:
    """Bytes as RFC 9113, section 6.5.2, counts them."""
    return sum([len(name) + len(value) + 32 for name, value in raw])


class MalformedFieldsError(ProxyError):
    """A field section that RFC 9113, section 8, calls malformed. Quotes nothing."""

    status = 400
    reason = "malformed-request"


def parse_section(raw: RawFields, allowed: frozenset[bytes]) -> tuple[dict[str, str], Headers]:
    """Pseudo-header fields of ``allowed`` by name, and the other fields.

    Several Cookie fields become one (section 8.2.3). Raises MalformedFieldsError.
    """
    pseudo: dict[str, str] = {}
    fields: list[Field] = []
    cookies: list[str] = []
    for name, value in raw:
        if not _VALUE.match(value):
            raise MalformedFieldsError("A field value is malformed.")
        text = value.decode("latin-1")
        if name[:1] == b":":
            if name not in allowed or fields or cookies or name.decode() in pseudo:
                raise MalformedFieldsError("A pseudo-header field is unknown, late or repeated.")
            pseudo[name.decode()] = text
        elif not _NAME.match(name) or name in FORBIDDEN:
            raise MalformedFieldsError("A field name is malformed or of HTTP/1 alone.")
        elif name == b"cookie":
            cookies.append(text)
        elif name == b"te" and text.lower() != "trailers":
            raise MalformedFieldsError("TE has other values than trailers.")
        else:
            fields.append((name.decode(), text))
    if cookies:
        fields.append(("cookie", "; ".join(cookies)))
    return pseudo, Headers(tuple(fields))


def parse_request(raw: RawFields) -> tuple[dict[str, str], Headers]:
    """Pseudo-header fields, ``:authority`` always, and the others without Host.

    Raises MalformedFieldsError.
    """
    pseudo, headers = parse_section(raw, _OF_REQUESTS)
    if not _METHOD.match(pseudo.get(":method", "")):
        raise MalformedFieldsError("The method is malformed.")
    _check_target(pseudo)
    pseudo[":authority"] = _authority(pseudo.get(":authority"), headers.every("host"))
    lengths = headers.every("content-length")
    if len(lengths) > 1 or not all(map(_DIGITS.match, lengths)):
        raise MalformedFieldsError("Content-Length is malformed.")
    return pseudo, headers.without(("host",))


def _check_target(pseudo: dict[str, str]) -> None:
    is_tunnel = pseudo[":method"] == "CONNECT" and ":protocol" not in pseudo
    if is_tunnel:
        if ":scheme" in pseudo or ":path" in pseudo:
            raise MalformedFieldsError("CONNECT has a scheme or a path.")
        return
    if ":protocol" in pseudo and pseudo[":method"] != "CONNECT":
        raise MalformedFieldsError("A request but CONNECT has a protocol.")
    if pseudo.get(":scheme") not in ("http", "https"):
        raise MalformedFieldsError("The scheme is not http or https.")
    path = pseudo.get(":path", "")
    if not _PATH.match(path) or (path == "*" and pseudo[":method"] != "OPTIONS"):
        raise MalformedFieldsError("The path is malformed.")


def _authority(authority: str | None, hosts: tuple[str, ...]) -> str:
    """The one authority that ``:authority`` and Host name (section 8.3.1)."""
    named = {each.lower() for each in (authority, *hosts) if each is not None}
    if len(named) != 1 or len(hosts) > 1:
        raise MalformedFieldsError("The request names no host, or two.")
    text = authority if authority is not None else hosts[0]
    if not _AUTHORITY.match(text):
        raise MalformedFieldsError("The authority is malformed.")
    return text


def parse_response(raw: RawFields) -> tuple[int, Headers]:
    """Status and fields. Raises MalformedFieldsError."""
    pseudo, headers = parse_section(raw, _OF_RESPONSES)
    status = pseudo.get(":status", "")
    if len(status) != 3 or not _DIGITS.match(status) or status < "100" or status == "101":
        raise MalformedFieldsError("The status is malformed, or 101, which HTTP/2 has not (8.6).")
    return int(status), headers


def parse_trailers(raw: RawFields) -> Headers:
    """The fields of a trailer section, which has no pseudo-header field.

    Raises MalformedFieldsError.
    """
    return parse_section(raw, frozenset())[1]


def section(pseudo: Iterable[Field], headers: Headers) -> list[HeaderTuple]:
    """A field section to be sent: without what belongs to one HTTP/1 connection, in lower case.

    Raises MalformedHeadError.
    """
    listed = headers.items("connection")
    removed = (_NOT_SENT.union(listed) - {"te"}) if listed else _NOT_SENT
    section = [_coded(name, value) for name, value in pseudo]
    section += [
        _coded(lower, value.strip(" \t"))
        for name, value in headers.fields
        if (lower := name.lower()) not in removed
    ]
    if not all(_NAME.match(name) or name[:1] == b":" for name, _ in section):
        raise MalformedHeadError("A field name would have been malformed.")
    return section


def _coded(name: str, value: str) -> HeaderTuple:
    try:
        coded = value.encode("latin-1")
    except UnicodeEncodeError as error:
        raise MalformedHeadError("A header field would have held more than bytes.") from error
    if not _VALUE.match(coded):
        raise MalformedHeadError("A header field would have held a control character.")
    kind = NeverIndexedHeaderTuple if name in _SECRET else HeaderTuple
    return kind(name.encode(), coded)
