"""``python -m docs.agent_transcript``: a client of the Model Context Protocol reads ten pages.

It is the official client, on stdio; Winnow runs with its defaults. What passed is written into
docs/agents.md, below the heading *A transcript*.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from mcp import Client, StdioServerParameters

from docs.agent_pages import PAGES, SITE
from winnow.compose.running import running
from winnow.config.settings import Settings

DOCUMENT: Final = Path(__file__).with_name("agents.md")
HEADING: Final = "## A transcript\n"
CALLS: Final[tuple[tuple[str, Mapping[str, object]], ...]] = (
    ("read", {"url": f"{SITE}/news/miller", "max_tokens": 150}),
    ("links", {"url": f"{SITE}/"}),
    ("read", {"url": f"{SITE}/forum/brake"}),
    ("read", {"url": f"{SITE}/docs/sacks"}),
    ("read", {"url": f"{SITE}/bread"}),
    ("read", {"url": f"{SITE}/shop/shovel"}),
    ("search_in_page", {"url": f"{SITE}/water", "words": "Tuesday"}),
    ("read", {"url": f"{SITE}/account"}),
    ("read", {"url": f"{SITE}/app"}),
    ("read", {"url": f"{SITE}/visit"}),
    ("read", {"url": "http://192.168.1.1/admin"}),
)
"""The last is what the hostile page asks for."""
_WIDTH: Final = 110
_INTRODUCTION: Final = """
What the protocol's official client got on stdio from ten pages of ten kinds, as
`python -m docs.agent_transcript` writes it; long lines are broken here. The tenth page is hostile:
its instructions stay between the marked lines, and what it asks for is refused.
"""


@asynccontextmanager
async def sites(pages: Mapping[str, bytes]) -> AsyncIterator[int]:
    """The port of a proxy that has these pages by their addresses."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = pages[head.split(b" ", 2)[1].decode()]
        fields = f"Content-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close"
        writer.write(f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def transcript() -> str:
    """All calls with their answers, as Markdown."""
    plain, parts = Settings(), []
    with tempfile.TemporaryDirectory() as folder:
        async with sites({SITE + path: page for path, page in PAGES.items()}) as port:
            settings = replace(
                plain,
                server=replace(plain.server, port=0),
                extraction=replace(plain.extraction, deadline=60.0),  # a busy machine writes it too
                storage=replace(plain.storage, folder=Path(folder)),
                upstream=replace(plain.upstream, proxy=f"http://127.0.0.1:{port}"),
            )
            async with running(settings) as proxy:
                await proxy.begin(60)
                arguments = ["-m", "winnow", "mcp", "--port", str(proxy.port)]
                command = StdioServerParameters(command=sys.executable, args=arguments)
                async with Client(command) as client:
                    for tool, asked in CALLS:
                        result = await client.call_tool(tool, dict(asked))
                        text = result.model_dump()["content"][0]["text"]
                        parts.append(f"**{tool}** `{json.dumps(asked)}`\n\n{_shown(text)}")
    return "\n".join(parts)


def _shown(text: str) -> str:
    """As code, within the width of a terminal."""
    lines = (
        part
        for line in text.splitlines()
        for part in textwrap.wrap(line, _WIDTH, break_on_hyphens=False) or [""]
    )
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


def main() -> None:
    before = DOCUMENT.read_text("utf-8").partition(HEADING)[0].rstrip("\n")
    found = asyncio.run(transcript())
    DOCUMENT.write_text(f"{before}\n\n{HEADING}{_INTRODUCTION}\n{found}", "utf-8")


if __name__ == "__main__":
    main()
