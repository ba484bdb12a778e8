"""Sizes and durations with units.

A size is an int of bytes ("8 MiB"), a duration a float of seconds ("5 s", "250 ms").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

Size = Annotated[int, "size"]
"""Bytes."""
Duration = Annotated[float, "duration"]
"""Seconds."""

SIZE_UNITS: Final[Mapping[str, int]] = {
    "B": 1,
    "kB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
DURATION_UNITS: Final[Mapping[str, float]] = {
    "ms": 0.001,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", re.ASCII)


def parse_size(text: str) -> int:
    """Return bytes. Raises ValueError for what is no size."""
    number, factor = _split(text, {unit.lower(): size for unit, size in SIZE_UNITS.items()}, "b")
    return int(number * factor)


def parse_duration(text: str) -> float:
    """Return seconds. Raises ValueError for what is no duration."""
    number, factor = _split(text, DURATION_UNITS, "s")
    return number * factor


def _split(text: str, units: Mapping[str, float], plain: str) -> tuple[float, float]:
    match = _QUANTITY.fullmatch(text.strip())
    unit = match[2].lower() or plain if match else ""
    if match is None or unit not in units:
        raise ValueError(f"no number with one of the units {', '.join(units)}: {text!r}")
    return float(match[1]), units[unit]


def format_size(size: int) -> str:
    """Return the size in the largest unit that holds it as a whole number: "8 MiB"."""
    return _format(size, SIZE_UNITS) or "0 B"


def format_duration(seconds: float) -> str:
    """Return the duration in the largest unit that holds it as a whole number: "5 s"."""
    milliseconds = round(seconds * 1000)
    units = {unit: round(factor * 1000) for unit, factor in DURATION_UNITS.items()}
    return _format(milliseconds, units) or "0 s"


def _format(count: int, units: Mapping[str, int]) -> str:
    fitting = [(size, unit) for unit, size in units.items() if count and count % size == 0]
    size, unit = max(fitting, default=(1, ""))
    return f"{count // size} {unit}" if unit else ""
