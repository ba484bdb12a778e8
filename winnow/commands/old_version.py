"""The folder of a version that was replaced: removed once none of its processes runs any more.

A version's folder stands directly in one named ``versions``; any other folder is left alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

VERSIONS: Final = "versions"
EVERY: Final = 5.0
"""Seconds between two looks at the processes."""


def version_of(process: int) -> Path | None:
    """The folder of the version that a process runs (Linux)."""
    above = (each for name in _programs(process) for each in name.parents)
    return next((each for each in above if each.parent.name == VERSIONS), None)


def begin_removal(folder: Path) -> bool:
    """Have another process remove it; False where that may not, or is this command's own."""
    if not os.access(folder.parent, os.W_OK) or folder in Path(sys.executable).parents:
        return False
    subprocess.Popen(  # noqa: S603 - this program itself
        [sys.executable, "-m", __name__, str(folder)],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return True


def remove_unused(folder: Path) -> None:
    """Wait for the end of its last process, and remove it. Raises OSError."""
    while any(version_of(process) == folder for process in _processes()):
        time.sleep(EVERY)
    shutil.rmtree(folder)


def _processes() -> Iterator[int]:
    return (int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal())


def _programs(process: int) -> Iterator[Path]:
    """A process's interpreter and its script, as they were called."""
    with suppress(OSError):
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        yield from (Path(os.fsdecode(word)) for word in words[:2])


if __name__ == "__main__":
    remove_unused(Path(sys.argv[1]))
