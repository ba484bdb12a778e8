"""Cache-Control, dates and ages as numbers: syntax alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from winnow.proxy.http.headers import Headers, cached_by_text, number

FOREVER: Final = 2**31
"""Seconds that stand for any larger number (RFC 9111, section 1.2.2)."""

_DIRECTIVE: Final = re.compile(r"""([^\s,;="]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?""")
_ESCAPED: Final = re.compile(r"\\.")


@dataclass(frozen=True, slots=True)
class Directives:
    """The directives of Cache-Control; of a repeated one the first counts (RFC 9111, 4.2.1)."""

    values: tuple[tuple[str, str | None], ...] = ()

    @classmethod
    def of(cls, headers: Headers, name: str = "cache-control") -> Directives:
        """Parse a message's field, all its lines as one list; invalid members are skipped."""
        text = headers.joined(name)
        return _read(text) if text else NONE

    def __contains__(self, name: object) -> bool:
        for key, _ in self.values:  # noqa: SIM110 - called ten times a request, any() takes three times as long
            if key == name:
                return True
        return False

    def seconds(self, name: str) -> int | None:
        """A directive's delta-seconds: None without it, 0 where it is no number."""
        for key, value in self.values:
            if key == name:
                return delta_seconds(value or "")
        return None

    def unqualified(self, name: str) -> bool:
        """Whether a directive stands there without field names."""
        return any(key == name and value is None for key, value in self.values)


NONE: Final = Directives()
"""Those of a message without the field."""


@cached_by_text
def _read(text: str) -> Directives:
    found = _DIRECTIVE.findall(_without_strays(text))
    return Directives(tuple((key.lower(), value.strip('"') or None) for key, value in found))


def _without_strays(text: str) -> str:
    """Without quotes where one is not closed: it would hide the rest of the field."""
    closed = _ESCAPED.sub("", text).count('"') % 2 == 0
    return text if closed else text.replace('"', "")


def delta_seconds(text: str) -> int:
    """Seconds as RFC 9111 writes them; 0 for anything else, since stale is the safe side."""
    return number(text, FOREVER) or 0


def age_of(headers: Headers) -> int:
    """The Age field: the first member that counts; 0 where it says nothing (section 5.1)."""
    return delta_seconds(headers.joined("age").split(",")[0].strip())


@cached_by_text
def date_of(text: str) -> float | None:
    """An HTTP date in any of its three forms as seconds since 1970; None if it is none."""
    text = text.strip()
    if not text or not text[:3].isalpha():
        return None
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
