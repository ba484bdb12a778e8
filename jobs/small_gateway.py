"""Addresses of our own pages, and how sizes read on them, that a worker writes into pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OWN_NAME: Final = "winnow.internal"
"""The host name under which our pages are reached through the proxy itself."""
SMALL_PATH: Final = "/-/small/"
"""The path of the gateway for small screens."""


@dataclass(frozen=True, slots=True)
class Measure:
    """``part`` counts from 1; ``size`` in bytes; at most ``images`` images are in the text."""

    part: int = 1
    size: int = 12_000
    images: int = 0


def size_text(size: int) -> str:
    """Bytes as people read them: "3.6 kB", "312 kB"."""
    if size < 1000:
        return f"{size} bytes"
    if size < 10_000:
        return f"{size / 1000:.1f} kB"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
