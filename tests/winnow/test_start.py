"""Until an extraction process has begun, pages wait for it, for a moment, and nothing else does."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.free_ports import free_port
from tests.proxy.origins import Origin, ask, get, html, serving
from winnow.compose.process.service import serve_until_stopped
from winnow.compose.running import Running, listening, running
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import Loaded

PAGE = b"<title>T</title><h1>T</h1>" + b"<p>The river rose overnight. " * 200
BROWSER = "Accept: text/html,*/*;q=0.8"


@pytest.fixture
def _no_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extraction processes that never say that they have begun."""
    sleeping = [sys.executable, "-S", "-c", "import sys; sys.stdin.buffer.read()"]
    monkeypatch.setattr("winnow.compose.factories.worker_command", lambda *_: sleeping)


def settings(folder: Path, port: int = 0, drain: float = 0.0, patience: float = 0.05) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=port, drain=drain, shutdown_grace=1.0),
        extraction=replace(
            plain.extraction,
            processes=1,
            start_seconds=600.0,
            queue_seconds=patience,
            deadline=300.0,
        ),
        storage=replace(plain.storage, folder=folder),
    )


async def own(port: int, path: str) -> tuple[int, bytes]:
    answer = await ask(port, get(f"http://127.0.0.1:{port}{path}", "Connection: close"))
    return answer.status, answer.body


@pytest.mark.usefixtures("_no_extraction")
async def test_a_page_that_comes_before_an_extractor_is_the_original(tmp_path: Path) -> None:
    origin = Origin({"/page": html(PAGE), "/style": html(b"p{}", "Content-Type: text/css")})
    async with serving(origin) as sound, listening(settings(tmp_path)) as proxy:
        page = await ask(proxy.port, get(sound.url("/page"), BROWSER))
        assert (page.status, page.field("winnow-reason"), page.body) == (200, "starting", PAGE)
        assert (await ask(proxy.port, get(sound.url("/style")))).status == 200
        assert await own(proxy.port, "/-/ready") == (503, b"starting\n")
        assert await own(proxy.port, "/-/live") == (200, b"ok\n")


async def test_a_page_that_comes_before_an_extractor_waits_for_it(tmp_path: Path) -> None:
    origin = Origin({"/page": html(PAGE)})
    within = settings(tmp_path, patience=200.0)
    async with serving(origin) as sound, listening(within) as proxy:
        assert proxy.pool.is_starting
        page = await ask(proxy.port, get(sound.url("/page"), BROWSER))
        assert page.field("winnow-action") == "extracted"


@pytest.mark.usefixtures("_no_extraction")
async def test_it_is_ready_after_some_seconds_without_an_extractor(tmp_path: Path) -> None:
    async with listening(settings(tmp_path)) as proxy:
        await proxy.begin(0.01)
        assert await own(proxy.port, "/-/ready") == (200, b"ready\n")


async def test_it_stays_ready_while_no_extractor_runs(tmp_path: Path) -> None:
    """Issue 20, fault 1: a balancer that asks for readiness never sent the page that starts one."""
    async with running(settings(tmp_path)) as proxy:
        first = set(proxy.pool.pids)
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        await until(lambda: not first & set(proxy.pool.pids))
        assert await own(proxy.port, "/-/ready") == (200, b"ready\n")
        await until(lambda: proxy.pool.pids)  # without any page


async def until(holds: Callable[[], object | Awaitable[object]]) -> None:
    async with asyncio.timeout(120):
        while not (await now if isinstance(now := holds(), Awaitable) else now):  # noqa: ASYNC110 - no event of theirs reaches us
            await asyncio.sleep(0.02)


async def served(port: int, path: str) -> tuple[int, bytes]:
    try:
        return await own(port, path)
    except OSError:
        return 0, b""


@pytest.mark.usefixtures("_no_extraction")
async def test_sigterm_while_it_starts_ends_it_at_once(tmp_path: Path) -> None:
    """Issue 20, fault 5: it waited until the extraction processes had begun."""
    port, announced = free_port(), list[Running]()
    loaded = Loaded(settings(tmp_path, port), {})
    proxy = asyncio.create_task(serve_until_stopped(lambda: loaded, announced.append))

    async def is_starting() -> bool:
        return await served(port, "/-/ready") == (503, b"starting\n")

    await until(is_starting)
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(60):
        await proxy
    assert not announced


async def test_it_drains_accepts_and_then_closes(tmp_path: Path) -> None:
    """Issue 20, fault 2. A second signal ends the draining."""
    port, announced = free_port(), list[Running]()
    loaded = Loaded(settings(tmp_path, port, drain=600.0), {})
    proxy = asyncio.create_task(serve_until_stopped(lambda: loaded, announced.append))
    await until(lambda: announced)
    assert await own(port, "/-/ready") == (200, b"ready\n")
    os.kill(os.getpid(), signal.SIGTERM)

    async def is_stopping() -> bool:
        return await own(port, "/-/ready") == (503, b"stopping\n")

    await until(is_stopping)  # every one of these connections was accepted
    assert await own(port, "/-/live") == (200, b"ok\n")
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(60):
        await proxy
    assert await served(port, "/-/live") == (0, b"")
