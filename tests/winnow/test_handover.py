"""``winnow restart``: a new process answers, and the old one cuts nothing that it has begun."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import ssl
import sys
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme

from benchmarks.free_ports import free_port
from benchmarks.load.programs import children, winnow
from tests.proxy.http2_peers import Peer, get_fields
from tests.proxy.origins import ask
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.stores.files import marks_in_use

HALF = b"x" * 50_000
SETTINGS = {
    "WINNOW_EXTRACTION__PROCESSES": "1",
    "WINNOW_EXTRACTION__EXTRACTOR": "bte",
    "WINNOW_INTERCEPTION__HOSTS": "localhost",
}
WEBSOCKET = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Far:
    """An origin that sends the second half of what was asked for when it may."""

    port: int = 0
    open: int = 0
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if b"websocket" in head:
            writer.write(b"HTTP/1.1 101 Go on\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        elif head.startswith(b"get"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (2 * len(HALF)))
        writer.write(HALF)
        self.open += 1
        with suppress(ConnectionError):
            await self.rest(writer)
            await writer.drain()
        writer.close()

    async def rest(self, writer: asyncio.StreamWriter) -> None:
        """Send the second half."""
        await self.go_on.wait()
        writer.write(HALF)


@asynccontextmanager
async def far(
    tls: ssl.SSLContext | None = None, kind: Callable[[], Far] = Far
) -> AsyncIterator[Far]:
    made = kind()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=tls)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(250):
        while not holds():  # noqa: ASYNC110 - no event of another process reaches us
            await asyncio.sleep(0.02)


async def rest_of(streams: Streams) -> int:
    """Bytes of a body whose head is still to come; fewer than both halves where it was cut."""
    reader, writer = streams
    try:
        await reader.readuntil(b"\r\n\r\n")
        return len(await reader.readexactly(2 * len(HALF)))
    finally:
        writer.close()


async def opened(port: int, request: str) -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    return reader, writer


async def download(port: int, at: str, more: str = "") -> int:
    asked = f"GET http://{at}/big HTTP/1.1\r\nHost: {at}\r\n{more}\r\n"
    return await rest_of(await opened(port, asked))


async def tunnel(port: int, at: str, more: str = "") -> Streams:
    reader, writer = await opened(port, f"CONNECT {at} HTTP/1.1\r\nHost: {at}\r\n{more}\r\n")
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def through_tunnel(port: int, at: str, more: str = "") -> int:
    reader, writer = await tunnel(port, at, more)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    return await rest_of((reader, writer))


async def intercepted(port: int, at: str, authority: str) -> int:
    """Raises SSLError if the certificate is not one of Winnow's."""
    reader, writer = await tunnel(port, at)
    context = ssl.create_default_context(cadata=authority)
    await writer.start_tls(context, server_hostname="localhost")
    writer.write(f"GET /big HTTP/1.1\r\nHost: {at}\r\n\r\n".encode())
    return await rest_of((reader, writer))


async def by_http2(port: int, at: str, more: str = "", patience: float = 250) -> int:
    loop = asyncio.get_running_loop()
    _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", port)
    name, _, value = more.strip().partition(": ")
    fields = [(name.lower(), value)] if more else []
    stream = peer.request(get_fields(f"http://{at}/big", *fields))
    async with asyncio.timeout(patience):
        while not stream.ended and stream.reset is None:
            stream.changed.clear()
            await stream.changed.wait()
    peer.close()
    return len(stream.body)


async def knock(port: int, got: list[int], stop: asyncio.Event) -> None:
    """Connect anew for each request. Raises ConnectionError where one is refused or cut."""
    while not stop.is_set():
        got.append((await ask(port, own(port, "GET", "/-/live"))).status)


def own(port: int, method: str, path: str, body: str = "") -> bytes:
    at = f"127.0.0.1:{port}"
    form = "Content-Type: application/x-www-form-urlencoded"
    fields = f"Host: {at}\r\nOrigin: http://{at}\r\nConnection: close\r\n{form}"
    head = f"{method} {path} HTTP/1.1\r\n{fields}\r\nContent-Length: {len(body)}"
    return f"{head}\r\n\r\n{body}".encode()


async def told(folder: Path, *command: str, **environment: str) -> str:
    """What the command says to the Winnow of a folder."""
    settings = {"WINNOW_STORAGE__FOLDER": str(folder / "data")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "winnow", *command),
        env={**os.environ, **settings, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return f"{process.returncode}: {out.decode()}"


async def restarted(folder: Path) -> tuple[int, str]:
    """The number of the process that answers now, 0 if the command failed, and what it said."""
    said = await told(folder, "restart")
    found = re.match(r"0: Process (\d+) answers", said)
    return int(found[1]) if found else 0, said


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.release)])
async def test_a_reload_says_whether_the_settings_hold(tmp_path: Path, processes: int) -> None:
    file, icap = tmp_path / "winnow.toml", free_port()
    text = '[features]\nenabled = ["icap"]\n[icap]\nport = {}\n'
    file.write_text(text.format(icap))
    flags = ("--processes", str(processes), "--config", str(file))
    async with begun(tmp_path, *flags), far() as other:
        assert "has read the settings again" in await told(tmp_path, "reload")
        file.write_text(text.format(other.port))
        said = await told(tmp_path, "reload")
        assert said.startswith(f"1: winnow: icap.port: cannot listen on {other.port}"), said
        assert said.endswith("; the settings before are in force\n")
        _, writer = await asyncio.open_connection("127.0.0.1", icap)
        writer.close()


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.release)])
async def test_a_reload_by_systemd_that_is_refused_is_counted(
    tmp_path: Path, processes: int
) -> None:
    """The command itself refuses settings that cannot be read; the running one has to know.

    Systemd's credentials are not the command's: Debian 12 names them to it and lets it read none.
    """
    file, metric = tmp_path / "winnow.toml", b"winnow_config_last_reload_successful 0.0"
    file.touch()
    flags = ("--config", str(file))
    async with begun(tmp_path, "--processes", str(processes), *flags) as (process, port):
        file.write_text('[server]\nconnections = "many"\n')
        said = await told(tmp_path, "reload", *flags, MAINPID=str(process.pid))
        assert said.startswith("1: winnow: ")
        assert "server.connections" in said
        while metric not in (await ask(port, own(port, "GET", "/-/metrics"))).body:
            pass
        file.write_text("")
        (tmp_path / "storage.redis").write_bytes(b"\xff")
        said = await told(tmp_path, "reload", *flags, CREDENTIALS_DIRECTORY=str(tmp_path))
        assert "has read the settings again" in said
        assert metric not in (await ask(port, own(port, "GET", "/-/metrics"))).body


@asynccontextmanager
async def begun(
    folder: Path, *flags: str, environment: Mapping[str, str] = SETTINGS
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """``winnow serve``; what took over, which is nobody's child, ends too."""
    async with winnow(folder, *flags, environment=environment) as (process, port):
        assert process.stdout
        try:
            yield process, port
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await _end_all(folder)
            if process.returncode is not None:
                await process.stdout.read()  # until nobody has it open


async def _end_all(folder: Path) -> None:
    for mark in marks_in_use(folder / "data"):
        with suppress(ProcessLookupError):
            os.kill(int(mark.read_text().split()[0]), signal.SIGTERM)
    await until(lambda: not marks_in_use(folder / "data"))


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.release)])
async def test_what_has_begun_goes_on_and_nobody_is_refused(tmp_path: Path, processes: int) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "theirs.pem")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(tls)
    more = {**SETTINGS, "WINNOW_UPSTREAM__CA_BUNDLE": str(tmp_path / "theirs.pem")}
    flags = ("--processes", str(processes))
    async with (
        begun(tmp_path, *flags, environment=more) as (process, port),
        far() as plain,
        far(tls) as secret,
    ):
        ours = (await ask(port, own(port, "GET", "/-/ca.crt"))).body.decode()
        at = f"127.0.0.1:{plain.port}"
        work = [download(port, at), download(port, at, WEBSOCKET), through_tunnel(port, at)]
        work += [by_http2(port, at), intercepted(port, f"localhost:{secret.port}", ours)]
        flows = [asyncio.ensure_future(each) for each in work]
        await until(lambda: plain.open + secret.open == len(flows) or any(f.done() for f in flows))
        assert not any(flow.done() for flow in flows)
        stop, got = asyncio.Event(), list[int]()
        knocking = asyncio.create_task(knock(port, got, stop))
        now, said = await restarted(tmp_path)
        assert now not in (0, process.pid), said
        old = [process.pid, *children(process.pid, "server_process")]
        for pid in old:
            os.kill(pid, signal.SIGSTOP)
        assert (await ask(port, own(port, "GET", "/-/ready"))).status == 200  # not by the old one
        for pid in old:
            os.kill(pid, signal.SIGCONT)
        stop.set()
        await knocking
        assert set(got) == {200}
        assert not any(flow.done() for flow in flows)
        plain.go_on.set()
        secret.go_on.set()
        assert await asyncio.gather(*flows) == [2 * len(HALF)] * len(flows)
        await until(lambda: process.returncode is not None)
        assert process.returncode == 0
        assert (await ask(port, own(port, "GET", "/-/live"))).status == 200


def auth(user: str) -> str:
    return f"Proxy-Authorization: Basic {b64encode(f'{user}:secret'.encode()).decode()}\r\n"


@pytest.mark.parametrize(
    ("processes", "restarts", "is_killed"),
    [
        (1, 0, False),
        (1, 2, False),
        (1, 2, True),
        pytest.param(2, 1, False, marks=pytest.mark.release),
        pytest.param(2, 1, True, marks=pytest.mark.release),
    ],
)
async def test_who_is_removed_is_cut_in_the_old_process_too(
    tmp_path: Path, processes: int, restarts: int, is_killed: bool
) -> None:
    """Issue 44: the tunnel of a removed user went on for a day in the process before.

    ``is_killed``: the newest one is, before; nobody tells those before it anything then.
    """
    lines = {name: f'"{name}:{hash_password("secret")}"' for name in ("ann", "bob")}
    file = tmp_path / "winnow.toml"
    file.touch(0o600)

    def let_in(*names: str) -> None:
        users = ", ".join(lines[name] for name in names)
        file.write_text(f"[access]\nopen_to = []\nusers = [{users}]\n")

    let_in("ann", "bob")
    flags = ("--processes", str(processes), "--config", str(file))
    async with begun(tmp_path, *flags) as (process, port), far() as plain:
        at = f"127.0.0.1:{plain.port}"
        flows = {
            (kind, more, name): asyncio.ensure_future(kind(port, at, auth(name) + more))
            for kind, more in (
                *((download, ""), (download, WEBSOCKET)),
                *((through_tunnel, ""), (by_http2, "")),
            )
            for name in lines
        }
        await until(lambda: plain.open == len(flows) or any(each.done() for each in flows.values()))
        now = process.pid
        for _ in range(restarts):
            before, (now, said) = now, await restarted(tmp_path)
            assert now not in (0, before), said
        assert not any(each.done() for each in flows.values())
        let_in("bob")
        os.kill(now, signal.SIGKILL if is_killed else signal.SIGHUP)
        cut = [flow for (*_, name), flow in flows.items() if name == "ann"]
        ended = await asyncio.gather(*cut, return_exceptions=True)
        assert [type(each) for each in ended[:3]] == [asyncio.IncompleteReadError] * 3
        assert ended[3] == len(HALF)
        plain.go_on.set()
        kept = [flow for (*_, name), flow in flows.items() if name == "bob"]
        assert await asyncio.gather(*kept) == [2 * len(HALF)] * 4
        if restarts:
            await until(lambda: process.returncode is not None)
