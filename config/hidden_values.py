"""Values of settings as they may be told: without passwords, keys and their hashes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

SECRETS: Final = frozenset({"access.users", "access.api_keys"})
"""Settings of lines NAME:HASH, whose hashes nothing shows."""
HIDDEN: Final = "***@"
"""Stands for the name and password in an address, and for one in its query."""
_CREDENTIALS: Final = re.compile(
    r"(?:(?<=//)|(?<![^\s\"']))[^/\s\"']+@|(?<=password=)[^&\s\"']+", re.IGNORECASE
)
"""What stands before the last ``@`` of an authority, also of one without a scheme."""


def without_credentials(text: str) -> str:
    """``text`` without the names and passwords in its addresses."""
    return _CREDENTIALS.sub(HIDDEN, text)


def names_of(lines: Iterable[str]) -> list[str]:
    """The names of users or keys from lines NAME:HASH."""
    return [line.partition(":")[0] for line in lines]


def told(path: str, value: Any) -> Any:
    """A setting's value without what is secret, of the same type."""
    if path in SECRETS:
        is_list = isinstance(value, list | tuple)
        return [f"{name}:***" for name in names_of(map(str, value))] if is_list else "***"
    if isinstance(value, list | tuple):
        return [told(path, each) for each in value]
    return without_credentials(value) if isinstance(value, str) else value
