"""A malformed address in a field or a target is no fault of ours: never a 500."""

from __future__ import annotations

import pytest

from tests.proxy.app.test_gateway_and_api import BROWSER, PAGE, direct
from tests.proxy.origins import Origin, ask, html, reply
from tests.proxy.proxies import Proxy

MALFORMED = ("http://[", "http://[::1", "http://]/", "//[", "http://[.]/", "http://[::::]/")


@pytest.mark.parametrize("malformed", MALFORMED)
async def test_fields_of_a_proxied_request(origin: Origin, proxy: Proxy, malformed: str) -> None:
    origin.replies["/a"] = html(PAGE)
    for name in ("Referer", "Origin"):
        head = f"GET {origin.url('/a')} HTTP/1.1\r\nHost: a\r\n{name}: {malformed}\r\n\r\n"
        answer = await ask(proxy.port, head.encode())
        assert answer.status in {200, 403}, (name, answer.body)


@pytest.mark.parametrize("malformed", MALFORMED)
async def test_fields_and_targets_of_the_gateway(
    origin: Origin, proxy: Proxy, malformed: str
) -> None:
    origin.replies["/a"] = html(PAGE)
    own = ("/-/read", "/-/why", "/-/compare", "/-/annotate", "/-/book", "/-/show", "/-/print")
    pages = [
        f"/{origin.url('/a')}",
        f"/{malformed}",
        malformed,
        *(f"{each}?url={malformed}" for each in own),
    ]
    fields = [f"Referer: {malformed}", f"Origin: {malformed}", f"Host: {malformed}"]
    fields += [f"Referer: http://reader.example:8080/{malformed}", "X-A: b", "Sec-Fetch-Site: none"]
    for page in pages:
        for field in fields:
            answer = await ask(proxy.port, direct(page, BROWSER, field))
            assert answer.status != 500, (page, field, answer.body)


@pytest.mark.parametrize("malformed", MALFORMED)
async def test_fields_of_a_response(origin: Origin, proxy: Proxy, malformed: str) -> None:
    fields = [
        f"{name}: {malformed}" for name in ("Location", "Content-Location", "Link", "Refresh")
    ]
    origin.replies["/a"] = reply(PAGE, "Content-Type: text/html", *fields, status="302 Found")
    for request in (
        f"GET {origin.url('/a')} HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
        direct(f"/{origin.url('/a')}", BROWSER),
    ):
        assert (await ask(proxy.port, request)).status == 302
