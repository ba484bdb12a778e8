"""What every door answers to pages of a test package, asked as text: truthful, or silently empty.

    python -m benchmarks.doors PACKAGE [--only KIND]

A 200 has words, and says *few-words* or another doubt where it has less than 20; anything else is
an error with its reason. Sites are asked through an upstream proxy on loopback, so that their
addresses are public ones.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

import aiohttp
from mcp import Client

import winnow as library
from winnow.cli import main as command
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.reporting.tables import aligned

FEW: Final = 20
"""Words that a page's text should have, unless the answer says that it is doubtful."""
_CERTAIN: Final = frozenset({"requested", "page", "site-rule"})
Said = tuple[int, str, int]
"""Status, reason and number of words; of a door without statuses 422 for an error."""
Ask = Callable[[str], Awaitable[Said]]


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


def by_http(session: aiohttp.ClientSession, proxy: Running, client: Client) -> Mapping[str, Ask]:
    base = f"http://127.0.0.1:{proxy.port}"

    async def got(url: str, fields: Mapping[str, str], via: str | None = None) -> Said:
        async with session.get(url, headers=fields, proxy=via) as answer:
            words = len((await answer.text(errors="replace")).split())
            return answer.status, answer.headers.get("Winnow-Reason", ""), words

    async def tool(url: str) -> Said:
        result = await client.call_tool("read", {"url": url})
        text: str = result.model_dump()["content"][0]["text"]
        if result.is_error:
            problem = json.loads(text)
            return problem["status"], problem["type"], 0
        reason = text.partition("(")[2].partition(")")[0]
        return 200, reason, len(text.rpartition("\n---\n")[2].split())

    asked = "url={}&format=text"
    return {
        "proxy": lambda url: got(url, {"Winnow-Format": "text"}, base),
        "proxy, Accept": lambda url: got(url, {"Accept": "text/plain"}, base),
        "gateway": lambda url: got(f"{base}/-/read?{asked.format(quote(url, safe=''))}", {}),
        "API": lambda url: got(f"{base}/-/api/extract?{asked.format(quote(url, safe=''))}", {}),
        "MCP": tool,
    }


def without_server(files: Sequence[Path]) -> Mapping[str, Sequence[Said]]:
    """What command line, batch and library say of each file."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        command(["extract", "--untaught", *map(str, files)])
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        Path(folder, "in").mkdir()
        for file in files:
            Path(folder, "in", file.name).write_bytes(file.read_bytes())
        rows = Path(folder, "rows.jsonl")
        command(["extract", "--batch", f"{folder}/in", "--out", str(rows)])
        batch = {Path(row["source"]).name: row for row in map(json.loads, rows.open())}
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    articles = [library.extract(file.read_bytes()) for file in files]
    return {
        "command": [_row(line) for line in lines],
        "batch": [_row(batch[file.name]) for file in files],
        "library": [(422 if a.missing else 200, a.missing, len(a.text.split())) for a in articles],
    }


def _row(line: Mapping[str, str | None]) -> Said:
    """A row of the command line or of a batch; its doubts are its confidence."""
    error, text = line.get("error"), line.get("text") or ""
    return (422, "error", 0) if error else (200, "", len(text.split()))


async def asked(pages: Mapping[str, bytes]) -> Mapping[str, Sequence[Said]]:
    plain = Settings()
    with tempfile.TemporaryDirectory() as folder:
        async with sites(pages) as port:
            settings = replace(
                plain,
                server=replace(plain.server, port=0),
                storage=replace(plain.storage, folder=Path(folder)),
                upstream=replace(plain.upstream, proxy=f"http://127.0.0.1:{port}"),
                learning=replace(plain.learning, enabled=False),
            )
            async with running(settings) as proxy, aiohttp.ClientSession() as session:
                await proxy.begin(60)
                async with Client(f"http://127.0.0.1:{proxy.port}/-/mcp") as client:
                    doors = by_http(session, proxy, client)
                    return {door: [await ask(url) for url in pages] for door, ask in doors.items()}


def table(answers: Mapping[str, Sequence[Said]]) -> str:
    rows = []
    for door, said in answers.items():
        given = [(reason, words) for status, reason, words in said if status == 200]
        empty = sum(not words for _, words in given)
        unsaid = sum(0 < words < FEW and reason in _CERTAIN for reason, words in given)
        errors = Counter(reason for status, reason, _ in said if status != 200)
        why = ", ".join(f"{reason} {count}" for reason, count in errors.most_common())
        rows.append([door, *map(str, (len(said), len(given), empty, unsaid)), why])
    head = ("door", "pages", "text", "empty", "short unsaid", "errors")
    return aligned(head, rows, 1)


def disagreements(answers: Mapping[str, Sequence[Said]], names: Sequence[str]) -> list[str]:
    """Pages to which one door gives a text and another an error."""
    found = zip(
        names, *([status for status, _, _ in said] for said in answers.values()), strict=True
    )
    return [name for name, *statuses in found if len(set(statuses)) > 1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doors")
    parser.add_argument("package", help="a folder, or a name below $WINNOW_PACKAGES")
    parser.add_argument("--only", action="append", help="kinds of page, such as log-in")
    arguments = parser.parse_args()
    package = load(find(arguments.package))
    listed = map(package.page, package.ids)
    kept = [
        each for each in listed if not arguments.only or each.meta.get("kind") in arguments.only
    ]
    pages = {f"http://site{at}.example/{each.id}": each.body for at, each in enumerate(kept)}
    answers = dict(asyncio.run(asked(pages)))
    answers.update(without_server([package.path / f"{each.id}.html" for each in kept]))
    sys.stdout.write(f"{table(answers)}\n")
    apart = disagreements(answers, [each.id for each in kept])
    sys.stdout.write(f"{len(apart)} pages of which doors differ: {', '.join(apart[:20])}\n")


if __name__ == "__main__":
    main()
