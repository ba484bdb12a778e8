"""What inputs are tried on, and what counts as a fault: a crash, a hang, a request read twice."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from tests.proxy.proxies import Proxy, proxying
from tests.proxy.server.test_smuggling import Recorder
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import transform
from winnow.jobs.job_types import PipelineError
from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver

DEADLINE: Final = 5.0
"""Seconds of CPU for a page: ``extraction.deadline`` as it is usual."""
ANSWER: Final = 30.0
"""Seconds until a connection must have been answered and closed: generous, the machine may be."""

SILENCE: Final = 0.05
"""Seconds without a byte after which a client says that it will say no more."""


class HangError(Exception):
    """An input that took longer than it may."""


def page_is_survived(page: Page, recipe: Recipe, seconds: float = DEADLINE) -> None:
    """Raises whatever the pipeline raises, and HangError past so many seconds of CPU."""
    with _deadline(seconds):
        try:
            rendered = transform(page, recipe)
        except PipelineError as error:
            if error.failure.reason in ("too-complex", "script-shell"):
                return
            raise
    assert isinstance(rendered.body, bytes)
    assert 0 <= rendered.confidence <= 1


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """CPU time, so that a busy machine hangs nothing."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise HangError(f"no page within {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    start = time.thread_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if time.thread_time() - start > seconds:
        raise HangError(f"no page within {seconds:g} s, all of them in compiled code")


class Complaints(logging.Handler):
    """Keeps what was logged as an error: a handler that raised says so there."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


class OnlyThere(Resolver):
    """Knows one address: an input that was damaged may name any, which is nobody's business."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        if (host, port) != ("127.0.0.1", self._port):
            raise OriginUnreachableError("There is nothing in this test but its origin.")
        return await super().addresses(host, port)


class FrontDoor:
    """A proxy and an origin on one loop; ``survives`` throws bytes at it and looks."""

    def __init__(self, runner: asyncio.Runner, proxy: Proxy, recorder: Recorder) -> None:
        self._runner, self._proxy, self._recorder = runner, proxy, recorder
        self._complaints = Complaints()
        logging.getLogger().addHandler(self._complaints)

    def survives(self, payloads: list[bytes]) -> None:
        """Throw all at once, a connection each.

        Raises AssertionError for a fault, HangError where no end comes.
        """
        self._complaints.said.clear()
        self._recorder.faults.clear()
        for said in self._runner.run(self._all(payloads)):
            assert not said or said.startswith(b"HTTP/1."), said[:80]
        assert not self._recorder.faults, self._recorder.faults
        assert not self._complaints.said, self._complaints.said[0]

    async def _all(self, payloads: list[bytes]) -> list[bytes]:
        at = f"127.0.0.1:{self._recorder.port}".encode()
        thrown = (self._thrown(payload.replace(b"{at}", at)) for payload in payloads)
        return await asyncio.gather(*thrown)

    async def _thrown(self, payload: bytes) -> bytes:
        """All that is answered until the proxy hangs up: at the latest when we say no more."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._proxy.port)
        try:
            async with asyncio.timeout(ANSWER):
                writer.write(payload)
                received = await _until_silent(reader)
                writer.write_eof()
                return received + await reader.read()
        except TimeoutError as error:
            raise HangError(f"no end within {ANSWER:g} s") from error
        except OSError:
            return b""  # hung up on while it still spoke: as good an end as any
        finally:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    def close(self) -> None:
        logging.getLogger().removeHandler(self._complaints)


async def _until_silent(reader: asyncio.StreamReader) -> bytes:
    """A client that says no more is taken to have left, so that it has to listen first."""
    received = b""
    try:
        while data := await asyncio.wait_for(reader.read(65536), SILENCE):
            received += data
    except TimeoutError:
        pass
    return received


@contextmanager
def front_door() -> Iterator[FrontDoor]:
    """A proxy that listens, with an origin that reads requests in their strictest form alone."""
    with asyncio.Runner() as runner:
        recorder = Recorder()

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError):  # whose client has left, its origin is left, too
                await recorder.serve(reader, writer)

        server = runner.run(asyncio.start_server(hear, "127.0.0.1", 0))
        recorder.port = server.sockets[0].getsockname()[1]
        opened = proxying(connector=Connector(OnlyThere(recorder.port), timeout=60))
        door = FrontDoor(runner, runner.run(opened.__aenter__()), recorder)
        try:
            yield door
        finally:
            door.close()
            runner.run(opened.__aexit__(None, None, None))
            server.close()
