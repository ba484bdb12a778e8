"""A folder, an origin and a Winnow for the commands of the documents."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Final

from tests.docs.typed_commands import ROOT, exception
from winnow.proxy.access.credentials.passwords import hash_password

PACKAGES: Final = (
    "big9-2005-2013 canola cleaneval-dev daniel-sites docs-sites dragnet-third fundus-publishers"
    " newspaper4k-424 small wcxb-dev zh-69"
).split()
RULES: Final = '[[site]]\nhost = "a.test"\nmain = ".story"\n'
WORDS: Final = (
    "river evening letter window market journey picture question mountain garden bridge harbour"
).split()
BACKGROUND: Final = re.compile(r"(\w+=\S+ )*(\S*/)?(winnow serve|dask) ?|make run")
"""Commands that end when they are told to: they run behind those that follow in their block."""


@dataclass(frozen=True, slots=True)
class World:
    """Where commands are typed, and what their addresses and placeholders become."""

    folder: Path
    environment: Mapping[str, str]
    words: Mapping[str, str]

    def adapted(self, command: str) -> str:
        """The command with the addresses and placeholders of this world."""
        for word, place in self.words.items():
            command = re.sub(word, place, command)
        return command


def paragraphs(number: int) -> list[str]:
    """The story of a page: the same for the same number, another for each."""
    random = Random(number)
    return [
        "The " + " and the ".join(random.choices(WORDS, k=14)) + f" of day {number}, they said."
        for _ in range(8)
    ]


def story(number: int) -> bytes:
    """A page of a site's one template."""
    links = "".join(f"<li><a href=/{word}>{word.title()} and more</a></li>" for word in WORDS)
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs(number))
    return (
        f"<!doctype html><html lang=en><head><title>Day {number}</title></head><body>"
        f"<nav><ul>{links}</ul></nav><main><h1>Day {number}</h1><div class=story>{text}</div>"
        f"</main><footer><p>All rights reserved by the paper.</p></footer></body></html>"
    ).encode()


def make_folder(folder: Path) -> Path:
    """The files that commands name, a checkout's programs, and test packages beside them."""
    folder.mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "deploy").symlink_to(ROOT / "deploy")
    (folder / "page.html").write_bytes(story(0))
    (folder / "rules.toml").write_text(RULES)
    (folder / "seccomp.json").write_text('{"syscalls": []}')
    (folder / ".curlrc").write_text("fail\n")  # a status of 400 or more is a failure
    (folder / "addresses.txt").write_text("# none yet\n")
    (folder / "crawl.warc.gz").write_bytes(_archive("http://a.test/story"))
    for name in PACKAGES:
        _package(folder / "packages" / name)
    for annotator in ("anna", "ben"):
        _package(folder / "annotated" / annotator)
    (folder / "pages" / "a.test").mkdir(parents=True)
    for number in range(12):
        (folder / "pages" / "a.test" / f"{number}.html").write_bytes(story(number))
    _published(folder / "published" / "readability")
    return folder


def _package(folder: Path) -> None:
    """Twelve pages of three sites; the gold is the text of the story."""
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": folder.name, "ship": False}))
    for number in range(12):
        kinds = ("article", "article", "forum")
        notes = {
            "url": f"http://site{number % 3}.test/{number}",
            "language": "en",
            "page_type": kinds[number % 3],
        }
        (folder / f"{number}.html").write_bytes(story(number))
        (folder / f"{number}.txt").write_text("\n\n".join(paragraphs(number)))
        (folder / f"{number}.json").write_text(json.dumps(notes))


def _published(folder: Path) -> None:
    for number in range(3):
        made = folder / str(number)
        made.mkdir(parents=True)
        (made / "source.html").write_bytes(story(number))
        (made / "expected.html").write_bytes(story(number))
        (made / "expected-metadata.json").write_text('{"title": "A day"}')


def _archive(url: str) -> bytes:
    reply = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + story(0)
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(reply)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + reply + b"\r\n\r\n")


class _Origin(BaseHTTPRequestHandler):
    """A site on loopback: an article at every address, and an archive with the list of it."""

    def do_GET(self) -> None:
        host = self.headers["Host"]
        if self.path.endswith("warc.paths.gz"):
            body, kind = gzip.compress(f"http://{host}/a.warc.gz\n".encode()), "application/gzip"
        elif self.path.endswith(".warc.gz"):
            body, kind = _archive(f"http://{host}/story"), "application/gzip"
        else:
            body, kind = story(0), "text/html; charset=utf-8"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815  # the name that http.server calls

    def log_message(self, *_: object) -> None:
        """Nothing is written."""


@contextmanager
def origin() -> Iterator[str]:
    """The origin's address, without a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Origin) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def winnow(folder: Path) -> Iterator[str]:
    """HOST:PORT of a Winnow that knows the script and the password of docs/api.md."""
    key = f"my-script:{hash_password('PASSWORD')}"
    environment = {**os.environ, "WINNOW_ACCESS__API_KEYS": key}
    command = [sys.executable, "-m", "winnow", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[3]
        finally:
            process.terminate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def world(folder: Path, site: str, proxy: str) -> World:
    """What the commands of one block find; ports that they open are free ones."""
    parent, scheduler, served = free_port(), free_port(), free_port()
    words = {
        r"https://data\.commoncrawl\.org|https?://(example\.com|a\.example)": site,
        r"http://127\.0\.0\.1:3128(?! --knowledge)": f"http://{proxy}",
        r"127\.0\.0\.1:3128": f"127.0.0.1:{served}",
        r"--port 3128": f"--port {served}",
        r"serve --processes": f"serve --port {served} --processes",
        r"127\.0\.0\.1:8080": proxy,
        r"127\.0\.0\.1:8119": f"127.0.0.1:{parent}",
        r"dask scheduler": f"dask scheduler --host 127.0.0.1 --port {scheduler} --no-dashboard",
        r"dask worker": "dask worker --no-dashboard",
        r"tcp://10\.0\.0\.1:8786": f"tcp://127.0.0.1:{scheduler}",
        r"/where/the/packages/are": str(folder / "packages"),
        r"/corpus": str(folder / "pages"),
        r"/usr/share/containers/seccomp\.json": str(folder / "seccomp.json"),
        r"my-extractor --plain": "cat",
        r" --peer \S+": "",  # peers are installed from the network: tests/evaluation/peers
        r"pip install '\.": f"pip install --dry-run --no-deps --no-build-isolation '{ROOT}",
        r"FOLDER/(anna|ben)": r"annotated/\1",
        r"--convert KIND FOLDER": "--convert readability published/readability",
        r"held-out FOLDER": "held-out published",
        r"evaluate FOLDER": "evaluate annotated/anna",
        r"\bFOLDER\b": "pages",
        r"\bRULES\b": "rules.toml",
        r"\bPAGE\b": "page.html",
        r"--out PACKAGE": "--out made",
        r"\b(PACKAGE|MORE)\b": "small",
        r"\bMY-PAGES\b": "small",
        r"\b(FILE|DIR|MY-MODEL)\b": r"written-\1",
    }
    environment = {
        **os.environ,
        "PATH": f"{folder}/.venv/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "WINNOW_PACKAGES": str(folder / "packages"),
    }
    return World(folder, environment, words)


def typed(world: World, commands: list[str], seconds: float) -> None:
    """Type commands one after the other; those that go on stay behind and are ended at last.

    Raises AssertionError where one fails, or one that is only started fails at once, or one that
    this world refuses is not refused for the reason that it is expected to be.
    """
    behind: list[subprocess.Popen[str]] = []
    try:
        for command in commands:
            process = _start(world, world.adapted(command))
            kind, words = exception(command)
            if BACKGROUND.match(command) or kind == "started":
                behind.append(process)
                _goes_on(process, command, 5)
                continue
            told, errors = process.communicate("PASSWORD\n", timeout=seconds)
            failed = f"{command}\n{told[-1000:]}\n{errors[-3000:]}"
            assert words in errors if kind == "refused" else process.returncode == 0, failed
    finally:
        for process in behind:
            _end(process)


def _start(world: World, command: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        ["bash", "-c", command],
        cwd=world.folder,
        env=dict(world.environment),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    )


def _goes_on(process: subprocess.Popen[str], command: str, seconds: float) -> None:
    """Wait for its end, at most so long: it may end well or go on, and not fail."""
    ends = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < ends:
        time.sleep(0.05)
    if process.returncode:
        raise AssertionError(f"{command}\n{process.stderr.read() if process.stderr else ''}")


def _end(process: subprocess.Popen[str]) -> None:
    """End a program and those that it started, which share its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 15)
    process.communicate(timeout=60)
