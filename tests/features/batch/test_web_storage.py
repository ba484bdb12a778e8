"""Archives on a web server: a local one by TLS that answers ranges, read by the command itself."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import trustme

from tests.features.batch.archives import archive, record
from winnow.features.batch.page_locations import RANGE

URLS = tuple(f"http://a.example/{number}" for number in range(1, 5))


@dataclass
class Files:
    """What is served, by path, and how many bytes each answer had."""

    bodies: dict[str, bytes]
    sent: list[int] = field(default_factory=list)


@contextmanager
def web_server(files: Files, folder: Path) -> Iterator[str]:
    """The address of a server with a certificate of ``folder``'s ``authority.pem``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer(200, files.bodies[self.path], head=True)

        def do_GET(self) -> None:
            body = files.bodies[self.path]
            wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            if wanted is None:
                self.answer(200, body)
                return
            first, last = int(wanted[1]), int(wanted[2] or len(body) - 1)
            part = body[first : last + 1]
            self.answer(206, part, f"bytes {first}-{first + len(part) - 1}/{len(body)}")

        def answer(self, status: int, body: bytes, where: str = "", *, head: bool = False) -> None:
            self.send_response(status)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(body)))
            if where:
                self.send_header("Content-Range", where)
            self.end_headers()
            if not head:
                files.sent.append(len(body))
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"https://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_archives_of_a_list_on_a_web_server_are_read_in_ranges(tmp_path: Path) -> None:
    small = archive(tmp_path / "small.warc.gz", *URLS[:2]).read_bytes()
    picture = record("http://a.example/picture", "image/png", "x" * (RANGE + 1))
    records = (record(URLS[2]), picture, record(URLS[3]))
    files = Files({"/small.warc.gz": small, "/large.warc": b"".join(records)})
    out = tmp_path / "out.jsonl"
    with web_server(files, tmp_path) as address:
        listed = "\n".join(f"{address}{path}" for path in files.bodies)
        files.bodies["/warc.paths"] = listed.encode()
        command = ["extract", "--batch", f"{address}/warc.paths", "--out", str(out)]
        trusted = {"SSL_CERT_FILE": str(tmp_path / "authority.pem")}
        patient = {"WINNOW_EXTRACTION__DEADLINE": "600 s"}
        done = subprocess.run(
            [sys.executable, "-m", "winnow", *command, "--workers", "2"],
            env={**os.environ, **trusted, **patient},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["url"] for row in rows] == [*URLS]
    assert not any(row["error"] for row in rows)
    assert rows[0]["source"] == f"{address}/small.warc.gz@0"
    assert max(files.sent) < len(files.bodies["/large.warc"])  # never the whole of it
