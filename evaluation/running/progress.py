"""A progress bar on a terminal, nothing elsewhere; knows counts and time, not what is counted."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
_WIDTH = 30
_PERIOD = 0.1  # seconds between two drawings: enough to look alive, too rare to cost


def watched(items: Iterable[T], total: int, label: str, out: TextIO | None = None) -> Iterator[T]:
    """The items; a bar shows count, rate and time left while ``out`` (stderr) is a terminal."""
    out = out or sys.stderr
    if not out.isatty():
        yield from items
        return
    start = drawn = time.monotonic()
    for done, item in enumerate(items):
        if time.monotonic() - drawn > _PERIOD:
            drawn = time.monotonic()
            out.write("\r" + line(label, done, total, drawn - start) + "\x1b[K")
            out.flush()
        yield item
    out.write("\r\x1b[K")
    out.flush()


def line(label: str, done: int, total: int, seconds: float) -> str:
    """The bar as text, say ``dsc [=====     ] 50/100 25/s 2 s left``; a total of 0 is unknown."""
    rate = done / seconds if seconds > 0 else 0.0
    if not total:
        return f"{label} {done} {rate:.0f}/s"
    filled = _WIDTH * done // total
    left = f"{(total - done) / rate:.0f} s left" if rate else ""
    bar = "=" * filled + " " * (_WIDTH - filled)
    return f"{label} [{bar}] {done}/{total} {rate:.0f}/s {left}".rstrip()
