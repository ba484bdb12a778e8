"""Every door with every outcome: each cell of the table in docs/api.md is tried."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp import Client

import winnow as library
from tests.features.mcp.support import address, winnow
from tests.proxy.app import pages
from tests.proxy.origins import Answer, Origin, Script, ask, get, html, reply
from winnow.cli import main
from winnow.compose.running import Running
from winnow.document.errors import DocumentError
from winnow.proxy.http.proxy_errors import TransformError
from winnow.transforms.pooled import PooledTransform

URL = "http://flood.example/story"
DOORS = "proxy", "gateway", "API", "MCP", "command", "batch", "library"
TABLE = (Path(__file__).parents[3] / "docs" / "api.md").read_text().partition("### Every door")[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.partition("\n## ")[0].splitlines()
    if line.startswith("| ") and not line.startswith("| outcome")
]
_ITEM = "<li><a href=/n/{0}>The river rose for the {0}th time</a><p>By noon it had gone.</p></li>"
LISTING = (
    "<!doctype html><html lang=en><title>News</title><body><main><h1>News</h1><ul>"
    + "".join(map(_ITEM.format, range(20)))
    + "</ul></main>"
).encode()
LARGE = pages.ARTICLE.replace(b"</article>", b"<p>" + b"The river rose. " * 9_000 + b"</article>")


async def _silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


SENT: dict[str, bytes | Script] = {
    "an article": html(pages.ARTICLE),
    "a list, which a reader gets tidied": html(LISTING),
    "few words": html(pages.FEW_WORDS),
    "no article": html(pages.NO_ARTICLE),
    "a log-in page": html(pages.LOG_IN),
    "scripts write it": html(pages.SHELL),
    "nested too deeply": html(pages.TOO_DEEP),
    "a PDF": reply(pages.PDF, "Content-Type: application/pdf"),
    "larger than `extraction.max_page`": html(LARGE),
    "no process was free": html(pages.ARTICLE),
    "the site says 404": reply(b"gone", "Content-Type: text/html", status="404 Not Found"),
    "the site says 500": reply(b"oh", "Content-Type: text/html", status="500 Oh"),
    "the site does not answer": _silent,
}


def test_the_table_has_each_outcome_and_each_door() -> None:
    assert [row[0] for row in ROWS] == list(SENT)
    assert {len(row) for row in ROWS} == {2 + len(DOORS)}


Door = Callable[[Running, str], Awaitable[Answer]]


async def by_proxy(proxy: Running, _query: str) -> Answer:
    return await ask(proxy.port, get(URL, "Winnow-Format: text"))


async def by_gateway(proxy: Running, query: str) -> Answer:
    return await _own(proxy, f"/-/read?{query}")


async def by_api(proxy: Running, query: str) -> Answer:
    return await _own(proxy, f"/-/api/extract?{query}")


async def _own(proxy: Running, path: str) -> Answer:
    return await ask(
        proxy.port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n".encode()
    )


BY_HTTP: dict[str, Door] = {"proxy": by_proxy, "gateway": by_gateway, "API": by_api}


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
async def test_each_door_that_a_running_winnow_has(
    row: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome, reason, said = row[0], row[1].strip("`"), dict(zip(DOORS, row[2:], strict=True))
    if reason == "busy":

        async def none_free(*_: object) -> None:
            raise TransformError("busy", "Too many pages wait.")

        monkeypatch.setattr(PooledTransform, "__call__", none_free)
    async with winnow(tmp_path) as (proxy, sites):
        sites.replies[URL] = SENT[outcome]
        for door, asked in BY_HTTP.items():
            answer = await asked(proxy, f"url={quote(URL)}&format=text")
            status, *itself = said[door].split()
            assert answer.status == int(status), door
            if itself:
                assert answer.field("winnow-action") == "original", door
                sent = SENT[outcome]
                assert isinstance(sent, bytes)
                assert answer.body == sent.partition(b"\r\n\r\n")[2], door
            elif status == "200":
                assert answer.body.strip(), door
                assert answer.field("winnow-action") == "extracted", door
            if answer.field("content-type") == "application/problem+json":
                assert json.loads(answer.body)["type"] == reason, door
            elif status == "200":
                assert answer.field("winnow-reason") == reason, door
        async with Client(address(proxy)) as client:
            result = await client.call_tool("read", {"url": URL})
        (content,) = result.model_dump()["content"]
        assert result.is_error is (said["MCP"] == "error")
        if result.is_error:
            assert json.loads(content["text"])["type"] == reason
        else:
            assert f"({reason})" in content["text"]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
async def test_each_door_without_a_server(
    row: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: Origin
) -> None:
    outcome, reason, said = row[0], row[1].strip("`"), dict(zip(DOORS, row[2:], strict=True))
    sent = SENT[outcome]
    origin.replies["/story"] = sent
    monkeypatch.setenv("WINNOW_EXTRACTION__MAX_PAGE", "100kB")
    if not said["command"].startswith("-"):
        code = await asyncio.to_thread(main, ["extract", origin.url("/story")])
        assert code == (said["command"] == "error")
    if said["batch"].startswith("-"):
        return
    assert isinstance(sent, bytes)
    body = sent.partition(b"\r\n\r\n")[2]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "page.html").write_bytes(body)
    out = tmp_path / "rows.jsonl"
    flags = ["--batch", str(tmp_path / "in"), "--out", str(out), "--workers", "1"]
    assert await asyncio.to_thread(main, ["extract", *flags]) == 0
    written = json.loads(out.read_text())
    assert bool(written["text"]) is (written["error"] is None)
    assert bool(written["error"]) is (said["batch"] == "error")
    if said["library"].startswith("raises"):
        with pytest.raises(DocumentError):
            library.extract(body)
        return
    missing = library.extract(body).missing
    assert missing == (reason if said["library"] == "error" else "")
