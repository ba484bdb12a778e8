"""``python -m tests.load.icap_costs``: CPU of a 204 beside that of a request by proxy, in one run.

A response by ICAP that is none of ours, and its request, beside a file of 2 kB that is passed on.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from benchmarks.free_ports import free_port
from benchmarks.load.programs import winnow
from tests.features.icap.service import Client, chunked, connected, reqmod, respmod
from tests.proxy.origins import Origin, get, read_body, reply, serving

ROUNDS: Final = 12
REQUESTS: Final = 500
"""In a row of one kind, in each round; the first round is left out."""
FILE: Final = reply(b"\1" * 2000, "Content-Type: image/png")
BYTES: Final = "Content-Type: image/png\r\n"


def cpu(pid: int) -> int:
    """Nanoseconds that the threads of a process have run (proc(5), schedstat)."""
    found = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in found)


async def measured(folder: Path) -> Mapping[str, float]:
    """Microseconds of the server process a request, by its kind."""
    service, spent = free_port(), dict.fromkeys(("passed", "RESPMOD", "REQMOD"), 0)
    environment = {
        "WINNOW_FEATURES__ENABLED": "icap",
        "WINNOW_ICAP__PORT": str(service),
        "WINNOW_ICAP__PEERS": "127.0.0.1",
    }
    async with AsyncExitStack() as stack:
        begun = stack.enter_async_context
        process, port = await begun(winnow(folder, environment=environment))
        origin = await begun(serving(Origin(usual=FILE)))
        icap, proxy = await begun(connected(service)), await begun(connected(port))
        messages = {
            "passed": get(origin.url("/file"), "Accept: image/*"),
            "RESPMOD": respmod("Preview: 1024", found=BYTES) + chunked(b"\1" * 1024),
            "REQMOD": reqmod(
                get("http://site.example/f", "Accept: image/*").decode(), "Preview: 0"
            ),
        }
        for number in range(ROUNDS):
            for kind, message in messages.items():
                before = cpu(process.pid)
                for _ in range(REQUESTS):
                    await asked(proxy if kind == "passed" else icap, message)
                spent[kind] += cpu(process.pid) - before if number else 0
    return {kind: ns / 1000 / REQUESTS / (ROUNDS - 1) for kind, ns in spent.items()}


async def asked(client: Client, message: bytes) -> None:
    """One request and its answer."""
    client.writer.write(message)
    head = await client.head()
    assert b" 20" in head[:14], head
    await read_body(head, client.reader)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(Path(folder)))
    passed = found["passed"]
    for kind, microseconds in found.items():
        sys.stdout.write(f"{kind}: {microseconds:.0f} us of CPU, {microseconds / passed:.2f}\n")
    return int(found["RESPMOD"] > 0.7 * passed)


if __name__ == "__main__":
    sys.exit(main())
