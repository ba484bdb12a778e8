"""The messages of ICAP (RFC 3507): a head, the heads of HTTP in it, and what is answered. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import field_lines
from winnow.proxy.http.proxy_errors import ProxyError

PHRASES: Final = {
    100: "Continue",
    200: "OK",
    204: "No Content",
    400: "Bad Request",
    403: "Forbidden",
    404: "Service Not Found",
    405: "Method Not Allowed",
    503: "Service Overloaded",
    505: "ICAP Version Not Supported",
}
PREVIEW: Final = 1024
_LINE: Final = re.compile(r"([A-Z]+) icaps?://[^/ ]+(/[^ ?]*)(?:\?[^ ]*)? ICAP/(\d\.\d)\r\n")
_FIELD: Final = re.compile(
    r"\n([!#$%&'*+\-.^_`|~0-9A-Za-z]++):[ \t]*+([^\x00-\x08\x0a-\x1f\x7f]*+)\r(?=\n)"
)
_PARTS: Final = re.compile(r"(req-hdr|res-hdr|req-body|res-body|opt-body|null-body)=(\d{1,7})\Z")


class IcapError(ProxyError):
    """The request cannot be served; ``status`` is ICAP's."""

    def __init__(self, status: int) -> None:
        super().__init__(PHRASES[status])
        self.status = status


@dataclass(frozen=True, slots=True)
class IcapRequest:
    """``parts``: the names of what is encapsulated, and where each begins, in order."""

    method: str
    service: str
    fields: Headers
    parts: tuple[tuple[str, int], ...]

    @property
    def has_body(self) -> bool:
        return bool(self.parts) and self.parts[-1][0] != "null-body"

    @property
    def heads(self) -> int:
        """Bytes of the heads of HTTP, which stand before the body."""
        return self.parts[-1][1] if self.parts else 0

    def head(self, name: str, block: bytes) -> bytes:
        """The head of HTTP of this name, b"" for none."""
        ends = [offset for _, offset in self.parts[1:]]
        found = (
            block[at:end] for (part, at), end in zip(self.parts, ends, strict=False) if part == name
        )
        return next(found, b"")

    @property
    def previews(self) -> bool:
        return "preview" in self.fields

    @property
    def takes_204(self) -> bool:
        return self.previews or "204" in self.fields.items("allow")

    @property
    def persists(self) -> bool:
        return "close" not in self.fields.items("connection")


def parse_icap(block: bytes) -> IcapRequest:
    """A head with its empty line. Raises IcapError."""
    text = block.decode("latin-1")
    line = _LINE.match(text)
    if not line:
        raise IcapError(400)
    if line[3] != "1.0":
        raise IcapError(505)
    fields = Headers(tuple(_FIELD.findall(text, line.end() - 1)))
    if len(fields.fields) + 2 != text.count("\n"):
        raise IcapError(400)
    return IcapRequest(line[1], line[2], fields, _encapsulated(fields.items("encapsulated")))


def _encapsulated(items: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """In rising order from 0, a body or none at the end (RFC 3507, section 4.4.1)."""
    found = [_PARTS.match(each) for each in items]
    parts = [(each[1], int(each[2])) for each in found if each]
    offsets = [at for _, at in parts]
    ends = [name.endswith("-body") for name, _ in parts]
    whole = (
        len(parts) == len(items) and offsets == sorted(set(offsets)) and offsets[:1] in ([], [0])
    )
    if not whole or any(ends[:-1]) or not all(ends[-1:]):
        raise IcapError(400)
    return tuple(parts)


def icap_head(status: int, tag: str, *fields: Field) -> bytes:
    """A response's status line and fields, with the empty line. Raises MalformedHeadError."""
    line = f"ICAP/1.0 {status} {PHRASES[status]}\r\n".encode()
    tagged = () if status == 100 else (("ISTag", f'"{tag}"'),)
    return line + field_lines(Headers((*tagged, *fields)))


def options(method: str, tag: str, connections: int) -> bytes:
    """What a service offers (RFC 3507, section 4.10.2)."""
    limit = (("Max-Connections", str(connections)),) if connections else ()
    return icap_head(
        200,
        tag,
        ("Methods", method),
        ("Service", "Winnow"),
        ("Allow", "204"),
        ("Preview", str(PREVIEW if method == "RESPMOD" else 0)),
        ("Transfer-Preview", "*"),
        ("Options-TTL", "3600"),
        *limit,
        ("Encapsulated", "null-body=0"),
    )
