"""Header fields as an immutable value, and the syntax their values share (RFC 9110, section 5).

Names and values are ``str`` decoded as Latin-1: each character is one byte of the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, wraps
from typing import Final, TypeVar

CACHED_TEXT_LENGTH: Final = 512
CACHED_TEXTS: Final = 512
LARGEST_NUMBER: Final = 2**31
"""The value of any larger number (RFC 9111, section 1.2.2)."""
_DIGITS: Final = re.compile(r"0*([0-9]+)\Z")

T = TypeVar("T")


def cached_by_text(function: Callable[[str], T]) -> Callable[[str], T]:
    """Cache a pure function's results for 512 texts; longer ones than 512 characters are not."""
    cached = lru_cache(maxsize=CACHED_TEXTS)(function)

    @wraps(function)
    def call(text: str) -> T:
        return cached(text) if len(text) <= CACHED_TEXT_LENGTH else function(text)

    return call


Field = tuple[str, str]


class Headers:
    """An ordered list of fields with case-insensitive look-up.

    Immutable. Each request creates a dozen, so the index is built at the first look-up, and derived
    values inherit it.
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
        return self._index if self._index is not None else self._build_index()

    def _build_index(self) -> dict[str, list[str]]:
        index = {name.lower(): [value] for name, value in self.fields}
        if len(index) < len(self.fields):  # a name occurs twice
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
        index = self._index if self._index is not None else self._build_index()
        return isinstance(name, str) and name.lower() in index

    def has_any(self, names: Iterable[str]) -> bool:
        """Whether one of ``names``, in lower case, is there."""
        index = self._index if self._index is not None else self._build_index()
        return not index.keys().isdisjoint(names)

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field, or ``default``."""
        index = self._index if self._index is not None else self._build_index()
        values = index.get(name.lower())
        return values[0] if values else default

    def every(self, name: str) -> tuple[str, ...]:
        """All values of a field, in order."""
        index = self._index if self._index is not None else self._build_index()
        return tuple(index.get(name.lower(), ()))

    def joined(self, name: str) -> str:
        """All values of a list field as one (RFC 9110, section 5.3)."""
        index = self._index if self._index is not None else self._build_index()
        values = index.get(name.lower())
        return ", ".join(values) if values else ""

    def items(self, name: str) -> tuple[str, ...]:
        """The members of a list field without quoted commas, lower case, empty ones dropped."""
        index = self._index if self._index is not None else self._build_index()
        values = index.get(name.lower())
        if not values:
            return ()
        text = ", ".join(values)
        return _cached_members(text) if len(text) <= CACHED_TEXT_LENGTH else _members(text)

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

    def edited(self, removed: Iterable[str], *fields: Field) -> Headers:
        """Without the names ``removed``, and with these fields instead of all of the same names.

        A frozenset of names must be in lower case.
        """
        names = (
            removed
            if isinstance(removed, frozenset)
            else frozenset([name.lower() for name in removed])
        )
        if fields:
            names = names.union([name.lower() for name, _ in fields])
        index = self._index if self._index is not None else self._build_index()
        if names.isdisjoint(index):
            return self.plus(*fields) if fields else self
        rest = Headers(tuple([field for field in self.fields if field[0].lower() not in names]))
        rest._index = {name: index[name] for name in index if name not in names}
        return rest.plus(*fields) if fields else rest


def _members(text: str) -> tuple[str, ...]:
    return tuple([item for part in text.split(",") if (item := part.strip().lower())])


_cached_members: Final = lru_cache(maxsize=CACHED_TEXTS)(_members)


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
    """The names that end at this hop: those above and those listed in Connection."""
    index = headers.by_name
    if "connection" not in index and "proxy-connection" not in index:
        return HOP_BY_HOP
    return _with_listed(headers.items("connection"), headers.items("proxy-connection"))


@lru_cache(maxsize=256)
def _with_listed(*options: tuple[str, ...]) -> frozenset[str]:
    listed = frozenset(name for names in options for name in names)
    return HOP_BY_HOP | (listed - END_TO_END)


def end_to_end(headers: Headers) -> Headers:
    """The fields that are forwarded (RFC 9110, section 7.6.1)."""
    return headers.edited(hop_by_hop(headers))


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


def number(text: str, largest: int = LARGEST_NUMBER) -> int | None:
    """The value of ASCII digits, at most ``largest``; None for any other text."""
    match = _DIGITS.match(text)
    if not match:
        return None
    digits = match[1]
    return min(int(digits), largest) if len(digits) <= len(str(largest)) else largest
