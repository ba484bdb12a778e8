"""Where memory runs out the kernel ends an extraction process, and no connection is lost."""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmarks.load.programs import memory, origin, winnow
from tests.programs import require_file
from tests.proxy.origins import Origin, ask, get, reply, serving
from tests.winnow.test_handover import (
    HALF,
    SETTINGS,
    by_http2,
    download,
    far,
    through_tunnel,
    until,
)

pytestmark = pytest.mark.release
MIB = 1024 * 1024
MOUNTED = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))
"""Of version 1, and of version 2."""
OBJECT = reply(b"\1" * MIB, "Content-Type: image/png", "Cache-Control: max-age=3600")


class MemoryGroup:
    """A control group (cgroups(7)), of either version; it does not kill as a group."""

    def __init__(self, folder: Path) -> None:
        self.folder, v1 = folder, folder / "memory.limit_in_bytes"
        self._limit = v1 if v1.exists() else folder / "memory.max"
        self._used = folder / ("memory.usage_in_bytes" if v1.exists() else "memory.current")
        self._events = folder / ("memory.oom_control" if v1.exists() else "memory.events")

    def take(self, process: int) -> None:
        """A process, and all that it starts from now on."""
        (self.folder / "cgroup.procs").write_text(str(process))

    def leave_room(self, size: int) -> None:
        """For so many bytes more than are held now."""
        self._limit.write_text(str(int(self._used.read_text()) + size))

    @property
    def ended(self) -> int:
        """How many processes the kernel has ended."""
        counts = dict(line.split() for line in self._events.read_text().splitlines())
        return int(counts["oom_kill"])


def limits_memory(mounted: Path) -> bool:
    """Whether groups below it may have a limit."""
    controllers = mounted / "cgroup.subtree_control"
    is_second = controllers.exists() and "memory" in controllers.read_text().split()
    return is_second or (mounted / "memory.limit_in_bytes").exists()


def own_group(mounted: Path) -> Path:
    """The one that this process is in."""
    wanted = "memory" if mounted.name == "memory" else ""
    groups = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    (path,) = (path for _, controller, path in groups if controller == wanted)
    return mounted / path.lstrip("/")


@pytest.fixture
def group() -> Iterator[MemoryGroup]:
    able = (each for each in MOUNTED if os.access(each, os.W_OK) and limits_memory(each))
    mounted = require_file("a control group of memory", next(able, None), "run as root")
    folder = mounted / f"winnow-{os.getpid()}"
    folder.mkdir()
    yield MemoryGroup(folder)
    folder.rmdir()


@asynccontextmanager
async def inside(group: MemoryGroup, folder: Path) -> AsyncIterator[tuple[Process, int]]:
    """Winnow in the group, with room for what it caches."""
    around = MemoryGroup(own_group(group.folder.parent))
    group.take(os.getpid())
    try:
        begun = winnow(folder, environment={**SETTINGS, "WINNOW_CACHE__MEMORY": "512 MiB"})
        process, port = await begun.__aenter__()
    finally:
        around.take(os.getpid())
    try:
        yield process, port
    finally:
        await begun.__aexit__(None, None, None)


async def test_the_kernel_ends_an_extractor_and_no_connection(
    tmp_path: Path, group: MemoryGroup
) -> None:
    """Also where the process that answers is by far the largest."""
    async with (
        inside(group, tmp_path) as (process, port),
        far() as plain,
        origin() as pages,
        serving(Origin(usual=OBJECT)) as site,
    ):
        story, asked = f"http://127.0.0.1:{pages}/", "Accept: text/html"
        for number in range(250):
            await ask(port, get(site.url(f"/{number}")))
        assert (await ask(port, get(f"{story}story/1", asked))).field("winnow-action")
        at = f"127.0.0.1:{plain.port}"
        work = [download(port, at), through_tunnel(port, at), by_http2(port, at)]
        flows = [asyncio.ensure_future(each) for each in work]
        await until(lambda: plain.open == len(flows) or any(each.done() for each in flows))
        assert memory([process.pid]) > 300 * MIB
        group.leave_room(8 * MIB)
        numbers = iter(range(1000))
        while not group.ended:
            answer = await ask(port, get(f"{story}dear/{next(numbers)}", asked))
            assert answer.status == 200
        group.leave_room(512 * MIB)
        plain.go_on.set()
        assert await asyncio.gather(*flows) == [2 * len(HALF)] * len(flows)
        assert process.returncode is None
        while answer.field("winnow-action") != "extracted":  # another one has begun
            answer = await ask(port, get(f"{story}story/{next(numbers)}", asked))
