"""``python -m tests.browser.loading_times``: how long Chromium takes for ``loading``'s page.

Prints the median milliseconds until the load event, without Winnow and with its interception.
Origin and Winnow are processes of their own, as they are for people: in one they take turns.
"""

from __future__ import annotations

import asyncio
import ssl
import statistics
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trustme
from playwright.async_api import Browser

from tests.browser.browsers import chromium
from tests.browser.loading import HOST, load, origin
from tests.browser.test_https_sites import settings
from tests.browser.trust import trusting_home
from tests.proxy.http2_peers import serving_http2
from tests.proxy.names import NamedOrigins, open_names
from winnow.compose.running import running
from winnow.data_folder import keys_of

NAME: Final = "tests.browser.loading_times"


async def serve_origin(folder: Path) -> None:
    """Serve the page with the certificate in ``folder`` until standard input ends."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "site.pem")
    async with serving_http2(origin(), context) as far:
        await _until_told(far.port)


async def serve_winnow(folder: Path, far: int) -> None:
    """Run the proxy, for which the host is the port ``far``, until standard input ends."""
    chosen = settings(folder, _authority(folder))
    async with running(open_names(chosen), NamedOrigins({(HOST, 443): far})) as proxy:
        await _until_told(proxy.port)


def _authority(folder: Path) -> trustme.CA:
    certificate, key = folder / "authority.pem", folder / "authority.key"
    return trustme.CA.from_pem(certificate.read_bytes(), key.read_bytes())


async def _until_told(port: int) -> None:
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


@asynccontextmanager
async def process(*words: str) -> AsyncIterator[int]:
    """This module in a process of its own, and the port that it says; ended at the end."""
    pipe = asyncio.subprocess.PIPE
    words = (sys.executable, "-m", NAME, *words)
    child = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe)
    assert child.stdin
    assert child.stdout
    try:
        yield int(await child.stdout.readline())
    finally:
        child.stdin.close()
        await child.wait()


@asynccontextmanager
async def browsers(folder: Path) -> AsyncIterator[tuple[Browser, Browser]]:
    """Chromium without Winnow, and with it."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    authority.private_key_pem.write_to_path(folder / "authority.key")
    authority.issue_cert(HOST).private_key_and_cert_chain_pem.write_to_path(folder / "site.pem")
    keys = keys_of(settings(folder, authority))
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": (await keys.authority()).pem}
    keys.close()
    home = await trusting_home(folder / "home", trusted)
    async with AsyncExitStack() as stack:
        far = await stack.enter_async_context(process("origin", str(folder)))
        proxy = await stack.enter_async_context(process("winnow", str(folder), str(far)))
        rules = [f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{far}"]
        yield (
            await stack.enter_async_context(chromium(arguments=rules, home=home)),
            await stack.enter_async_context(chromium(f"http://127.0.0.1:{proxy}", home=home)),
        )


async def measure(rounds: int = 9) -> None:
    """Load the page in turns and print the medians."""
    with TemporaryDirectory() as folder:
        async with browsers(Path(folder)) as (direct, behind):
            pairs = [(await load(direct), await load(behind)) for _ in range(rounds + 2)][2:]
    one, other = (
        statistics.median(each.milliseconds for each in side) for side in zip(*pairs, strict=True)
    )
    ratio = statistics.median(b.milliseconds / a.milliseconds for a, b in pairs)
    sys.stdout.write(f"direct {one:.0f} ms, behind Winnow {other:.0f} ms, ratio {ratio:.2f}\n")


def main(words: list[str]) -> None:
    """Measure, or be one of the servers that are measured, on the loop that Winnow uses."""
    run = import_module("uvloop").run if find_spec("uvloop") else asyncio.run
    match words:
        case ["origin", folder]:
            run(serve_origin(Path(folder)))
        case ["winnow", folder, far]:
            run(serve_winnow(Path(folder), int(far)))
        case _:
            asyncio.run(measure())


if __name__ == "__main__":
    main(sys.argv[1:])
