"""Where an event loop puts the bytes that it reads before a connection copies them out."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

SIZE: Final = 64 * 1024
_BUFFERS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, memoryview]] = WeakKeyDictionary()


def read_buffer(loop: asyncio.AbstractEventLoop) -> memoryview:
    """SIZE bytes that all connections of a loop share.

    A loop fills it and calls ``buffer_updated`` in one step, so its connections never meet there.
    Two loops, each in its own thread, would: none may see another's buffer.
    """
    found = _BUFFERS.get(loop)
    if found is None:
        found = _BUFFERS[loop] = memoryview(bytearray(SIZE))
    return found
