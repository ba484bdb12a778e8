"""Header fields as an immutable value; knows their syntax, refuses to know what any of them means.

Names and values are ``str`` decoded as Latin-1, so that every byte survives the way through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

Field = tuple[str, str]


@dataclass(frozen=True)
class Headers:
    """An ordered list of fields with case-insensitive look-up (RFC 9110, section 5)."""

    fields: tuple[Field, ...] = ()

    @classmethod
    def from_raw(cls, raw: Iterable[tuple[bytes, bytes]]) -> Headers:
        return cls(tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw))

    @cached_property
    def _index(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for name, value in self.fields:
            index.setdefault(name.lower(), []).append(value)
        return index

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._index

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field, or ``default``."""
        values = self._index.get(name.lower())
        return values[0] if values else default

    def every(self, name: str) -> tuple[str, ...]:
        return tuple(self._index.get(name.lower(), ()))

    def joined(self, name: str) -> str:
        """All values of a list field as one (RFC 9110, section 5.3)."""
        return ", ".join(self._index.get(name.lower(), ()))

    def items(self, name: str) -> tuple[str, ...]:
        """The members of a list field without quoted commas, lower case, empty ones dropped."""
        return tuple(
            item for part in self.joined(name).split(",") if (item := part.strip().lower())
        )

    def without(self, names: Iterable[str]) -> Headers:
        gone = {name.lower() for name in names}
        return Headers(tuple(field for field in self.fields if field[0].lower() not in gone))

    def plus(self, *fields: Field) -> Headers:
        return Headers(self.fields + fields)

    def replaced(self, *fields: Field) -> Headers:
        """These fields instead of all of the same names."""
        return self.without(name for name, _ in fields).plus(*fields)

    def serialise(self) -> bytes:
        return "".join(f"{name}: {value}\r\n" for name, value in self.fields).encode("latin-1")


HOP_BY_HOP = frozenset(
    {
        "connection",
        "proxy-connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-authentication-info",
    }
)
"""Fields of one connection only (RFC 9110, section 7.6.1)."""

END_TO_END = frozenset({"host", "content-length", "cache-control", "date", "via"})
"""Fields that Connection may not make hop-by-hop: dropping them would change the message."""


def hop_by_hop(headers: Headers) -> frozenset[str]:
    """The names that end at this hop: the known ones and those listed in Connection."""
    named = set(headers.items("connection")) | set(headers.items("proxy-connection"))
    return HOP_BY_HOP | (named - END_TO_END)


def end_to_end(headers: Headers) -> Headers:
    """The fields that travel on (RFC 9110, section 7.6.1)."""
    return headers.without(hop_by_hop(headers))


def media_type(headers: Headers) -> str:
    """The type of Content-Type, lower case, without parameters."""
    return headers.get("content-type").split(";", 1)[0].strip().lower()


def parameter(value: str, name: str) -> str | None:
    """A parameter of a field value such as ``text/html; charset="utf-8"``, unquoted."""
    for part in value.split(";")[1:]:
        key, equals, rest = part.partition("=")
        if equals and key.strip().lower() == name:
            return rest.strip().strip("\"'") or None
    return None
