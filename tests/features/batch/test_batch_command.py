"""``winnow extract --batch``: every record once, though a worker or the whole run is killed.

The run is a process of its own and works on a list of addresses, whose origin holds answers back:
so each kill comes while pages are under way, without a clock.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.unhurried import IN_ENVIRONMENT
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.cli import main

PAGES = 16
"""Enough that the last chunk is only given out when the rows of the first one are on disk."""
PATIENCE = 240.0


class Origin:
    """Answers the first ``let`` pages; those who ask for others wait until more are let through."""

    def __init__(self) -> None:
        self.let = 0
        self.asked: list[int] = []
        self.changed = threading.Condition()
        origin = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = int(self.path[1:])
                origin.wait_for(page)
                try:
                    self.send_response(500 if page == 3 else 200)
                    self.send_header("Content-Type", "text/html; charset=utf-8")
                    self.end_headers()
                    self.wfile.write(PAGE.encode())
                except OSError:
                    self.close_connection = True  # who asked was killed

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def wait_for(self, page: int) -> None:
        with self.changed:
            self.asked.append(page)
            self.changed.notify_all()
            self.changed.wait_for(lambda: page <= self.let, PATIENCE)

    def open(self, let: int) -> None:
        with self.changed:
            self.let = let
            self.changed.notify_all()

    def held(self) -> list[int]:
        """Who asks for more than is let through, and so waits."""
        return [page for page in self.asked if page > self.let]

    def until(self, so: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(so, PATIENCE)


@pytest.fixture
def origin() -> Iterator[Origin]:
    made = Origin()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.open(PAGES)
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@contextmanager
def running(arguments: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as told:
        command = [sys.executable, "-m", "winnow", *arguments]
        given = {**os.environ, **IN_ENVIRONMENT}
        process = subprocess.Popen(command, stdout=told, stderr=told, env=given)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in listed for child in file.read_text().split()]


def a_worker(pid: int) -> int:
    """One of the processes below ``pid`` that extract."""
    (server,) = [one for one in children(pid) if b"forkserver" in command_of(one)]
    return children(server)[0]


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@dataclass(frozen=True)
class Run:
    """The command over a list of the origin's pages, and a line that is no address."""

    urls: list[str]
    command: list[str]
    out: Path
    log: Path

    def checked(self) -> None:
        """Every record came out once, in order, the two that are no page with their errors."""
        rows = [json.loads(line) for line in self.out.read_text().splitlines()]
        listed = [(row["record"], row["source"]) for row in rows]
        assert listed == list(enumerate([*self.urls, "no address"], 1))
        faulty = {row["record"]: row["error"] for row in rows if row["error"]}
        assert faulty.keys() == {3, PAGES + 1}
        assert faulty[3] == f"{self.urls[2]} answered with status 500"
        assert all(ARTICLE[0] in row["text"] for row in rows if not row["error"])
        assert rows[0]["words"] > 20
        assert not Path(f"{self.out}.parts").exists()


@pytest.fixture
def run(origin: Origin, tmp_path: Path) -> Run:
    address = f"http://127.0.0.1:{origin.server.server_port}"
    urls = [f"{address}/{number}" for number in range(1, PAGES + 1)]
    corpus, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    corpus.write_text("\n".join([*urls, "no address"]))
    command = ["extract", "--batch", str(corpus), "--out", str(out)]
    return Run(urls, [*command, "--chunk", "2", "--workers", "2"], out, tmp_path / "log")


def test_a_worker_that_is_killed_costs_no_record(origin: Origin, run: Run) -> None:
    origin.open(4)
    with running(run.command, run.log) as process:
        origin.until(lambda: len(origin.held()) == 2)
        held = origin.held()
        os.kill(a_worker(process.pid), signal.SIGKILL)
        origin.open(PAGES)
        assert process.wait(PATIENCE) == 0, run.log.read_text()
    assert sorted(origin.asked.count(page) for page in held) == [1, 2]
    run.checked()


def test_a_run_that_is_killed_goes_on_where_it_was(origin: Origin, run: Run) -> None:
    origin.open(14)
    with running(run.command, run.log):
        origin.until(lambda: bool(origin.held()))
    assert not run.out.exists()
    kept = {int(path.stem) for path in Path(f"{run.out}.parts").glob("0*.jsonl")}
    assert kept

    origin.open(PAGES)
    asked_before = len(origin.asked)
    with running(run.command, run.log) as process:
        assert process.wait(PATIENCE) == 0, run.log.read_text()
    done = {page for chunk in kept for page in (2 * chunk - 1, 2 * chunk)}
    assert not set(origin.asked[asked_before:]) & done
    run.checked()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, each a program of its own; the scheduler's address."""
    file, dask = folder / "scheduler.json", [sys.executable, "-m", "dask"]
    place = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    alone = ["--nthreads", "1", "--no-nanny", "--local-directory"]
    commands = [[*dask, "scheduler", *place, "--port", "0"]]
    commands += [[*dask, "worker", *place, *alone, str(folder / name)] for name in ("one", "two")]
    with (folder / "dask.log").open("ab") as log, ExitStack() as stack:
        programs = [subprocess.Popen(each, stdout=log, stderr=log) for each in commands]
        for program in programs:
            stack.callback(program.wait)
            stack.callback(program.kill)
        said, until = "", time.monotonic() + PATIENCE
        while said.count("Register worker addr") < 2:
            assert time.monotonic() < until, said
            time.sleep(0.05)
            said = Path(log.name).read_text()
        yield json.loads(file.read_text())["address"], programs[1:]


@pytest.mark.release
def test_a_cluster_of_its_own_does_the_same_though_a_worker_is_killed(
    origin: Origin, run: Run, tmp_path: Path
) -> None:
    origin.open(4)
    with cluster(tmp_path) as (address, workers):
        with running([*run.command, "--cluster", address], run.log) as process:
            origin.until(lambda: len(origin.held()) == 2)
            workers[0].kill()
            origin.open(PAGES)
            assert process.wait(PATIENCE) == 0, run.log.read_text()
        assert workers[1].poll() is None  # it is not ours to end
    run.checked()


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        ([], "--batch needs --out FILE"),
        (["--out", "o.jsonl", "--format", "epub"], "--batch writes text, markdown"),
        (["--out", "o.jsonl", "--chunk", "0"], "--chunk and --workers must be at least 1"),
        (["--out", "o.jsonl", "--url", "http://a.example"], "--url can only stand with one"),
    ],
)
def test_wrong_use_is_told(more: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--batch", "corpus", *more]) == 2
    assert hint in capsys.readouterr().err


def test_an_output_that_is_there_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    assert main(["extract", "--batch", str(tmp_path), "--out", str(out)]) == 1
    assert "out.jsonl exists" in capsys.readouterr().err
    assert out.read_text() == "mine"
