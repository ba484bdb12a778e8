"""Answers of pure functions of a header's value, remembered: clients and sites repeat themselves.

Knows sizes alone: a value that is long is not remembered, so that nobody can fill memory with them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

SHORT: Final = 512
KEPT: Final = 512

T = TypeVar("T")


def of_text(function: Callable[[str], T]) -> Callable[[str], T]:
    """The same pure function; its answers to up to 512 short texts are remembered."""
    known = lru_cache(maxsize=KEPT)(function)

    @wraps(function)
    def answered(text: str) -> T:
        return known(text) if len(text) <= SHORT else function(text)

    return answered
