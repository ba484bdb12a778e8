"""The processes of a browser: which there are, their memory, and whether they are kept apart."""

from __future__ import annotations

import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self


def descendants(apart: str = "\0") -> dict[int, str]:
    """The command lines of all processes below this one, but of the ps that lists them.

    Nor of processes in whose command line ``apart`` stands, and of those below them.
    """
    listed = subprocess.run(
        ["ps", "-wweo", "pid,ppid,args"], capture_output=True, text=True, check=True
    )
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()[1:]]
    found: dict[int, str] = {os.getpid(): ""}
    size = 0
    while len(found) > size:
        size = len(found)
        for pid, parent, command in rows:
            if int(parent) in found and not command.startswith("ps ") and apart not in command:
                found[int(pid)] = command
    del found[os.getpid()]
    return found


def running(profiles: Path) -> list[str]:
    """The command lines of the processes of browsers whose profile is below a folder."""
    listed = subprocess.run(["ps", "-wweo", "pid,args"], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if f"--user-data-dir={profiles}/" in line]


def share_of(pid: int) -> float:
    """The proportional share of memory of a process, in MB; 0 for one that has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def is_filtered(pid: int) -> bool:
    """Whether the kernel filters a process' system calls (seccomp mode 2, proc(5))."""
    with suppress(OSError):
        return "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text("utf-8")
    return False


def left_in(folder: Path) -> list[str]:
    """What is still in a folder."""
    return [path.name for path in folder.iterdir()]


class MemoryWatch:
    """The largest share of memory of all processes below this one, in MB."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            self.peak = max(self.peak, sum(map(share_of, descendants())))
