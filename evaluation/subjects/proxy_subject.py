"""Any HTTP proxy as a subject (Gottron 2007, section 4.2).

A throw-away server serves one page; it is requested through the proxy; the clock runs from the last
byte served to the last byte received.
"""

from __future__ import annotations

import http.client
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlsplit

from winnow.document.values import Page
from winnow.evaluation.errors import SubjectError
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.subjects.subject import SubjectAnswer, answer_of

BROWSER: tuple[tuple[str, str], ...] = (
    ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
    ("Accept-Encoding", "identity"),
    ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Site", "none"),
    ("User-Agent", "Mozilla/5.0 winnow-evaluate"),
    ("Winnow-Bar", "off"),
    ("Winnow-Mode", "extract"),
)
"""The request's fields: a person's navigation, as proxies expect it that look at Sec-Fetch; ours
shall extract whatever the page is for."""

_HANDED_OVER = 1.0  # seconds: the answer may be here before our own thread notes its last byte


@dataclass(frozen=True, slots=True)
class ThroughProxy:
    """``name`` is the proxy's address, ``http://host:port``, and what else tells it from others
    after a blank; ``deadline`` is seconds a page.

    ``parent``: where the proxy finds its parent proxy, ``host:port``. Each page is then requested
    under its own address and served there, so that what its site taught the proxy counts; without,
    each page has an address that says nothing of its site.
    """

    name: str
    headers: tuple[tuple[str, str], ...] = ()
    deadline: float = 60.0
    parent: str = ""

    @classmethod
    def at(
        cls, address: str, headers: tuple[tuple[str, str], ...] = (), parent: str = ""
    ) -> ThroughProxy:
        """The proxy of an address; ``SubjectError`` where that is not ``http://host:port``."""
        parts = urlsplit(address.partition(" ")[0])
        try:
            is_valid = parts.scheme == "http" and parts.hostname and parts.port != 0
        except ValueError:
            is_valid = False
        if not is_valid:
            raise SubjectError(f"{address!r} is no address of a proxy: write http://host:port.")
        return cls(address, headers, parent=parent)

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        """The text of what came back, in wall-clock seconds; ``SubjectError`` where it failed."""
        page, seconds = self.page(entry)
        return answer_of(page, seconds)

    def page(self, entry: PackageEntry) -> tuple[Page, float]:
        """The page as it came back, and the seconds; ``SubjectError`` where it failed."""
        page, seconds, _ = self._asked(entry)
        return page, seconds

    def treated(self, entry: PackageEntry) -> tuple[Page, str]:
        """The page as it came back, and what Winnow-Action says; ``SubjectError`` likewise."""
        page, _, action = self._asked(entry)
        return page, action

    def _asked(self, entry: PackageEntry) -> tuple[Page, float, str]:
        with _serving(entry, self.parent) as server:
            page, received, action = self._fetched(server.address)
            if not server.done.wait(_HANDED_OVER):
                raise SubjectError("never requested the page")
            return page, max(received - server.times[-1], 0.0), action

    def _fetched(self, address: str) -> tuple[Page, float, str]:
        proxy = urlsplit(self.name.partition(" ")[0])
        link = http.client.HTTPConnection(
            proxy.hostname or "", proxy.port or 80, timeout=self.deadline
        )
        try:
            link.request("GET", address, headers=dict((*BROWSER, *self.headers)))
            reply = link.getresponse()
            body = reply.read()
        except (OSError, http.client.HTTPException) as error:
            raise SubjectError(f"{self.name} did not answer: {error!r}") from None
        finally:
            link.close()
        received = time.monotonic()
        if reply.status != http.client.OK:
            raise SubjectError(f"answered {reply.status} {reply.reason}")
        page = Page(body, address, reply.headers.get_content_charset())
        return page, received, reply.headers.get("Winnow-Action", "")


@dataclass(slots=True)
class _ServedPage:
    """One page on offer: its address, and when its last byte was handed over, each time."""

    address: str = ""
    times: list[float] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    def finish(self) -> None:
        """Note that the last byte went out now."""
        self.times.append(time.monotonic())
        self.done.set()


@contextmanager
def _serving(entry: PackageEntry, parent: str) -> Iterator[_ServedPage]:
    own = _own_address(entry) if parent else ""
    token = urlsplit(own).path or secrets.token_hex(8)
    served = _ServedPage()
    server = _listening(parent, _handler(entry.body, token, served))
    served.address = own or f"http://127.0.0.1:{server.server_port}/{token}.html"
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _own_address(entry: PackageEntry) -> str:
    """An address of the page's site, over plain HTTP, with the page's name as its last part."""
    host = entry.site
    if not host:
        raise SubjectError("has no address, by which its site could be known")
    host = host if "." in host else f"{host}.test"
    return f"http://{host}/{quote(entry.id)}-{secrets.token_hex(4)}.html"


def _listening(parent: str, handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    host, _, port = parent.rpartition(":")
    try:
        return ThreadingHTTPServer((host or "127.0.0.1", int(port or 0)), handler)
    except (OSError, ValueError) as error:
        raise SubjectError(f"{parent!r} is no address to listen at: {error}") from None


def _handler(body: bytes, token: str, served: _ServedPage) -> type[BaseHTTPRequestHandler]:
    """Serves the page wherever its token is in the target, however a proxy rewrote the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if token not in self.path:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)
            served.finish()

        def log_message(self, *_arguments: object) -> None:
            """Nothing: a line a page would bury the progress bar."""

    return Handler
