"""A page's DOM as its scripts wrote it, by a Chromium that asks for nothing beside its proxy."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator

import pytest

from tests.programs import require_program
from winnow.chromium.page_loader import LoadBounds, load

PAGE = (
    b"<!doctype html><title>Rivers</title><p id=a>empty<script>setTimeout(() => {"
    b"document.getElementById('a').textContent = 'The river rose.'; fetch('/more')}, 50)</script>"
)


class Socks(socketserver.StreamRequestHandler):
    """A SOCKS5 proxy (RFC 1928) that is every site itself: a page at /, nothing elsewhere."""

    asked: list[str]

    def handle(self) -> None:
        self.rfile.read(self.rfile.read(2)[1])
        self.wfile.write(b"\x05\x00")
        _, _, _, kind = self.rfile.read(4)
        self.rfile.read((self.rfile.read(1)[0] if kind == 3 else 4) + 2)
        self.wfile.write(b"\x05\x00\x00\x01" + bytes(6))
        while line := self.rfile.readline():
            path = line.split()[1].decode()
            self.asked.append(path)
            while self.rfile.readline().strip():
                pass
            body = PAGE if path == "/" else b"more"
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
            self.wfile.write(head % len(body) + body)


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[socketserver.ThreadingTCPServer]:
    monkeypatch.setattr(Socks, "asked", [], raising=False)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Socks) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("refused", [False, True])
def test_a_page_is_as_its_scripts_wrote_it_and_asks_for_no_more_than_it_may(
    proxy: socketserver.ThreadingTCPServer, refused: bool
) -> None:
    require_program("chromium")
    port = proxy.server_address[1]
    bounds = LoadBounds(seconds=60)
    found = load("http://site.test/", port, bounds, lambda url, _: refused and "more" in url)
    assert "The river rose." in found.markup
    assert "empty" not in found.markup
    assert (found.url, found.is_still) == ("http://site.test/", True)
    assert ("/more" in Socks.asked) is not refused
