"""What it costs to bring a page to another process and its result back: pipes and shared memory.

``python -m benchmarks.worker_crossing``: microseconds of CPU a job, both processes together, where
the other process does nothing with the page. docs/adr/002-process-pool.md says what follows.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import struct
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PAGE: Final = 100_000
RESULTS: Final = (20_000, 40_000, 100_000)
ROUNDS, JOBS = 7, 300
_HALF: Final = 1 << 20
_LENGTH: Final = struct.Struct(">I")
_WORKER: Final = """
import mmap, struct, sys
source, sink, size, shared = sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]), int(sys.argv[2])
memory = mmap.mmap(shared, 2 << 20) if shared else None
result = b"r" * size
sink.write(struct.pack(">I", 0)); sink.flush()
while len(head := source.read(4)) == 4:
    length = struct.unpack(">I", head)[0]
    page = memory[:length] if memory else source.read(length)
    if memory:
        memory[1 << 20 : (1 << 20) + size] = result
    sink.write(struct.pack(">I", size) + (b"" if memory else result)); sink.flush()
"""
Crossing = Callable[[bytes], Awaitable[bytes]]


async def by_pipe(worker: Process, page: bytes) -> bytes:
    """As winnow.jobs.pool_worker does."""
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write(_LENGTH.pack(len(page)) + page)
    await worker.stdin.drain()
    (size,) = _LENGTH.unpack(await worker.stdout.readexactly(_LENGTH.size))
    return await worker.stdout.readexactly(size)


async def by_memory(worker: Process, memory: mmap.mmap, page: bytes) -> bytes:
    """Page and result in memory that both map; lengths alone go through the pipes."""
    assert worker.stdin
    assert worker.stdout
    memory[: len(page)] = page
    worker.stdin.write(_LENGTH.pack(len(page)))
    (size,) = _LENGTH.unpack(await worker.stdout.readexactly(_LENGTH.size))
    return memory[_HALF : _HALF + size]


async def measured(size: int, *, shared: bool) -> float:
    """Microseconds of CPU a job with a result of ``size`` bytes; the least of some rounds."""
    file = os.memfd_create("crossing") if shared else 0
    if shared:
        os.ftruncate(file, 2 * _HALF)
    command = (sys.executable, "-S", "-c", _WORKER, str(size), str(file))
    files = (file,) if shared else ()
    worker = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, pass_fds=files)
    assert worker.stdout
    await worker.stdout.readexactly(_LENGTH.size)
    memory = mmap.mmap(file, 2 * _HALF) if shared else None

    async def cross(page: bytes) -> bytes:
        return await (by_memory(worker, memory, page) if memory else by_pipe(worker, page))

    try:
        return await _least(worker.pid, cross, size)
    finally:
        worker.kill()
        await worker.wait()


async def _least(pid: int, cross: Crossing, size: int) -> float:
    page, found = b"p" * PAGE, []
    for _ in range(ROUNDS + 1):  # the first one warms up
        before = _cpu(pid)
        for _ in range(JOBS):
            assert len(await cross(page)) == size
        found.append(1e6 * (_cpu(pid) - before) / JOBS)
    return min(found[1:])


def _cpu(pid: int) -> float:
    """Seconds of this process and of another, to the nanosecond (Linux)."""
    other = Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0]
    return time.process_time() + int(other) / 1e9


async def main() -> None:
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}; page of {PAGE} bytes, us of CPU a job\n")
    for size in RESULTS:
        pipe, memory = [await measured(size, shared=shared) for shared in (False, True)]
        sys.stdout.write(f"result of {size:>7}: pipes {pipe:.0f}, shared memory {memory:.0f}\n")


if __name__ == "__main__":
    run = import_module("uvloop").run if find_spec("uvloop") else asyncio.run
    run(main())
