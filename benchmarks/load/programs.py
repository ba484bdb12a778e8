"""Programs that a measurement starts and ends, each with a port of its own; knows no figure."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

START_SECONDS = 300.0
STARTED = {"WINNOW_EXTRACTION__START_SECONDS": "240"}
"""A busy machine may need longer to start than a service should wait."""


@asynccontextmanager
async def origin() -> AsyncIterator[int]:
    """The origin of ``benchmarks.load.origin`` as a process of its own; its port."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "benchmarks.load.origin")
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert process.stdout
    try:
        yield int(await process.stdout.readline())
    finally:
        await ended(process)


@asynccontextmanager
async def winnow(
    folder: Path,
    *flags: str,
    environment: Mapping[str, str] | None = None,
    probed: Path | None = None,
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """``winnow serve`` with its data in ``folder``; the process and its port.

    ``probed`` gets the longest callbacks of its loop (benchmarks.load.probe).
    """
    probe = ("benchmarks.load.probe", str(probed)) if probed else ()
    command = (sys.executable, "-m", *probe, "winnow", "serve", "--port", "0", *flags)
    more = {"WINNOW_STORAGE__FOLDER": str(folder / "data"), **STARTED, **(environment or {})}
    with (folder / "winnow.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": _root(), **more},
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    try:
        yield process, await _port(process)
    finally:
        await ended(process)


def _root() -> str:
    return str(Path(__file__).parents[2])


async def _port(process: asyncio.subprocess.Process) -> int:
    assert process.stdout
    async with asyncio.timeout(START_SECONDS):
        line = (await process.stdout.readline()).decode()
    found = re.search(r":(\d+) \(", line)
    if not found:
        raise RuntimeError(f"Winnow did not start: {line!r}")
    return int(found[1])


async def ended(process: asyncio.subprocess.Process, seconds: float = 40.0) -> None:
    """Ask it to end; kill it if it does not."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    if process.stdin:
        process.stdin.close()
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def children(pid: int, having: str = "") -> list[int]:
    """The processes that ``pid`` started, whose command line holds a word."""
    tasks = Path(f"/proc/{pid}/task")
    listed = " ".join(each.read_text() for each in tasks.glob("*/children"))
    return [int(child) for child in listed.split() if having in command_of(int(child))]


def command_of(pid: int) -> str:
    """A process's command line; "" where it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""


def memory(pids: Sequence[int], which: str = "VmRSS") -> int:
    """Bytes that processes hold now (VmRSS) or held at most (VmHWM), in all."""
    found = 0
    for pid in pids:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                found += int(line.split()[1]) * 1024 if line.startswith(which) else 0
    return found
