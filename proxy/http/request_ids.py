"""A number for each request, by which its log lines and its error page are found together."""

from __future__ import annotations

import itertools
import secrets
from contextvars import ContextVar

NUMBER: ContextVar[str] = ContextVar("winnow-request", default="")
"""The number of the request that this task serves; "" where it serves none."""
_RUN = secrets.token_hex(3)
_numbers = itertools.count(1)


def numbered() -> str:
    """A number that no other request of this or another process of ours has."""
    number = f"{_RUN}-{next(_numbers):x}"
    NUMBER.set(number)
    return number
