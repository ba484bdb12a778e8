"""Which hosts serve advertisements. Knows lists of hosts; ships none.

A list is named by the user: a hosts file (``0.0.0.0 ads.example``), one host a line, or the
``||host^`` rules of an Adblock list. As in Crunch a host matches exactly, never by its domain.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from extractors.errors import ParameterError

_LINE: Final = re.compile(
    r"^\s*(?:(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+|\|\|)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)\^?\s*(?:#.*)?$",
    re.IGNORECASE | re.MULTILINE,
)


def parse_hosts(text: str) -> frozenset[str]:
    """The hosts of a list; comments and rules about anything but a whole host are passed over."""
    return frozenset(host.lower() for host in _LINE.findall(text))


@lru_cache(maxsize=4)
def load_hosts(path: str) -> frozenset[str]:
    """The hosts of a list on disk; none for an empty path. Raises ParameterError."""
    if not path:
        return frozenset()
    try:
        return parse_hosts(Path(path).read_text("utf-8", "replace"))
    except OSError as error:
        raise ParameterError(f"The list of ad hosts {path!r} cannot be read: {error}.") from error


def host_of(address: str) -> str:
    """The host of an absolute URL, in lower case; empty for a relative or malformed one."""
    try:
        return (urlsplit(address.strip()).hostname or "").lower()
    except ValueError:
        return ""
