"""Written applications are read as they show themselves, and no page gets out of its browser."""

from __future__ import annotations

import asyncio
import re
import socket
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.features.render.processes import descendants, is_filtered, left_in, running
from tests.features.render.sites import APPLICATIONS, HOSTILE, SENTENCES, Site, serving
from tests.sweeps import rest_in_release
from winnow.chromium.errors import ChromiumError, NoChromiumError, NoSandboxError
from winnow.chromium.page_loader import LoadBounds
from winnow.document.values import Format, Recipe
from winnow.engine.pipeline import transform
from winnow.features.render import page_renderer
from winnow.features.render.drawn_page import DrawnPage
from winnow.features.render.page_renderer import PageRenderer
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver

AT_ONCE = ("endless loop", "private addresses", "requests")
"""Hostile pages of ``make test``."""
ICON = "/favicon.ico"
"""The browser's own request, which no page can keep it from."""


class Names(Resolver):
    """``site.example`` is this computer, and so is every other name."""

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        address = host if host[0].isdigit() else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with serving() as found:
        yield found


def renderer(site: Site, seconds: float = 30) -> PageRenderer:
    """One for which the site's port is public, and nothing else of this computer."""
    return PageRenderer(
        Connector(Names()), LoadBounds(seconds), permit=lambda _, port: port == site.port
    )


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of this test alone for the profiles of browsers, which another user may enter."""
    with tempfile.TemporaryDirectory(prefix="winnow-test-", dir="/tmp") as made:
        Path(made).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", made)
        yield Path(made)


@pytest.mark.parametrize("name", rest_in_release(APPLICATIONS, list(APPLICATIONS)[::4]))
async def test_an_application_is_read_as_it_shows_itself(site: Site, name: str) -> None:
    assert_read(await renderer(site)(site.url(f"/application/{list(APPLICATIONS).index(name)}")))


def assert_read(drawn: DrawnPage) -> None:
    """Every sentence, and hardly a word more."""
    rendered = transform(drawn.page, Recipe(format=Format.TEXT))
    words = re.findall(r"\w+", rendered.body.decode())
    wanted = re.findall(r"\w+", " ".join(SENTENCES))
    assert Counter(wanted) <= Counter(words)
    assert len(words) <= len(wanted) + 10
    assert not drawn.goes_on


async def test_a_page_with_a_service_worker(site: Site) -> None:
    assert_read(await renderer(site)(f"http://localhost:{site.port}/service-worker"))
    assert "/worker.js" in site.seen


async def test_of_an_endless_list_the_first_screens_are_read(site: Site) -> None:
    drawn = await renderer(site)(site.url("/endless"))
    assert drawn.goes_on
    assert b"Item 41:" in drawn.page.body
    assert b"Item 400:" not in drawn.page.body


async def test_nothing_is_loaded_that_has_no_text(site: Site) -> None:
    assert_read(await renderer(site)(site.url("/heavy")))
    assert set(site.seen) <= {"/heavy", ICON}


async def test_hosts_of_the_list_of_advertisements_are_not_asked(
    site: Site, tmp_path: Path
) -> None:
    listed = tmp_path / "ads.txt"
    listed.write_text("/data^\n/data|\n")
    with suppress(TransformError):
        await renderer(site)(site.url("/application/1"), str(listed))
    assert set(site.seen) <= {"/application/1", ICON}


@pytest.mark.parametrize("name", rest_in_release(HOSTILE, AT_ONCE))
async def test_no_page_hangs_stays_or_strays(site: Site, name: str, folder: Path) -> None:
    number, reason = list(HOSTILE).index(name), "render-failed"
    with suppress(TransformError):
        try:
            page = await renderer(site, 6)(site.url(f"/hostile/{number}"))
            assert len(page.page.body) < 8_000_000
        except TransformError as error:
            reason = error.reason
            raise
    assert reason == "render-failed"
    assert running(folder) == []
    assert left_in(folder) == []
    assert site.strayed == []
    assert len(site.seen) <= LoadBounds().requests + 1


async def test_the_browser_runs_with_its_sandbox_on(site: Site, folder: Path) -> None:
    loading = asyncio.create_task(renderer(site, 5)(site.url("/hostile/0")))
    filtered: list[bool] = []
    while not loading.done() and not any(filtered):
        seen = await asyncio.to_thread(descendants)
        assert not any("--no-sandbox" in line for line in await asyncio.to_thread(running, folder))
        filtered = [is_filtered(pid) for pid, line in seen.items() if "--type=renderer" in line]
    assert any(filtered)
    with suppress(TransformError):
        await loading


async def test_private_addresses_are_refused_by_default(site: Site) -> None:
    with pytest.raises(TransformError) as caught:
        await PageRenderer(Connector(Names()), LoadBounds(30))(site.url("/application/0"))
    assert caught.value.reason == "render-failed"
    assert "is no public address" in str(caught.value)
    assert site.seen == []


async def test_more_pages_than_may_wait_are_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = asyncio.Event()

    async def forever(_self: PageRenderer, _url: str, _ads: str) -> DrawnPage:
        started.set()
        await asyncio.sleep(60)
        raise AssertionError

    monkeypatch.setattr(PageRenderer, "_drawn", forever)
    one = renderer(site)
    tasks = [asyncio.create_task(one(site.url("/"))) for _ in range(4)]
    await started.wait()
    with pytest.raises(TransformError) as caught:
        await one(site.url("/"))
    assert caught.value.reason == "busy"
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NoChromiumError("None is installed."), "no-browser"),
        (NoSandboxError("None starts."), "no-sandbox"),
        (ChromiumError("It has ended."), "render-failed"),
    ],
)
async def test_each_fault_has_its_reason_and_sentence(
    site: Site, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(page_renderer, "load", fails)
    with pytest.raises(TransformError, match=str(error)) as caught:
        await renderer(site)(site.url("/"))
    assert caught.value.reason == reason
