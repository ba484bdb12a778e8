"""The protocol's inspector lists the tools and reads a page, over HTTP and on stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.features.mcp.support import address, winnow
from tests.programs import require_program
from tests.proxy.app import pages
from tests.proxy.origins import html

PAGE = "http://flood.example/story"


async def inspected(*arguments: str) -> dict[str, Any]:
    npx = str(require_program("npm").with_name("npx"))
    process = await asyncio.create_subprocess_exec(
        *(npx, "-y", "@modelcontextprotocol/inspector@0.15.0", "--cli", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, said = await process.communicate()
    assert process.returncode == 0, said.decode()
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.release
@pytest.mark.parametrize("way", ["http", "stdio"])
async def test_the_inspector_reads_a_page(tmp_path: Path, way: str) -> None:
    async with winnow(tmp_path, extractor="bte") as (proxy, sites):
        sites.replies[PAGE] = html(pages.ARTICLE)
        by_stdio = (sys.executable, "-m", "winnow", "mcp", "--port", str(proxy.port))
        server = (address(proxy), "--transport", "http") if way == "http" else by_stdio
        listed = await inspected(*server, "--method", "tools/list")
        called = ("--method", "tools/call", "--tool-name", "read", "--tool-arg", f"url={PAGE}")
        read = await inspected(*server, *called)
    assert [tool["name"] for tool in listed["tools"]] == ["read", "links", "search_in_page"]
    assert pages.SENTENCE in read["content"][0]["text"]
    assert read["isError"] is False
