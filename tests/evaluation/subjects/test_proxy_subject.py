"""A proxy as a subject: a throw-away server, a clock, and whatever the proxy made of the page."""

import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.proxy_subject import ThroughProxy

PAGE = PackageEntry("story", b"<title>T</title><p>The dog</p><script>x()</script> caf\xe9", "", {})
Made = tuple[int, str, bytes]


def fetched(address: str) -> bytes:
    parts = urlsplit(address)
    link = http.client.HTTPConnection(str(parts.hostname), parts.port)
    link.request("GET", parts.path or "/")
    body = link.getresponse().read()
    link.close()
    return body


@contextmanager
def proxy(made: Callable[[BaseHTTPRequestHandler], Made]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = made(self)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_text_of_what_the_proxy_returned_is_the_answer() -> None:
    with proxy(lambda asked: (200, "text/html; charset=latin-1", fetched(asked.path))) as address:
        answer = ThroughProxy(address).answer(PAGE)
    assert answer.text.split() == ["The", "dog", "café"]
    assert answer.seconds >= 0


def test_the_page_is_found_behind_a_rewritten_address() -> None:
    def rewritten(asked: BaseHTTPRequestHandler) -> Made:
        root, _, name = asked.path.rpartition("/")
        assert b"404" in fetched(f"{root}/favicon.ico")
        return 200, "text/html", fetched(f"{root}/cache/{name}")

    with proxy(rewritten) as address:
        assert "dog" in ThroughProxy(address).answer(PAGE).text


def test_headers_are_sent_along() -> None:
    asked: list[str | None] = []

    def noted(request: BaseHTTPRequestHandler) -> Made:
        asked.append(request.headers["Winnow-Extractor"])
        asked.append(request.headers["Sec-Fetch-Mode"])
        return 200, "text/html", fetched(request.path)

    with proxy(noted) as address:
        ThroughProxy(address, (("Winnow-Extractor", "bte"),)).answer(PAGE)
    assert asked == ["bte", "navigate"]


def test_a_refusal_is_an_error() -> None:
    def refused(asked: BaseHTTPRequestHandler) -> Made:
        fetched(asked.path)
        return 403, "text/html", b"no"

    with proxy(refused) as address, pytest.raises(SubjectError, match="answered 403 Forbidden"):
        ThroughProxy(address).answer(PAGE)


def test_a_proxy_that_never_requests_the_page_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnow.evaluation.subjects.proxy_subject._HANDED_OVER", 0.01)
    with (
        proxy(lambda _: (200, "text/html", b"cached")) as address,
        pytest.raises(SubjectError, match="never requested the page"),
    ):
        ThroughProxy(address).answer(PAGE)


def test_no_proxy_is_reported() -> None:
    with pytest.raises(SubjectError, match="did not answer"):
        ThroughProxy("http://127.0.0.1:9").answer(PAGE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def test_a_page_of_a_known_site_is_requested_under_its_own_address() -> None:
    """From the proxy's parent, as a proxy asks it: with the whole address."""
    parent, asked = f"127.0.0.1:{free_port()}", list[str]()

    def forwarded(request: BaseHTTPRequestHandler) -> Made:
        asked.append(request.path)
        link = http.client.HTTPConnection(parent)
        link.request("GET", request.path)
        body = link.getresponse().read()
        link.close()
        return 200, "text/html; charset=latin-1", body

    page = replace(PAGE, meta={"url": "https://www.news.example/2026/story?x"})
    with proxy(forwarded) as address:
        through = ThroughProxy.at(address, parent=parent)
        answers = [through.answer(page).text.split() for _ in range(2)]
    assert answers == [["The", "dog", "café"]] * 2
    assert all(one.startswith("http://www.news.example/story-") for one in asked)
    assert len(set(asked)) == 2  # no cache stands between


def test_a_page_without_address_has_no_site() -> None:
    with pytest.raises(SubjectError, match="no address"):
        ThroughProxy.at("http://127.0.0.1:1", parent="127.0.0.1:0").answer(PAGE)
