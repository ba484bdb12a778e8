"""Header fields as an immutable value; knows their syntax, refuses to know what any of them means.

Names and values are ``str`` decoded as Latin-1, so that every byte survives the way through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from winnow.proxy.http.lru import of_text

Field = tuple[str, str]


class Headers:
    """An ordered list of fields with case-insensitive look-up (RFC 9110, section 5).

    Never changes. Every request makes a dozen of these, so they are made and asked with as few
    steps as can be: names are put in lower case once, when somebody first asks, and what is made
    of headers that were asked takes over what they know.
    """

    __slots__ = ("_index", "fields")

    def __init__(self, fields: tuple[Field, ...] = ()) -> None:
        self.fields: Final = fields
        self._index: dict[str, list[str]] | None = None

    @classmethod
    def from_raw(cls, raw: Iterable[tuple[bytes, bytes]]) -> Headers:
        return cls(tuple([(str(name, "latin-1"), str(value, "latin-1")) for name, value in raw]))

    @property
    def by_name(self) -> dict[str, list[str]]:
        """The values of each field by its name in lower case; not to be changed."""
        return self._index if self._index is not None else self._read()

    def _read(self) -> dict[str, list[str]]:
        index = {name.lower(): [value] for name, value in self.fields}
        if len(index) < len(self.fields):  # some name stands there twice
            index = {}
            for name, value in self.fields:
                index.setdefault(name.lower(), []).append(value)
        self._index = index
        return index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Headers) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.fields)

    def __repr__(self) -> str:
        return f"Headers({self.fields!r})"

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __contains__(self, name: object) -> bool:
        index = self._index if self._index is not None else self._read()
        return isinstance(name, str) and name.lower() in index

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field, or ``default``."""
        index = self._index if self._index is not None else self._read()
        values = index.get(name.lower())
        return values[0] if values else default

    def every(self, name: str) -> tuple[str, ...]:
        return tuple(self.by_name.get(name.lower(), ()))

    def joined(self, name: str) -> str:
        """All values of a list field as one (RFC 9110, section 5.3)."""
        index = self._index if self._index is not None else self._read()
        values = index.get(name.lower())
        return ", ".join(values) if values else ""

    def items(self, name: str) -> tuple[str, ...]:
        """The members of a list field without quoted commas, lower case, empty ones dropped."""
        index = self._index if self._index is not None else self._read()
        values = index.get(name.lower())
        return _members(", ".join(values)) if values else ()

    def without(self, names: Iterable[str]) -> Headers:
        return self.edited(names)

    def plus(self, *fields: Field) -> Headers:
        more = Headers(self.fields + fields)
        if self._index is not None:
            index = more._index = self._index.copy()  # its lists are shared: they never change
            for name, value in fields:
                lower = name.lower()
                index[lower] = [*index[lower], value] if lower in index else [value]
        return more

    def replaced(self, *fields: Field) -> Headers:
        """These fields instead of all of the same names."""
        return self.edited((), *fields)

    def edited(self, gone: Iterable[str], *fields: Field) -> Headers:
        """Without the names ``gone``, and with these fields instead of all of the same names."""
        names = gone if isinstance(gone, frozenset) else frozenset([name.lower() for name in gone])
        if fields:
            names = names.union([name.lower() for name, _ in fields])
        known = self.by_name
        if names.isdisjoint(known):
            return self.plus(*fields) if fields else self
        kept = Headers(tuple([field for field in self.fields if field[0].lower() not in names]))
        kept._index = {name: known[name] for name in known if name not in names}
        return kept.plus(*fields) if fields else kept


@of_text
def _members(text: str) -> tuple[str, ...]:
    return tuple(item for part in text.split(",") if (item := part.strip().lower()))


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
    known = headers.by_name
    if "connection" not in known and "proxy-connection" not in known:
        return HOP_BY_HOP
    return _ending(headers.items("connection"), headers.items("proxy-connection"))


@lru_cache(maxsize=256)
def _ending(*named: tuple[str, ...]) -> frozenset[str]:
    listed = frozenset(name for names in named for name in names)
    return HOP_BY_HOP | (listed - END_TO_END)


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
