"""Several server processes answer as one: what one learns all use, and no request is lost."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from benchmarks.load.clients import Got, Tally, Visitor, Wanted, visits
from benchmarks.load.programs import children, origin, winnow
from tests.proxy.origins import Answer, ask, get

Whole = tuple[asyncio.subprocess.Process, int, Path]
PAGE = "text/html,*/*;q=0.8"
OWN = 'winnow_requests_total{action="own",reason="own"}'
SETTINGS = """
[server]
processes = 2
shutdown_grace = "20s"
[extraction]
processes = 2
deadline = "60s"
queue_seconds = "60s"
extractor = "{method}"
"""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def whole(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    """Two server processes, each with a worker; the last test ends them."""
    folder = tmp_path_factory.mktemp("processes")
    (folder / "winnow.toml").write_text(SETTINGS.format(method="bte"))
    async with winnow(folder) as (process, port):
        yield process, port, folder


async def own(port: int, path: str, method: str = "GET", body: str = "") -> Answer:
    """Ask a page of ours, on a connection that any server process may get."""
    fields = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: close"
    form = "Content-Type: application/x-www-form-urlencoded"
    head = f"{method} {path} HTTP/1.1\r\n{fields}\r\n{form}\r\nContent-Length: {len(body)}"
    return await ask(port, f"{head}\r\n\r\n{body}".encode())


async def figure(port: int, name: str) -> float:
    text = (await own(port, "/-/metrics")).body.decode()
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until something holds that other processes bring about."""
    async with asyncio.timeout(250):
        while not (await now if isinstance(now := holds(), Awaitable) else now):  # noqa: ASYNC110 - no event of theirs reaches us
            await asyncio.sleep(0.02)


async def test_what_one_worker_is_told_all_know_at_once(whole: Whole) -> None:
    _, port, _ = whole
    before = await figure(port, OWN)
    form = (await own(port, "/-/settings")).body.decode()
    assert "Resume now" not in form
    told = [await own(port, "/-/settings", "POST", paused(form)) for _ in range(8)]
    assert {answer.status for answer in told} == {303}  # all know what one has made
    shown = [(await own(port, "/-/settings")).body for _ in range(8)]
    assert all(b"Resume now" in body for body in shown)
    assert await figure(port, OWN) - before == 18  # whichever is asked, it counts for all
    await own(port, "/-/settings", "POST", paused(shown[0].decode()))  # that form goes on
    assert b"Resume now" not in (await own(port, "/-/settings")).body


async def test_the_list_of_pages_is_that_of_all_workers(whole: Whole) -> None:
    _, port, _ = whole
    for number in range(8):
        url = f"http://127.0.0.1:1/{number}"
        await ask(port, get(url, f"Accept: {PAGE}", "Connection: close"))
    for _ in range(4):
        shown = (await own(port, "/-/activity")).body.decode()
        assert re.findall(r'<strong dir="ltr">127.0.0.1:1/(\d)<', shown) == list("76543210")


def paused(form: str) -> str:
    """The fields of the first form that begins or ends a pause, as a browser sends them."""
    changes = re.compile('value="(pause|resume)"')
    first = next(filter(changes.search, form.split("<form")))
    first = first.partition("</form>")[0]
    pairs = re.findall(r'name="([^"]+)" value="([^"]*)"', first)
    return "&".join(f"{name}={value}" for name, value in pairs)


async def under_load(port: int, pages: int, clients: int, tally: Tally) -> asyncio.Event:
    """Clients that ask until the event is set; returns once each has got something."""
    stop, numbers = asyncio.Event(), iter(range(1 << 30))

    def choose() -> Wanted:
        number = next(numbers)
        kind = "slow/2" if number % 8 == 0 else "story"
        return Wanted(kind, f"http://127.0.0.1:{pages}/{kind}/{number % 50}", PAGE)

    work = [visits(port, choose, tally, stop, 5) for _ in range(clients)]
    tasks = asyncio.gather(*work)
    tasks.add_done_callback(lambda _: stop.set())
    try:
        await until(lambda: tally.done >= 2 * clients or stop.is_set())
        assert not stop.is_set()
    except (AssertionError, TimeoutError) as error:
        raise AssertionError(f"Clients got no further: {tally}") from error
    return stop


async def test_a_killed_worker_costs_what_was_under_way_on_it_and_is_replaced(whole: Whole) -> None:
    process, port, _ = whole
    tally = Tally()

    async def both() -> bool:
        return await figure(port, "winnow_server_processes") == 2

    async with origin() as pages:
        stop = await under_load(port, pages, 8, tally)
        under_way = tally.under_way
        os.kill(children(process.pid, "server_process")[0], signal.SIGKILL)
        done = tally.done
        await until(lambda: tally.done >= done + 40)  # the other answers meanwhile
        await until(both)
        stop.set()
        await until(lambda: not tally.under_way)
    assert tally.failures <= under_way
    assert tally.refused == 0
    assert await figure(port, "winnow_server_process_restarts_total") == 1


async def test_settings_are_read_again_without_losing_a_request(whole: Whole) -> None:
    process, port, folder = whole
    tally = Tally()
    async with origin() as pages:
        visitor = Visitor(port, Tally())

        async def changed() -> bool:
            return method_of(await visitor.ask(story(pages))) == "largest-block"

        assert not await changed()
        stop = await under_load(port, pages, 6, tally)
        (folder / "winnow.toml").write_text(SETTINGS.format(method="largest-block"))
        process.send_signal(signal.SIGHUP)
        await until(changed)
        assert visitor.tally.connections == 1  # a connection that was there goes on
        stop.set()
        await until(lambda: not tally.under_way)
        visitor.close()
    assert (tally.failures, tally.refused) == (0, 0)


def story(pages: int) -> Wanted:
    return Wanted("story", f"http://127.0.0.1:{pages}/story/1", PAGE)


def method_of(got: Got | None) -> str:
    return got.fields["winnow-extractor"] if got else ""


async def test_the_end_under_load_loses_no_request(whole: Whole) -> None:
    process, port, _ = whole
    tally = Tally()
    async with origin() as pages:
        await under_load(port, pages, 8, tally)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        await until(lambda: not tally.under_way)
    assert tally.failures == 0
    assert tally.refused == 8  # each client came once more, and nobody listened
