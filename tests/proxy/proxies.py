"""A proxy in this very process, with a transform made for the test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import urljoin, urlsplit

from winnow.document.values import BAR_MARK, Format, Page, Purpose, Recipe, Rendered, Treatment
from winnow.feature import faces_of
from winnow.feature_list import FEATURES
from winnow.proxy.app.app import App
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.own.handlers.health import Ready, health
from winnow.proxy.own.router import OwnPage, OwnPages
from winnow.proxy.own.templates.in_page.notice_line import page_notice
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.sockets import bind_sockets
from winnow.proxy.upstream.connections.connection_pool import IdleConnections
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.proxy.upstream.response_limits import OriginTimeouts


@dataclass
class FakeTransform:
    """Shows the page's length and recipe; ``failure`` makes it fail, ``poor`` makes it poor."""

    failure: str = ""
    poor: str = ""
    treatment: Treatment = Treatment.EXTRACT
    instead: str = ""
    words_kept: int = 0
    purpose: Purpose | None = None
    by_page_alone: bool = True
    following: Mapping[str, str] = field(default_factory=dict)
    pages: list[Page] = field(default_factory=list)
    recipes: list[Recipe] = field(default_factory=list)

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        self.pages.append(page)
        self.recipes.append(recipe)
        if self.failure:
            raise TransformError(self.failure)
        if recipe.format in (Format.HTML, Format.PRUNED):
            body = b"<!doctype html><title>x</title>" + BAR_MARK + b"<p>extracted</p>" * 50
            return Rendered(
                body,
                "text/html; charset=utf-8",
                recipe.extractor,
                words_kept=self.words_kept,
                purpose=self.purpose,
                poor=self.poor,
                treatment=self.treatment,
                instead=self.instead,
                by_page_alone=self.by_page_alone,
            )
        url = page.url or ""
        told = self.following.get(urlsplit(url).path, "")
        return Rendered(
            b"extracted\n",
            f"text/{recipe.format}",
            recipe.extractor,
            poor=self.poor,
            next_page=urljoin(url, told) if told else "",
        )

    async def fingerprint(self, recipe: Recipe) -> str:
        return f"{recipe.extractor}/{recipe.format}"

    async def aclose(self) -> None:
        pass


@dataclass
class Proxy:
    port: int
    transform: FakeTransform
    client: OriginClient
    policy: Policy
    door: App | None = None

    @property
    def front(self) -> App:
        """What answers."""
        assert self.door
        return self.door


def _front_page() -> dict[str, OwnPage]:
    """The front page, where its feature is there."""
    if find_spec("winnow.features.setup") is None:
        return {}
    return {"/": import_module("winnow.features.setup.front").Home()}


def _api(*given: Any) -> dict[str, OwnPage]:
    """The API, where its feature is there."""
    if find_spec("winnow.features.extension") is None:
        return {}
    found = import_module("winnow.features.extension.extract_api").ExtractApi(*given)
    return {"/-/api/extract": found}


@asynccontextmanager
async def proxying(
    transform: FakeTransform | None = None,
    change: Callable[[Policy], Policy] = lambda policy: policy,
    limits: OriginTimeouts | None = None,
    connector: Connector | None = None,
    intercept: Callable[[OriginClient], Interceptor] | None = None,
    *,
    remember: Callable[[Sender], Sender] = lambda sender: sender,
    bounds: ClientBounds | None = None,
    stalled_seconds: float = 60,
) -> AsyncIterator[Proxy]:
    """A proxy on a free port; ``change`` alters its policy."""
    transform = transform or FakeTransform()
    client = OriginClient(
        connector or Connector(timeout=60), IdleConnections(), limits or OriginTimeouts(60, 60)
    )
    policy = change(Policy(name="winnow-test", faces=faces_of(FEATURES)))
    policy = replace(policy, page_names=(*policy.page_names, "reader.example"))
    proxy = Proxy(0, transform, client, policy)
    pages = OwnPages(
        {
            **_front_page(),
            "/-/health": health,
            "/-/ready": Ready(lambda: ""),
            **_api(client, transform, lambda: policy),
        }
    )
    bounds = bounds or ClientBounds()
    forwarder = Forwarder(remember(client), transform, tunnels=bounds.tunnel, notices=page_notice)
    interceptor = intercept(client) if intercept else None
    own_pages = OwnRequests(pages, forwarder, limits=bounds.upload)
    door = App(lambda: proxy.policy, own_pages, client.connector, interceptor, bounds=bounds)
    proxy.door = door
    web_server = door.server()
    listening, sockets = (
        Listener(web_server, stalled_seconds=stalled_seconds),
        bind_sockets("127.0.0.1", 0),
    )
    proxy.port = sockets[0].getsockname()[1]
    listening.accept(sockets)
    own = proxy.policy.own_names | {f"127.0.0.1:{proxy.port}"}
    proxy.policy = replace(proxy.policy, own_names=own)
    try:
        yield proxy
    finally:
        await listening.close()
        await web_server.shutdown(1)
        await client.aclose()
