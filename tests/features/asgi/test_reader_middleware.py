"""A site's own pages by ASGI: in Starlette, and by uvicorn on a port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.unhurried import UNHURRIED
from tests.winnow.conftest import PAGE
from winnow.asgi import ReaderMiddleware
from winnow.config.settings import Settings
from winnow.feature_contract import checks
from winnow.features.asgi import FEATURE
from winnow.features.asgi.app_response import Message, Receive, Scope, Send

CHECKS = list(checks(FEATURE))
BTE = replace(
    Settings(),
    extraction=replace(UNHURRIED, extractor="bte", max_page=9999),
)
HERE = "http://site.example"


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


class Site:
    """A Starlette application, and what it saw."""

    def __init__(self) -> None:
        self.seen: list[Request] = []
        self.after = 0
        paths = {
            "/story": self.story,
            "/data": self.data,
            "/large": self.large,
            "/fails": self.fails,
        }
        self.app = Starlette(routes=[Route(path, page) for path, page in paths.items()])

    async def story(self, request: Request) -> Response:
        self.seen.append(request)
        if request.headers.get("if-none-match") == '"1"':
            return Response(status_code=304, headers={"ETag": '"1"'})
        return HTMLResponse(PAGE, headers={"ETag": '"1"'}, background=BackgroundTask(self.count))

    async def count(self) -> None:
        self.after += 1

    async def data(self, request: Request) -> Response:
        self.seen.append(request)
        return JSONResponse({"a": 1})

    async def large(self, request: Request) -> Response:
        async def parts() -> AsyncIterator[bytes]:
            for _ in range(100):
                yield b"<p>" + b"many words " * 100

        return StreamingResponse(parts(), media_type="text/html")

    async def fails(self, request: Request) -> Response:
        raise LookupError("a fault of the site")


@asynccontextmanager
async def asking(site: Site, *, automatic: bool = False) -> AsyncIterator[httpx.AsyncClient]:
    middleware = ReaderMiddleware(site.app, BTE, automatic=automatic)
    transport = httpx.ASGITransport(middleware)
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        yield client
    await middleware.aclose()


@pytest.fixture
async def site() -> Site:
    return Site()


@pytest.fixture
async def client(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with asking(site) as found:
        yield found


BROWSER = {"Accept": "text/html,*/*;q=0.8", "User-Agent": "Mozilla/5.0"}


async def test_who_asks_for_nothing_else_gets_the_page_untouched(
    client: httpx.AsyncClient, site: Site
) -> None:
    answer = await client.get("/story", headers=BROWSER)
    assert answer.content == PAGE.encode()
    assert not {"via", "winnow-action", "vary"} & set(answer.headers)
    assert "via" not in site.seen[0].headers


@pytest.mark.parametrize(
    ("path", "accept", "media_type"),
    [
        ("/-/read/story", "text/html", "text/html"),
        ("/-/print/story", "text/html", "text/html"),
        ("/-/markdown/story", "*/*", "text/markdown"),
        ("/story", "text/markdown", "text/markdown"),
    ],
)
async def test_a_view_is_asked_for_by_path_or_accept(
    client: httpx.AsyncClient, site: Site, path: str, accept: str, media_type: str
) -> None:
    answer = await client.get(path, headers={"Accept": accept})
    assert answer.headers["winnow-action"] == "extracted"
    assert answer.headers["content-type"].startswith(media_type)
    assert "Accept" in answer.headers["vary"]
    assert (b'href="/-/original/story"' in answer.content) is path.startswith("/-/read")
    assert (site.seen[0].url.path, site.after) == ("/story", 1)
    held = {"Accept": accept, "If-None-Match": answer.headers["etag"]}
    assert (await client.get(path, headers=held)).status_code == 304


async def test_automatic_is_as_by_proxy_with_a_way_back(site: Site) -> None:
    async with asking(site, automatic=True) as client:
        assert (await client.get("/story", headers=BROWSER)).headers["winnow-action"] == "extracted"
        back = await client.get("/-/original/story", headers=BROWSER)
        assert back.headers["location"] == f"{HERE}/story"
        assert (await client.get("/story", headers=BROWSER)).content == PAGE.encode()


async def test_what_is_no_page_passes_untouched(client: httpx.AsyncClient, site: Site) -> None:
    wanted = {"Accept": "application/json", "Winnow-Mode": "extract"}
    answer = await client.get("/data", headers=wanted)
    assert answer.json() == {"a": 1}
    assert "winnow-action" not in answer.headers
    assert (await client.post("/-/read/story")).status_code == 404


async def test_a_page_above_max_page_streams_on(client: httpx.AsyncClient) -> None:
    answer = await client.get("/-/read/large")
    assert answer.content == (b"<p>" + b"many words " * 100) * 100
    assert answer.headers["winnow-reason"] == "too-large"


async def test_a_fault_of_the_site_is_its_own(client: httpx.AsyncClient) -> None:
    with pytest.raises(LookupError):
        await client.get("/-/read/fails")
    assert (await client.get("/story", headers={"Winnow-Level": "99"})).status_code == 400


class Begun(uvicorn.Server):
    """Says when it accepts."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.begun = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.begun.set()


async def test_by_uvicorn_its_processes_end_with_the_server(site: Site) -> None:
    middleware = ReaderMiddleware(site.app, BTE)
    server = Begun(uvicorn.Config(middleware, port=0, log_level="error", lifespan="on"))
    serving = asyncio.create_task(server.serve())
    await server.begun.wait()
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        for path in ("/-/read/story", "/-/markdown/story", "/story", "/-/read/large"):
            assert (await client.get(path, headers=BROWSER)).status_code == 200, path
    assert middleware._made is not None
    server.should_exit = True
    await serving
    assert middleware._made is None


async def test_an_application_that_breaks_off_has_no_whole_response() -> None:
    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HTML})
        await send({"type": "http.response.body", "body": b"<p>half", "more_body": True})

    sent: list[Message] = []

    async def send(event: Message) -> None:
        sent.append(event)

    async def receive() -> Message:
        return {"type": "http.request"}

    middleware = ReaderMiddleware(app, BTE)
    scope = {"type": "http", "method": "GET", "path": "/-/read/a", "scheme": "http", "headers": []}
    await middleware(scope, receive, send)
    await middleware.aclose()
    assert b"".join(each.get("body", b"") for each in sent) == b"<p>half"
    assert all(each.get("more_body", True) for each in sent)


HTML = [(b"content-type", b"text/html")]
