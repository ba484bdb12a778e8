"""Servers that are measured: started on free loopback ports, ended by id; their CPU and memory."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from winnow.evaluation.errors import SubjectError

PATIENCE = 60.0  # seconds until a server must listen
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A process and its children; ``port`` is where it listens, on 127.0.0.1."""

    pid: int
    port: int

    def cpu(self) -> float:
        """Seconds of CPU, user and system, that the whole tree has spent."""
        return sum(_spent(pid) for pid in tree(self.pid))


@contextmanager
def serving(
    command: Sequence[str],
    port: int,
    name: str,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Iterator[Server]:
    """Start a command and wait until it listens. Raises SubjectError if it does not."""
    quiet = subprocess.DEVNULL
    everything = {**os.environ, **(environment or {})}
    try:
        process = subprocess.Popen(  # noqa: S603 - our own table's command
            command, stdin=quiet, stdout=quiet, stderr=quiet, env=everything, cwd=folder
        )
    except FileNotFoundError:
        raise SubjectError(f"{name} is not installed.") from None
    with process:
        try:
            _wait_for(process, port, name)
            yield Server(process.pid, port)
        finally:
            process.terminate()
            _see_off(process)


def tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += _children(found[-1])
    return found


def resident(pid: int) -> int:
    """Bytes of a process that are in memory; 0 if it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, listed.read_text("ascii").split())
        except OSError:  # a thread that ended meanwhile
            continue
    return found


def _spent(pid: int) -> float:
    """Of a process and of its children that it has seen off."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def _wait_for(process: subprocess.Popen[bytes], port: int, name: str) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise SubjectError(f"{name} does not listen.")


def _see_off(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
