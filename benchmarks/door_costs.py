"""CPU of an answer by API and by the Model Context Protocol, beside the same page by proxy.

    python -m benchmarks.door_costs PACKAGE [--pages 60] [--rounds 5]

Each page is a new one for each answer (a comment is added), so that none comes from a cache; doors
take turns. Milliseconds of user and system time of all of Winnow's processes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Mapping
from itertools import count, product
from statistics import median
from typing import Final
from urllib.parse import quote

import aiohttp
from mcp import Client

from benchmarks.doors import sites
from benchmarks.free_ports import free_port
from benchmarks.traffic.processes import Server, serving
from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.reporting.tables import aligned

BROWSER: Final = {"Accept": "text/html", "User-Agent": "Mozilla/5.0"}
FORMATS: Final = ("text", "json", "markdown")
DOORS: Final = (("proxy", "page"), ("MCP", "markdown"), *product(("proxy", "API"), FORMATS))


async def costs(bodies: list[bytes], rounds: int) -> Mapping[str, list[float]]:
    """Milliseconds of CPU of one answer, by door, in each round."""
    pages: dict[str, bytes] = {}
    numbers, found = count(), dict[str, list[float]]()
    with tempfile.TemporaryDirectory() as folder:
        async with sites(pages) as sites_port:
            port = free_port()
            environment = {
                "WINNOW_UPSTREAM__PROXY": f"http://127.0.0.1:{sites_port}",
                "WINNOW_STORAGE__FOLDER": folder,
                "WINNOW_LEARNING__ENABLED": "false",
            }
            command = [sys.executable, "-m", "winnow", "serve", "--port", str(port)]
            server: Server
            with serving(command, port, "winnow", environment) as server:
                base = f"http://127.0.0.1:{port}"
                async with aiohttp.ClientSession() as session, Client(f"{base}/-/mcp") as client:
                    for turn in range(rounds + 1):
                        for door, form in DOORS:
                            before = server.cpu()
                            for body in bodies:
                                number = next(numbers)
                                url = f"http://site{number}.example/"
                                pages[url] = body + b"<!--%d-->" % number
                                if door == "MCP":
                                    await client.call_tool("read", {"url": url})
                                else:
                                    await _get(session, base, door, form, url)
                                del pages[url]
                            spent = 1000 * (server.cpu() - before) / len(bodies)
                            if turn:  # the first loads models and types
                                found.setdefault(f"{form} by {door}", []).append(spent)
    return found


async def _get(session: aiohttp.ClientSession, base: str, door: str, form: str, url: str) -> None:
    by_api = f"{base}/-/api/extract?url={quote(url, safe='')}&format={form}"
    fields = {"Winnow-Format": form} if form != "page" else BROWSER
    asked, via = (by_api, None) if door == "API" else (url, base)
    async with session.get(asked, headers=fields, proxy=via) as answer:
        await answer.read()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.door_costs")
    parser.add_argument("package", help="a folder, or a name below $WINNOW_PACKAGES")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    package = load(find(arguments.package))
    step = max(1, len(package.ids) // arguments.pages)
    bodies = [package.page(name).body for name in package.ids[::step][: arguments.pages]]
    found = asyncio.run(costs(bodies, arguments.rounds))
    beside = found["page by proxy"]
    rows = [
        [
            name,
            f"{median(spent):.1f}",
            f"{min(spent):.1f}..{max(spent):.1f}",
            f"{median(a / b for a, b in zip(spent, beside, strict=True)):.2f}",
        ]
        for name, spent in found.items()
    ]
    head = ("answer", "ms of CPU", "of rounds", "beside the page by proxy")
    sys.stdout.write(f"{aligned(head, rows, 1)}\n")


if __name__ == "__main__":
    main()
