"""``winnow serve`` says where it listens and what to do next, and ends when it is told."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load.programs import STARTED


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A proxy on a free port as a process of its own, and the line that says what to do next."""
    command = [sys.executable, "-m", "winnow", "serve", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **STARTED},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        try:
            yield process, first + second
        finally:
            process.terminate()


def test_the_proxy_answers_where_it_says_and_ends_when_told(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, said):
        address = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert address is not None
        with urllib.request.urlopen(f"{address[0]}-/health", timeout=60) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_taken_port_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "winnow", "serve", "--port", str(port)]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"winnow: cannot listen on 127.0.0.1:{port}: Address already in use;"
        " choose another with --host or --port\n"
    )


HOSTILE = "import pathlib\npathlib.Path({path!r}).open('a').write(__name__)\nraise SystemExit(3)\n"


def test_the_folder_where_it_starts_is_nothing_to_import_from(tmp_path: Path) -> None:
    """Issue 20, fault 3 (CWE-427): a file there ran in the workers, or stopped them."""
    folder, ran = tmp_path / "downloads", tmp_path / "ran"
    (folder / "config").mkdir(parents=True)
    for name in ("webencodings", "config/__init__", "winnow", "selectolax", "aiohttp", "signal"):
        (folder / f"{name}.py").write_text(HOSTILE.format(path=str(ran)))
    command = [str(Path(sys.executable).with_name("winnow")), "serve", "--port", "0"]
    more = {"WINNOW_STORAGE__FOLDER": str(tmp_path / "data"), "WINNOW_EXTRACTION__PROCESSES": "2"}
    with subprocess.Popen(
        [*command, "--processes", "2"],
        cwd=folder,
        env={**os.environ, **STARTED, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.terminate()
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert said.startswith("Winnow listens on")
    assert not ran.exists()
