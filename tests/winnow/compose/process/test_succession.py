"""Two processes' stores at a hand-over: what the older one is told meanwhile reaches the newer."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import ask
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import get
from tests.winnow.test_server_processes import paused
from winnow.compose.process import succession
from winnow.compose.process.shares import SharedState
from winnow.compose.running import Running, listening, running
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.proxy.access.credentials.withdrawal import Admits
from winnow.proxy.server.sockets import opened
from winnow.proxy.stores.files import is_in_use, marks_in_use


async def pause(proxy: Running, form: str) -> tuple[int, str, str]:
    """Send the form of a pause; the answer's status, Location and Connection."""
    at = f"127.0.0.1:{proxy.port}"
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"POST /-/settings HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\n{kind}\r\n"
    request = f"{head}Content-Length: {len(form)}\r\n\r\n{form}".encode()
    answer = await ask(proxy.port, request)
    return answer.status, answer.field("location"), answer.field("connection")


async def test_a_change_after_the_newer_one_opens_the_stores_is_made_there(tmp_path: Path) -> None:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=UNHURRIED,
        storage=replace(plain.storage, folder=tmp_path),
    )
    shared = SharedState()
    async with listening(settings, shared=shared) as older:
        form = paused((await get(older, "/-/settings")).body.decode())
        handed = opened([each.dup().detach() for each in older.sockets])
        await older.state.handover.rest(5)
        assert await pause(older, form) == (307, "/-/settings", "close")
        await older.rest()
        async with listening(settings, shared=shared, sockets=handed) as newer:
            assert newer.port == older.port
            assert len(marks_in_use(tmp_path)) == 1, "both are one instance"
            assert not newer.state.observability.notices.texts()
            status, _, _ = await pause(newer, form)
            assert status == 303, "the key of the older one's forms is known"
            assert newer.state.choices.now.owners
        await older.resume()
        assert (await pause(older, form))[0] == 303
    assert not is_in_use(tmp_path)


class Standing:
    """What notes whether it rests."""

    sockets = ()

    def __init__(self) -> None:
        self.told: list[str] = []

    async def rest(self) -> None:
        self.told.append("rest")

    async def resume(self) -> None:
        self.told.append("resume")

    def withdraw(self, later: Admits) -> None:
        self.told.append(f"withdraw {later}")


def nobody() -> Admits:
    """What settings without users and networks let in."""
    return {"credentials": [], "open_to": []}


OPENS_AND_ENDS = """
import os, socket
side = socket.socket(fileno=int(os.environ["WINNOW_HANDOVER_FILE"]))
side.send(b'{"do": "opens", "pid": %d}' % os.getpid())
side.recv(1000)
"""


TAKES_OVER_AND_ENDS = OPENS_AND_ENDS + 'side.send(b\'{"do": "begun"}\')'


BEGINS_AND_WAITS = """
import os, socket
socket.socket(fileno=int(os.environ["WINNOW_HANDOVER_FILE"])).recv(1000)
"""


async def test_a_newer_one_that_never_opens_its_stores_costs_the_older_one_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed = list[int]()
    monkeypatch.setattr(os, "kill", lambda process, _signal: killed.append(process))
    monkeypatch.setattr(succession, "START_SECONDS", 0.1)
    begins = (sys.executable, "-S", "-c", BEGINS_AND_WAITS)
    monkeypatch.setattr(succession, "command", lambda: begins)
    older = Standing()
    assert await succession.hand_over(older, succession.Newer(nobody))
    assert (older.told, killed) == (["resume"], [])


@pytest.mark.parametrize(
    ("program", "told"), [("pass", ["resume"]), (OPENS_AND_ENDS, ["rest", "resume"])]
)
async def test_the_older_one_goes_on_where_the_newer_one_ends(
    program: str, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(succession, "command", lambda: (sys.executable, "-S", "-c", program))
    older = Standing()
    failure = await succession.hand_over(older, succession.Newer(nobody))
    assert failure.startswith("the new process ended")
    assert older.told == told


async def test_leaving_ends_the_workers_though_all_flows_end_while_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = Settings()
    here = replace(plain, server=replace(plain.server, port=0))
    ended = list[str]()
    async with running(here) as proxy:
        close, closing = proxy.backend.pool.aclose, asyncio.Event()

        async def slow() -> None:
            closing.set()
            await asyncio.sleep(0.05)  # what has begun ends now
            await close()
            ended.append("workers")

        async def end(_seconds: float) -> bool:
            await closing.wait()
            return True

        with monkeypatch.context() as patched:
            patched.setattr(proxy.backend.pool, "aclose", slow)
            patched.setattr(proxy.state.handover, "end", end)
            await proxy.leave()
            await asyncio.wait_for(asyncio.gather(*proxy._retired), 60)
        assert ended == ["workers"]


async def test_where_the_newer_one_ends_the_older_one_reads_who_is_let_in(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Issue 44: nobody told it any more that a user was removed."""
    program = (sys.executable, "-S", "-c", TAKES_OVER_AND_ENDS)
    monkeypatch.setattr(succession, "command", lambda: program)
    monkeypatch.setattr(succession, "ALONE_SECONDS", 0)
    ann: Admits = {"credentials": ["a"], "open_to": []}
    found: Iterator[Admits | ConfigError] = iter([ConfigError("no such user"), nobody(), ann])
    done = asyncio.Event()

    def read() -> Admits:
        each = next(found, None)
        if each is None:
            done.set()
            return nobody()
        if isinstance(each, ConfigError):
            raise each
        return each

    older, this = Standing(), succession.Newer(read)
    assert not await succession.hand_over(older, this)
    async with asyncio.timeout(60):
        await done.wait()
    this.beside[0].cancel()
    assert older.told[:2] == ["rest", f"withdraw {nobody()}"]
    assert "['a']" in older.told[2]
    assert "no such user" in caplog.text
