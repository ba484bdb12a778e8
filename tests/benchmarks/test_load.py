"""What is measured under load: its arithmetic, its clients and its probe, without a proxy."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.load.clients import Tally, Visitor, Wanted, visits
from benchmarks.load.figures import quantile, slope
from benchmarks.load.origin import page, serve
from benchmarks.load.programs import children, memory
from benchmarks.load.request_mix import SHARES, mixed


def test_a_quantile_is_a_value_that_was_there() -> None:
    assert quantile(range(100), 0.5) == 50
    assert quantile(range(100), 0.99) == 99
    assert quantile([7.0], 0.99) == 7.0
    assert quantile([], 0.5) == 0.0


@pytest.mark.parametrize(
    ("values", "rise"),
    [([100.0] * 50, 0.0), ([90.0, 110.0], 0.2), (list(range(95, 106)), 0.1), ([1.0], 0.0)],
)
def test_a_slope_is_the_rise_over_the_whole_time(values: list[float], rise: float) -> None:
    assert slope(values) == pytest.approx(rise)


def test_requests_are_drawn_by_their_shares_and_no_page_to_extract_comes_twice() -> None:
    choose = mixed(80)
    drawn = [choose() for _ in range(5000)]
    kinds = Counter(each.kind for each in drawn)
    for kind, share in SHARES.items():
        assert kinds[kind] / len(drawn) == pytest.approx(share, abs=0.03)
    stories = [each.url for each in drawn if each.kind == "extraction"]
    assert len(set(stories)) == len(stories)


async def test_clients_keep_their_connection_and_tell_what_they_got() -> None:
    tally, stop = Tally(), asyncio.Event()
    wishes = [Wanted("stream", "/stream"), Wanted("page", "/story/1")]

    def choose() -> Wanted:
        if len(wishes) == 1:
            stop.set()
        return wishes.pop()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    await visits(server.sockets[0].getsockname()[1], choose, tally, stop)
    server.close()
    assert set(tally.seconds) == {"page", "stream"}
    assert (tally.done, tally.failures, tally.connections, tally.under_way) == (2, 0, 1, 0)


async def test_a_reply_that_is_cut_is_a_failure_and_nobody_there_is_reported() -> None:
    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        writer.close()

    server = await asyncio.start_server(cut, "127.0.0.1", 0)
    port, tally = server.sockets[0].getsockname()[1], Tally()
    assert await Visitor(port, tally).ask(Wanted("page", "/")) is None
    assert (tally.failures, tally.done) == (1, 0)
    server.close()
    await server.wait_closed()
    await visits(port, lambda: Wanted("page", "/"), tally, asyncio.Event())
    assert tally.refused == 1


def test_each_page_has_a_text_of_its_own() -> None:
    assert page(1) != page(2)
    assert 10_000 < len(page(1)) < 100_000


def test_the_probe_names_what_held_the_loop(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import asyncio, time\n"
        "async def slowly():\n"
        "    end = time.thread_time() + 0.05\n"
        "    while time.thread_time() < end: pass\n"
        "asyncio.run(slowly())\n"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "benchmarks.load.probe", "blocks.json", "slow"]
    path = f"{root}:{tmp_path}"
    subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": path}, check=True, timeout=60)
    _, wall, cpu, name = json.loads((tmp_path / "blocks.json").read_text())[0]
    assert name == "slowly"
    assert wall >= cpu * 0.9
    assert cpu >= 0.05


def test_processes_are_found_and_their_memory_is_reported() -> None:
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
        assert child.pid in children(os.getpid())
        assert memory([child.pid]) > 0
        assert memory([]) == 0
