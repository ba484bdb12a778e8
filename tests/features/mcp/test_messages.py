"""``/-/mcp`` by bytes: what is no message, no answer to it, and who may ask."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.types.version import KNOWN_PROTOCOL_VERSIONS

from tests.features.mcp.support import address, told, winnow
from tests.proxy.app import pages
from tests.proxy.origins import Answer, Origin, ask, get, html
from winnow.compose.running import Running
from winnow.features.mcp import pages as mcp_pages
from winnow.proxy.own.handlers.form_checks import LARGEST_FORM

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
MODERN = KNOWN_PROTOCOL_VERSIONS[-1]
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIST = {"jsonrpc": "2.0", "id": 8, "method": "tools/list", "params": {"_meta": META}}
Whole = tuple[Running, Origin]


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Whole]:
    async with winnow(tmp_path, extractor="bte", log_requests=True) as found:
        yield found


async def sent(
    proxy: Running, message: object, *fields: str, method: str = "POST", host: str = ""
) -> Answer:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    kind = (
        ()
        if any("ontent-Type" in field for field in fields)
        else ("Content-Type: application/json",)
    )
    lines = [
        f"{method} /-/mcp HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{proxy.port}'}",
        f"Content-Length: {len(body)}",
        *kind,
        *fields,
    ]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def test_one_message_has_one_answer_and_a_notification_none(whole: Whole) -> None:
    answer = await sent(whole[0], PING)
    assert (answer.status, json.loads(answer.body)) == (
        200,
        {"jsonrpc": "2.0", "id": 7, "result": {}},
    )
    assert answer.field("content-type") == "application/json"
    assert answer.field("mcp-session-id") == ""
    noticed = await sent(whole[0], {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (noticed.status, noticed.body) == (202, b"")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_there_is_no_stream(whole: Whole, method: str) -> None:
    answer = await sent(whole[0], b"", method=method)
    assert (answer.status, answer.field("allow")) == (405, "POST")


@pytest.mark.parametrize(
    ("message", "fields", "status", "code"),
    [
        (b"{", (), 400, -32700),
        (b'{"a":' * 9_000, (), 400, -32700),
        (b'{"a": "\xff"}', (), 400, -32700),
        ([PING], (), 400, -32600),
        ({"id": 1}, (), 400, -32600),
        ({**PING, "id": None}, (), 400, -32600),
        ({**PING, "method": "resources/list"}, (), 200, -32601),
        ({**PING, "method": "no/such"}, (), 200, -32601),
        ({**PING, "method": "tools/call", "params": {"name": "x"}}, (), 200, -32602),
        ({**PING, "method": "tools/call", "params": {}}, (), 200, -32602),
        (PING, ("MCP-Protocol-Version: 2031-01-01",), 400, -32022),
        (LIST, (), 400, -32020),
        (LIST, (f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: ping"), 400, -32020),
        (
            {**LIST, "params": {}},
            (f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: tools/list"),
            400,
            -32602,
        ),
        (
            {**LIST, "method": "ping"},
            (f"MCP-Protocol-Version: {MODERN}", "Mcp-Method: ping"),
            404,
            -32601,
        ),
    ],
)
async def test_what_is_no_request_gets_an_error(
    whole: Whole, message: object, fields: tuple[str, ...], status: int, code: int
) -> None:
    answer = await sent(whole[0], message, *fields)
    found: dict[str, Any] = json.loads(answer.body)
    assert (answer.status, found["error"]["code"]) == (status, code)
    assert "id" in found
    if code == -32022:
        assert found["error"]["data"]["supported"] == list(KNOWN_PROTOCOL_VERSIONS)


@pytest.mark.parametrize(
    ("fields", "host", "status"),
    [
        (("Origin: http://evil.example",), "", 403),
        (("Origin: null",), "", 403),
        (("Origin: http://evil.example", "Content-Type: text/plain"), "", 403),
        (("Sec-Fetch-Site: cross-site",), "", 403),
        (("Referer: http://evil.example/",), "", 403),
        ((), "evil.example", 421),
        (("Content-Type: text/plain",), "", 415),
    ],
)
async def test_a_page_of_another_site_cannot_ask(
    whole: Whole, fields: tuple[str, ...], host: str, status: int
) -> None:
    assert (await sent(whole[0], PING, *fields, host=host)).status == status


async def test_a_message_is_bounded(whole: Whole) -> None:
    large = {**PING, "params": {"a": "x" * LARGEST_FORM}}
    assert (await sent(whole[0], large)).status == 413


async def test_without_the_extra_it_says_what_to_install(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_pages, "TYPES", "no_such_package")
    answer = await sent(whole[0], PING)
    assert (answer.status, json.loads(answer.body)["type"]) == (501, "not-installed")
    assert "winnow-proxy[mcp]" in answer.body.decode()


async def test_nothing_of_a_page_is_logged(whole: Whole, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "winnow")
    proxy, sites = whole
    page = "http://flood.example/story"
    sites.replies[page] = html(pages.ARTICLE)
    async with Client(address(proxy)) as client:
        assert pages.SENTENCE in await told(client, "read", url=page)
        await told(client, "search_in_page", url=page, words="village")
    for form in ("json", "text", "markdown"):
        asked = f"/-/api/extract?url={page}&format={form}"
        head = f"GET {asked} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
        assert b"village" in (await ask(proxy.port, head.encode())).body
    assert b"village" in (await ask(proxy.port, get(page, "Winnow-Format: text"))).body
    assert caplog.text
    assert "village" not in caplog.text
