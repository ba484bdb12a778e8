"""Times the storages of replies as they fill; prints microseconds of CPU a reply as JSON.

``python -m tests.load.storages memory 1000 10000``: for each size a store of so many replies, then
a thousand replaced and read there. The benchmark of scaling runs it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.disk_storage import DiskStorage
from winnow.proxy.caching.memory_storage import MemoryStorage, ResponseStorage
from winnow.proxy.http.headers import Headers

TIMED = 1_000
ENTRY = CacheEntry(200, "OK", Headers((("Content-Type", "text/html"),)), b"x" * 100, 0.0, 0.0)
LARGE = 1 << 40


async def timed(storage: ResponseStorage, size: int) -> float:
    """Microseconds of CPU to put one reply and read one, with so many there."""
    for number in range(size):
        await storage.put(f"http://a.example/{number}", (ENTRY,))
    start = time.process_time()
    for number in range(TIMED):
        key = f"http://a.example/{number * size // TIMED}"
        await storage.put(key, (ENTRY,))
        assert await storage.get(key)
    spent = time.process_time() - start
    await storage.aclose()
    return 1e6 * spent / TIMED


def main(kind: str, sizes: list[int]) -> None:
    with TemporaryDirectory() as folder:
        costs = [
            asyncio.run(timed(_storage(kind, Path(folder) / f"{size}.sqlite3"), size))
            for size in sizes
        ]
    sys.stdout.write(json.dumps(costs) + "\n")


def _storage(kind: str, path: Path) -> ResponseStorage:
    return MemoryStorage(LARGE) if kind == "memory" else DiskStorage(path, LARGE)


if __name__ == "__main__":
    main(sys.argv[1], [int(size) for size in sys.argv[2:]])
