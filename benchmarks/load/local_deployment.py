"""What compose.yaml describes, without containers: Redis, two Winnows and HAProxy on loopback.

As a program it says where the set answers, and ends it with Ctrl-C.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import Final

from benchmarks.free_ports import free_port
from benchmarks.load.programs import ended, winnow

CONFIG: Final = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
NO_PROXY_HEADER: Final = {"WINNOW_PROXY_PROTOCOL": "off"}
"""Clients on loopback would be strangers behind a PROXY header."""
SETTINGS: Final = {
    "WINNOW_EXTRACTION__PROCESSES": "1",
    "WINNOW_LEARNING__ENABLED": "false",
    "WINNOW_ACCESS__OPEN_TO": "127.0.0.0/8",
}


@dataclass(frozen=True)
class Instance:
    """One Winnow of the set."""

    process: asyncio.subprocess.Process
    port: int


@dataclass(frozen=True)
class LocalSet:
    """``port`` is the balancer's."""

    port: int
    instances: tuple[Instance, Instance]
    redis: asyncio.subprocess.Process
    redis_port: int


@asynccontextmanager
async def local_set(
    folder: Path, settings: Mapping[str, str] = SETTINGS, balance: str = "leastconn"
) -> AsyncIterator[LocalSet]:
    """Start all, each after what it needs; all end with the context. Raises OSError."""
    async with AsyncExitStack() as ending:
        redis_port = free_port()
        options = ("--port", str(redis_port), "--bind", "127.0.0.1", "--save", "")
        redis = await ending.enter_async_context(program("redis-server", *options))
        await listens(redis_port)
        url = f"redis://127.0.0.1:{redis_port}/0"
        more = {"WINNOW_STORAGE__REDIS": url, "WINNOW_CACHE__REDIS": url, **settings}
        instances = []
        for name in ("first", "second"):
            (folder / name).mkdir()
            started = winnow(folder / name, environment=more)
            instances.append(Instance(*await ending.enter_async_context(started)))
        ports = instances[0].port, instances[1].port
        port = await ending.enter_async_context(balancer(*ports, balance=balance))
        yield LocalSet(port, (instances[0], instances[1]), redis, redis_port)


@asynccontextmanager
async def balancer(
    first: int,
    second: int,
    *configs: Path,
    balance: str = "leastconn",
    config: Path = CONFIG,
    variables: Mapping[str, str] = NO_PROXY_HEADER,
) -> AsyncIterator[int]:
    """HAProxy before two instances, by a shipped file and others beside it; its port."""
    port = free_port()
    environment = {
        "WINNOW_BIND": f"127.0.0.1:{port}",
        "WINNOW_FIRST": f"127.0.0.1:{first}",
        "WINNOW_SECOND": f"127.0.0.1:{second}",
        "WINNOW_BALANCE": balance,
        **variables,
    }
    files = [part for each in (config, *configs) for part in ("-f", str(each))]
    async with program("haproxy", "-db", *files, environment=environment):
        await listens(port)
        yield port


@asynccontextmanager
async def program(
    name: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program of the system, silent, until the context ends."""
    process = await asyncio.create_subprocess_exec(
        name,
        *arguments,
        env={**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin", **(environment or {})},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        await ended(process, 5)


async def listens(port: int) -> None:
    """Return once somebody accepts there."""
    async with asyncio.timeout(30):
        while not _accepts(port):  # noqa: ASYNC110 - no event of a stranger's reaches us
            await asyncio.sleep(0.05)


def _accepts(port: int) -> bool:
    try:
        create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="winnow-set-") as folder:
        async with local_set(Path(folder)) as running:
            ports = ", ".join(str(each.port) for each in running.instances)
            sys.stdout.write(
                f"HAProxy listens on 127.0.0.1:{running.port}, Winnow on {ports}, Redis on "
                f"{running.redis_port} (Ctrl-C ends them).\n"
            )
            sys.stdout.flush()
            await asyncio.Event().wait()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.stdout.write("\n")
