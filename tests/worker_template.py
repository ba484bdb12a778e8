"""Extraction processes forked from one that has imported everything: .02 s of CPU instead of .35.

Each test has its own, as a user has; only how it starts differs. Tests of the start itself run the
command ``winnow serve``, whose processes are started as users' are.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self, cast

from winnow.jobs.pool_worker import Worker, begun, launched

MODULE = "winnow.engine.worker"
LARGEST = 1 << 18
"""Bytes of one request: arguments and environment."""


@dataclass
class Forked:
    """A process that is no child of ours; what ``Worker`` needs of ``asyncio``'s."""

    pid: int
    stdout: asyncio.StreamReader
    stdin: asyncio.StreamWriter
    returncode: int | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        try:
            ends = os.pidfd_open(self.pid)
        except ProcessLookupError:
            self._note()
        else:
            asyncio.get_running_loop().add_reader(ends, self._close, ends)

    def _close(self, ends: int) -> None:
        asyncio.get_running_loop().remove_reader(ends)
        os.close(ends)
        self._note()

    def _note(self) -> None:
        self.returncode = 0
        self.ended.set()

    async def wait(self) -> None:
        await self.ended.wait()

    def kill(self) -> None:
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


class Template:
    """The process that is forked; it begins with the first worker that is wanted."""

    def __init__(self) -> None:
        self.path = os.environ.get("PYTHONPATH")
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._control.close()
            self._process.wait()

    @cached_property
    def _control(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", str(Path(__file__)), str(theirs.fileno())]
        one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with theirs:
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], env={**os.environ, **one}
            )
        return ours

    def fork(self, arguments: Sequence[str], environment: Mapping[str, str], end: int) -> int:
        """Return the id of a worker whose standard input and output are the socket ``end``."""
        request = json.dumps([arguments, dict(environment), str(Path.cwd())]).encode()
        with self._lock:
            socket.send_fds(self._control, [request], [end, 2])
            return int(self._control.recv(32))

    async def _forked(
        self, arguments: Sequence[str], environment: Mapping[str, str], end: socket.socket
    ) -> int:
        """``end`` is in use until the request is answered, wanted or not."""
        fork = asyncio.ensure_future(
            asyncio.to_thread(self.fork, arguments, environment, end.fileno())
        )
        try:
            return await asyncio.shield(fork)
        except asyncio.CancelledError:
            await fork
            raise

    async def launched(
        self, command: Sequence[str], environment: Mapping[str, str] | None, seconds: float
    ) -> Worker:
        """As ``winnow.jobs.pool_worker.launched``, which has the commands that are no worker."""
        whole = {**os.environ, **(environment or {})}
        if MODULE not in command or whole.get("PYTHONPATH") != self.path:
            return await launched(command, environment, seconds)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                pid = await self._forked(command[command.index(MODULE) :], whole, theirs)
            forked = Forked(pid, *await asyncio.open_connection(sock=ours))
        except BaseException:  # the server is stopped before its worker has begun
            ours.close()
            raise
        return await begun(Worker(cast(asyncio.subprocess.Process, forked)), seconds)


def main(control: socket.socket) -> None:
    """Fork at each request, until nobody can ask."""
    from winnow.engine import worker  # noqa: PLC0415  # here alone
    from winnow.features.why import explaining, marking  # noqa: F401, PLC0415  # the same

    worker.load("auto")
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for what was forked
    while True:
        request, ends, *_ = socket.recv_fds(control, LARGEST, 2)
        if not request:
            return
        pid = os.fork()
        if not pid:
            control.close()
            begin(*json.loads(request), *ends)
            worker.main()
            os._exit(0)
        for end in ends:
            os.close(end)
        control.send(str(pid).encode())


def begin(
    arguments: list[str], environment: dict[str, str], folder: str, end: int, errors: int
) -> None:
    """Be what a new process with these would be."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor, wanted in ((end, 0), (end, 1), (errors, 2)):
        os.dup2(descriptor, wanted)
    os.close(end)
    os.close(errors)
    os.chdir(folder)
    sys.argv[:] = arguments
    os.environ.clear()
    os.environ.update(environment)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
