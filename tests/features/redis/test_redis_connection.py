"""A Redis by its address: over TLS, and the master that Sentinels name, also after it died."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trustme
from redis.exceptions import RedisError

from benchmarks.free_ports import free_port
from tests.programs import require_program
from tests.proxy.http.test_client_context import authority, by_common_name
from tests.sweeps import rest_in_release
from winnow.features.redis.redis_connection import redis_at
from winnow.features.redis.redis_storage import RedisValues
from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.tls.authority import Authority

__all__ = ["authority"]
SECRET = "a-password"
Config = Mapping[str, str]
OFTEN = ("info-period", "200", "ask-period", "200", "publish-period", "200")
"""Milliseconds between what a Sentinel asks and tells."""
SOON = ("down-after-milliseconds", "300")


@asynccontextmanager
async def server(
    folder: Path, config: Config, *flags: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Redis by a file of settings, until the context ends."""
    file = folder / f"{config['port']}-{config.get('tls-port', '')}.conf"
    file.write_text("".join(f"{name} {value}\n" for name, value in config.items()))
    process = await asyncio.create_subprocess_exec(
        *(str(require_program("redis-server")), str(file), *flags),
        stdout=asyncio.subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def listening(port: int, tls: Config) -> dict[str, str]:
    """Settings of a server at a port of loopback."""
    ports = {"port": "0", "tls-port": str(port)} if tls else {"port": str(port)}
    return {**ports, **tls, "bind": "127.0.0.1", "save": '""', "loglevel": "warning"}


def keys(folder: Path, *names: str) -> dict[str, str]:
    """Settings of TLS with a certificate of these names, and ``ca.pem`` to trust."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    leaf = authority.issue_cert(*names)
    leaf.private_key_and_cert_chain_pem.write_to_path(str(folder / "leaf.pem"))
    return {
        "tls-cert-file": str(folder / "leaf.pem"),
        "tls-key-file": str(folder / "leaf.pem"),
        "tls-ca-cert-file": str(folder / "ca.pem"),
        "tls-auth-clients": "no",
    }


async def answers(url: str) -> bool:
    """Whether a value that is stored there can be read."""
    redis = redis_at(url, timeout=60, connect_timeout=60)
    try:
        await redis.set("key", "value")
        return bool(await redis.get("key") == b"value")
    finally:
        await redis.aclose()


async def until_answers(url: str) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                if await answers(url):
                    return
            except (RedisError, OSError):
                await asyncio.sleep(0.1)


async def test_over_tls_with_an_authority_of_ones_own(tmp_path: Path) -> None:
    port, tls = free_port(), keys(tmp_path, "127.0.0.1")
    async with server(tmp_path, {**listening(port, tls), "requirepass": SECRET}):
        at = f"@127.0.0.1:{port}/0"
        await until_answers(f"rediss://:{SECRET}{at}?ssl_ca_certs={tmp_path / 'ca.pem'}")
        with pytest.raises((RedisError, OSError)):  # not one of the system's authorities
            await answers(f"rediss://:{SECRET}{at}")
        with pytest.raises((RedisError, OSError)):
            await answers(f"redis://:{SECRET}{at}")


@dataclass
class Watched:
    """A master, its replica and two Sentinels; ``url`` is what a Winnow is told."""

    url: str
    master: asyncio.subprocess.Process
    sentinels: list[str]

    async def fail_over(self) -> None:
        """End the master. No Sentinel missed it before: one that waits for the processor would."""
        self.master.kill()
        await self.master.wait()
        for url in self.sentinels:
            async with aclosing(sentinel_at(url)) as sentinel:
                await sentinel.execute_command("SENTINEL", "SET", "readers", *SOON)


def sentinel_at(url: str) -> Any:
    return redis_at(url, timeout=60, connect_timeout=60)


@asynccontextmanager
async def watched(folder: Path, tls: Config) -> AsyncIterator[Watched]:
    """Start all; the Sentinels have a password of their own."""
    ports = [free_port() for _ in range(4)]
    both = {"requirepass": SECRET, "masterauth": SECRET}
    over = {"tls-replication": "yes"} if tls else {}
    watching = (
        f"sentinel monitor readers 127.0.0.1 {ports[0]} 1\nsentinel auth-pass readers {SECRET}"
    )
    calm = "down-after-milliseconds readers 600000\nsentinel failover-timeout readers 1000"
    async with AsyncExitStack() as stack:
        master = await stack.enter_async_context(
            server(folder, {**listening(ports[0], tls), **both, **over})
        )
        of = {"replicaof": f"127.0.0.1 {ports[0]}"}
        await stack.enter_async_context(
            server(folder, {**listening(ports[1], tls), **both, **over, **of})
        )
        for port in ports[2:]:
            config = {**listening(port, tls), **over, "requirepass": "theirs"}
            config |= {"sentinel sentinel-pass": "theirs", watching + "\nsentinel": calm}
            await stack.enter_async_context(server(folder, config, "--sentinel"))
        hosts = ",".join(f"127.0.0.1:{port}" for port in (free_port(), *ports[2:]))
        scheme, trust = ("rediss", f"&ssl_ca_certs={folder / 'ca.pem'}") if tls else ("redis", "")
        own = [f"{scheme}://:theirs@127.0.0.1:{port}/0?{trust[1:]}" for port in ports[2:]]
        for sentinel in own:
            await until_it_knows_the_others(sentinel)
        query = f"sentinel_password=theirs{trust}"
        yield Watched(f"{scheme}+sentinel://:{SECRET}@{hosts}/readers/0?{query}", master, own)


async def until_it_knows_the_others(url: str) -> None:
    """Wait until a Sentinel knows the replica and the other Sentinel: one that knows no replica
    when the master dies never finds another. It asks every 10 s unless told otherwise."""
    redis = sentinel_at(url)
    async with asyncio.timeout(120):
        while True:
            try:
                await redis.execute_command("SENTINEL", "DEBUG", *OFTEN)
                replicas = await redis.execute_command("SENTINEL", "REPLICAS", "readers")
                others = await redis.execute_command("SENTINEL", "SENTINELS", "readers")
                if replicas and others:
                    break
                await asyncio.sleep(0.2)
            except (RedisError, OSError):  # it has not begun
                await asyncio.sleep(0.2)
    await redis.aclose()


@pytest.mark.parametrize("with_tls", rest_in_release([False, True], [True]))
async def test_the_master_that_sentinels_name_and_the_next_one(
    tmp_path: Path, with_tls: bool
) -> None:
    tls = keys(tmp_path, "127.0.0.1") if with_tls else {}
    async with watched(tmp_path, tls) as made:
        await until_answers(made.url)
        await replicated(made.url)
        async with aclosing(RedisValues(made.url, "winnow:", patience=60)) as values:
            await values.put("a", b"before")
            await replicated(made.url)
            await made.fail_over()
            await after_the_failover(values)
            assert await values.get("a") == b"after"


async def after_the_failover(values: RedisValues) -> None:
    """Write as soon as there is a master again: sentinels that had to wait for the processor
    trust their clocks again after 30 s ("TILT mode")."""
    async with asyncio.timeout(200):
        while True:
            try:
                assert await values.get("a") == b"before"
                await values.put("a", b"after")
                break
            except StorageError:
                await asyncio.sleep(0.1)


async def replicated(url: str) -> None:
    """Wait until a replica has all that was written."""
    redis = redis_at(url, timeout=60, connect_timeout=60)
    async with asyncio.timeout(60):
        while True:
            await redis.set("mark", "1")
            if await redis.wait(1, 1000) == 1:
                break
    await redis.aclose()


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://127.0.0.1:26379",
        "redis+sentinel://127.0.0.1:26379/",
        "redis+sentinel:///readers/0",
        "redis+sentinel://127.0.0.1:x/readers/0",
        "redis+sentinel://127.0.0.1,/readers/0",
        "redis+sentinel://127.0.0.1/readers/none",
        "http+sentinel://127.0.0.1/readers/0",
        "http://127.0.0.1",
    ],
)
def test_what_names_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        redis_at(url, timeout=1, connect_timeout=1)


async def test_a_redis_is_verified_by_its_alternative_name_alone(
    authority: Authority,
    tmp_path: Path,
) -> None:
    bundle = tmp_path / "ca.pem"
    bundle.write_bytes(authority.pem)

    async def taken(*names: str) -> bool:
        """Whether the client finished the handshake: a server is called no sooner."""
        spoken = asyncio.Event()

        async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            spoken.set()
            writer.close()

        context = by_common_name(authority, "localhost", *names)
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        url = f"rediss://localhost:{port}/0?ssl_ca_certs={bundle}"
        redis = redis_at(url, timeout=10, connect_timeout=10)
        with pytest.raises((RedisError, OSError)):
            await redis.get("key")
        await redis.aclose()
        server.close()
        return spoken.is_set()

    assert not await taken()
    assert await taken("localhost")
