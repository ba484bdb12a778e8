"""Runs a module as a program and notes the longest callbacks of its event loop.

``python -m benchmarks.load.probe FILE MODULE ARGUMENT...``: at the end FILE gets a JSON list of
[when, wall seconds, CPU seconds, name], ``when`` by the clock that all processes share.
"""

from __future__ import annotations

import asyncio
import gc
import json
import runpy
import sys
import time
from asyncio import events
from pathlib import Path
from typing import Any

KEPT = 200
Block = tuple[float, float, float, str]


class Probe:
    """The callbacks that took the most CPU time, the longest first."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._collecting = 0.0
        """CPU seconds of garbage collection since the callback began."""

    def install(self) -> None:
        """Time each callback from now on; the loop must be asyncio's own."""
        plain = events.Handle._run

        def timed(handle: Any) -> None:
            self._collecting = 0.0
            wall, cpu = time.perf_counter(), time.thread_time()
            plain(handle)
            self._note(time.perf_counter() - wall, time.thread_time() - cpu, handle)

        gc.callbacks.append(self._collected)
        setattr(events.Handle, "_run", timed)  # noqa: B010 - mypy would not have it assigned

    def write(self, path: Path) -> None:
        """Tell what was noted."""
        path.write_text(json.dumps(self.blocks))

    def _collected(self, phase: str, _info: object) -> None:
        self._collecting += time.thread_time() if phase == "stop" else -time.thread_time()

    def _note(self, wall: float, cpu: float, handle: Any) -> None:
        if wall < 0.001 or (len(self.blocks) >= KEPT and cpu <= self.blocks[-1][2]):
            return
        name = _name(handle)
        if self._collecting > cpu / 2:
            name += f" (garbage collection {self._collecting * 1000:.1f} ms)"
        self.blocks.append((time.monotonic(), wall, cpu, name))
        self.blocks.sort(key=lambda block: block[2], reverse=True)
        del self.blocks[KEPT:]


def _name(handle: Any) -> str:
    callback = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return getattr(task.get_coro(), "__qualname__", repr(task))
    return getattr(callback, "__qualname__", repr(callback))


def main() -> None:
    path, module, *arguments = sys.argv[1:]
    sys.modules["uvloop"] = None  # type: ignore[assignment]  # its callbacks cannot be timed
    probe = Probe()
    probe.install()
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        probe.write(Path(path))


if __name__ == "__main__":
    main()
