"""The benchmark of the data path: what is asked, what is counted, how it is told."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.free_ports import free_port
from benchmarks.generated_pages import typical
from benchmarks.traffic import page_visits, report, tls
from benchmarks.traffic.async_client import Timed, ask, at_rate
from benchmarks.traffic.origin import write_files
from benchmarks.traffic.processes import Server, resident, serving, tree
from benchmarks.traffic.proxies import PROXIES, started
from benchmarks.traffic.request_cost import Cell, Spread
from benchmarks.traffic.workloads import LOADS, NAVIGATION, Load, probe
from winnow.evaluation.errors import SubjectError

BUSY = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\ninput()"


def test_a_typical_page_has_few_words_for_its_bytes() -> None:
    made = typical(100_000)
    assert 80_000 < len(made) < 110_000
    assert made == typical(100_000)
    assert 0 < made.count(b"<script>") < made.count(b"<p>") * 3


def test_cpu_of_children_counts() -> None:
    program = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        assert len(tree(process.pid)) == 2
        assert Server(process.pid, 0).cpu() >= 0.3
        assert resident(process.pid) > 1_000_000
        process.communicate(b"\n")


def test_a_port_that_does_not_listen_is_named() -> None:
    with (
        pytest.raises(SubjectError, match="idler does not listen"),
        serving([sys.executable, "-c", ""], free_port(), "idler"),
    ):
        pass


def test_the_pass_through_passes_what_the_origin_says(tmp_path: Path) -> None:
    write_files(tmp_path / "files")
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    with (
        serving(command, port, "files", folder=tmp_path / "files") as origin,
        started(PROXIES[0], tmp_path) as proxy,
    ):
        url = f"http://127.0.0.1:{origin.port}"
        probe(proxy.port, url, LOADS[0], held=False)
        with pytest.raises(SubjectError, match="the page is None, not original"):
            probe(proxy.port, url, LOADS[0], held=True)
        with pytest.raises(SubjectError, match="404"):
            probe(proxy.port, url, Load("none", "/none"), held=False)


def test_every_load_stands_beside_one_that_is_there() -> None:
    names = {load.name for load in LOADS}
    assert {load.reference for load in LOADS} <= names
    assert all(load.fields == NAVIGATION for load in LOADS if load.action == "extracted")


async def test_requests_at_a_rate_do_not_wait_for_each_other() -> None:
    under_way = 0
    all_begun = asyncio.Event()

    async def slow() -> Timed:
        nonlocal under_way
        under_way += 1
        if under_way == 3:
            all_begun.set()
        await all_begun.wait()
        return Timed(0.0, 0.0)

    async with asyncio.timeout(60):
        assert len(await at_rate([slow] * 3, 1000)) == 3


async def test_a_body_is_read_to_its_end() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    streams = await asyncio.open_connection(*server.sockets[0].getsockname())
    begun = time.perf_counter()
    timed = await ask(streams, "/", {"Host": "a.example"})
    assert 0 < timed.first <= timed.last <= time.perf_counter() - begun
    with pytest.raises(SubjectError, match="502"):
        await ask(streams, "/", {"Host": "a.example"})
    streams[1].close()
    server.close()


def test_the_origins_certificate_is_for_this_machine(tmp_path: Path) -> None:
    chain, key = tls.certificate(tmp_path)
    assert chain.read_bytes().startswith(b"-----BEGIN CERTIFICATE")
    assert b"PRIVATE KEY" in key.read_bytes()


def test_only_what_changed_beyond_noise_is_reported() -> None:
    def cell(cpu: float, load: str) -> Cell:
        one = Spread.of([cpu])
        return Cell("winnow", load, 16, one, one, one, one, 0)

    old = report.request_cost_figures([cell(1, "a"), cell(1, "b"), cell(4, "c")])
    new = report.request_cost_figures([cell(2, "a"), cell(1.1, "b"), cell(2, "c"), cell(9, "d")])
    told = report.compared(old, new).splitlines()
    assert told == [
        "Against the 3 committed figures (above 1 is slower)",
        "  2.00 x  a (winnow, 16 at once)",
        "  0.50 x  c (winnow, 16 at once)",
    ]
    assert "nothing by more than 15 %" in report.compared(new, new)


def test_what_the_reference_was_unsteady_on_is_not_to_be_published() -> None:
    steady, apart = Spread(100, 95, 109), Spread(100, 90, 106)
    told = report.steadiness({"a": steady}, 0.5)
    assert "by 14% to 14% (at most 15%), load 0.5. All may be published." in told
    told = report.steadiness({"a": steady, "b, 16 at once": apart}, 0.5)
    assert told.endswith("NOT to be published: b, 16 at once (16%).\n")


def test_a_visit_is_a_page_and_a_hundred_sub_resources_of_the_traces_sizes(tmp_path: Path) -> None:
    page_visits.write_files(tmp_path)
    asked = list(page_visits.sub_resources("http://a.example/"))
    assert len({one.path for one in asked}) == 100
    assert all((tmp_path / one.path.lstrip("/")).stat().st_size == one.size for one in asked)
    assert {one.fields["Cookie"] for one in asked} == {page_visits.COOKIE}
    assert {one.fields["Sec-Fetch-Mode"] for one in asked} == {"cors", "no-cors"}


def test_a_median_stands_between_its_ends() -> None:
    assert Spread.of([3, 1, 2]) == Spread(2, 1, 3)
    assert "cell" not in report.request_costs([])


@pytest.mark.parametrize("program", ["storages memory", "storages disk", "lessons"])
def test_what_is_inside_is_timed_at_each_size(program: str) -> None:
    name, *told = program.split()
    command = [sys.executable, "-m", f"tests.load.{name}", *told, "10", "20"]
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    costs = [float(cost) for cost in done.stdout.strip(" []\n").split(",")]
    assert len(costs) == 2
    assert min(costs) > 0
