"""``python -m tests.attack.shadow FOLDER``: a proxy like the one under attack, in a process apart.

It is told names and routes in JSON, a line each, and answers each by a line: what it grows by, and
the CPU time that it takes, are its own and none of the attackers'. Told ``null``, it gives what it
has freed back to the system, so that it can be seen to grow.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, Final

from tests.attack.network import Network, own_names
from tests.attack.server_process import Server, Weight
from tests.attack.worlds import proxy_by_file

LONGEST_LINE: Final = 1 << 20


def learn(network: Network, said: dict[str, Any]) -> None:
    """Take over the names and routes of the attacked proxy's network."""
    network.names.clear()
    for name, addresses in said["names"].items():
        network.names[name] = partial(list, addresses)
    network.routes = {(host, port): to for host, port, to in said["routes"]}


async def live(folder: Path) -> None:
    """Serve until the input ends."""
    network = asyncio.get_running_loop()
    assert isinstance(network, Network)
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await network.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    with own_names():
        async with proxy_by_file(folder) as proxy:
            print(proxy.port, flush=True)  # noqa: T201 - the parent reads it
            while line := await reader.readline():
                said = json.loads(line)
                if said is None:
                    ctypes.CDLL(None).malloc_trim(0)
                else:
                    learn(network, said)
                print(flush=True)  # noqa: T201 - the same


class Shadow:
    """The parent's end of such a process."""

    def __init__(self, process: Popen[str]) -> None:
        self._process = process
        assert process.stdin
        assert process.stdout
        self._input, self._output = process.stdin, process.stdout
        self.server = Server(process.pid, int(self._output.readline()))
        self.ordinary: Weight | None = None
        """Of 100 ordinary requests, once they were weighed."""
        self.dearest = b""
        """The ordinary request that takes most CPU."""
        self.few_grow = 0
        """Bytes by which as many ordinary requests grow as are sent of an attempt in a batch."""
        self._told = ""

    def tell(self, names: dict[str, list[str]], routes: list[tuple[str, int, int]]) -> None:
        """Have it know these alone."""
        said = json.dumps({"names": names, "routes": routes})
        if said != self._told:
            self._told = said
            self._say(said)

    def trim(self) -> None:
        """Have it give back what it has freed."""
        self._say("null")

    def _say(self, line: str) -> None:
        self._input.write(f"{line}\n")
        self._input.flush()
        self._output.readline()


@contextmanager
def shadowing(folder: Path) -> Iterator[Shadow]:
    command = [sys.executable, "-m", "tests.attack.shadow", str(folder)]
    environment = {**os.environ, "PYTHONMALLOC": "malloc"}  # its own arenas are not given back
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment) as process:
        try:
            yield Shadow(process)
        finally:
            process.terminate()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=Network) as main_runner:
        main_runner.run(live(Path(sys.argv[1])))
