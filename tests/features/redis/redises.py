"""A Redis of Debian's for a test: on a free loopback port, ended by its id."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.free_ports import free_port
from tests.programs import require_module, require_program


@dataclass
class MadeRedis:
    """``url`` is where it answers; it can be frozen, thawed and killed."""

    port: int
    process: asyncio.subprocess.Process

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def freeze(self) -> None:
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)

    async def kill(self) -> None:
        """End it at once, frozen or not."""
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@asynccontextmanager
async def redis(port: int = 0) -> AsyncIterator[MadeRedis]:
    """Start a Redis that writes nothing; without the program the test is skipped, loudly."""
    require_module("redis", "pip install '.[redis]'")
    program, port = require_program("redis-server"), port or free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = await asyncio.create_subprocess_exec(
        program, *options, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    made = MadeRedis(port, process)
    try:
        await _ready(process)
        yield made
    finally:
        await made.kill()


async def _ready(process: asyncio.subprocess.Process) -> None:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        async for line in process.stdout:
            if b"Ready to accept connections" in line:
                return
    raise RuntimeError("Redis did not start.")
