"""Whether work grows with its size: by the processor's time for two sizes, with a wide margin."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def is_linear(work: Callable[[T], object], few: T, many: T) -> bool:
    """Whether eight times as much costs at most twenty times; the square would be 64 times."""
    return seconds(work, many) < 20 * seconds(work, few) + 0.05


def seconds(work: Callable[[T], object], size: T) -> float:
    """The least of three, of the processor's time: others on the machine add to it."""
    return min(_once(work, size) for _ in range(3))


def _once(work: Callable[[T], object], size: T) -> float:
    begun = time.thread_time()
    work(size)
    return time.thread_time() - begun
