"""How much freed memory the server process keeps for its next request. Knows glibc alone."""

from __future__ import annotations

import ctypes
from typing import Final

_TRIM, _MMAP = -1, -3
"""M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of mallopt(3)."""
KEPT: Final = 16 * 1024 * 1024
"""Free bytes at the heap's end before they go back to the system.

glibc gives back all beyond 128 kB and asks for them again at once: a page of 100 kB that passes
through costs 21 page faults so, a fifth of its CPU.
"""
MAPPED: Final = 4 * 1024 * 1024
"""From so many bytes on a piece is mapped by itself, and goes back when it is freed."""


def keep_freed_memory(trim: int = KEPT, mapped: int = MAPPED) -> bool:
    """Have glibc keep ``trim`` free bytes; False where the C library is another one."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_TRIM, trim)) and bool(mallopt(_MMAP, mapped))


def give_back() -> None:
    """Have glibc give all free memory back to the system, also between what is in use."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
