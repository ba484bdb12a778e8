"""HTTP/2 under load and by clients that leave early: nothing that is read to its end is lost."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import trustme

from benchmarks.traffic.processes import resident
from tests.browser.browsers import chromium
from tests.browser.test_https_sites import settings
from tests.browser.trust import trusting_home, trusting_store
from tests.clients.test_clients import run
from tests.extension.firefox import firefox
from tests.programs import require_program
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, reply, serving
from tests.proxy.proxies import proxying
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.data_folder import keys_of
from winnow.proxy.server.requests.client_limits import ClientBounds

pytestmark = pytest.mark.release
MIB = 1 << 20
SIZES = {"1k": 1000, "16k": 16_384, "1m": MIB, "4m": 4 * MIB}
STREAMS = (1, 10, 100)
WINDOWS = (16, 17, 20, 24, 30)
"""Exponents of two."""
GROWTH = 64 * MIB
"""Bytes that a repeated run may take more than the first, of a process with all of it in memory."""
REPORT = re.compile(
    rb"requests: (\d+) total, \1 started, \1 done, \1 succeeded, 0 failed, 0 errored"
)


def files(*more: str) -> dict[str, bytes]:
    """Pictures of all sizes, which nobody extracts."""
    fields = ("Content-Type: image/png", *more)
    return {f"/{name}": reply(os.urandom(size), *fields) for name, size in SIZES.items()}


@asynccontextmanager
async def gateway(*fields: str) -> AsyncIterator[str]:
    """The address below which an origin's files are."""
    plain = Settings()
    chosen = replace(plain, server=replace(plain.server, port=0))
    async with serving(Origin(dict(files(*fields)))) as origin, running(chosen) as proxy:
        yield f"http://127.0.0.1:{proxy.port}/http://127.0.0.1:{origin.port}"


@pytest.mark.parametrize("fields", [("Cache-Control: max-age=600",), ("Cache-Control: no-store",)])
async def test_h2load_of_all_sizes_windows_and_streams(fields: tuple[str, ...]) -> None:
    h2load = require_program("h2load")
    async with gateway(*fields) as base:
        held = []
        for _ in range(2):
            for name, size in SIZES.items():
                for streams in STREAMS:
                    many = str(max(2 * streams, 40) if size < MIB else 40)
                    for window in map(str, WINDOWS):
                        words = ("-n", many, "-c", "2", "-m", str(streams), "-w", window)
                        report = await run(h2load, *words, "-W", window, f"{base}/{name}")
                        assert REPORT.search(report), (name, streams, window, report)
            held.append(resident(os.getpid()))
        assert held[1] - held[0] < GROWTH


NODE = """
const http2 = require('http2');
const [url, path, how] = process.argv.slice(1);
const settings = {initialWindowSize: 6 << 20};
const session = http2.connect(url, {settings});
session.on('connect', () => session.setLocalWindowSize(15 << 20));
session.on('error', error => console.log('session', error.message));
let whole = 0, left = 40;
const done = () => { if (--left === 0) { console.log(whole); session.destroy(); } };
for (let at = 0; at < 40; at++) {
  const target = `http://127.0.0.1:${path}`;
  const [authority, ...rest] = target.slice(7).split('/');
  const stream = session.request(
    {':scheme': 'http', ':authority': authority, ':path': '/' + rest.join('/')});
  let size = 0, early = how === 'cancel' && at % 2;
  if (how === 'goodbye') stream.on('response', () => session.close());
  stream.on('data', data => {
    size += data.length;
    if (early) stream.close(http2.constants.NGHTTP2_CANCEL);
  });
  stream.on('error', error => console.log('stream', error.message));
  stream.on('close', () => { if (size === 1 << 20) whole++; done(); });
  stream.end();
}
"""


@pytest.mark.parametrize(("how", "whole"), [("read", 40), ("cancel", 20), ("goodbye", 40)])
async def test_node_clients_that_leave_early(how: str, whole: int) -> None:
    node = require_program("node")
    async with (
        serving(Origin(dict(files()))) as origin,
        proxying(bounds=ClientBounds(http2=True)) as proxy,
    ):
        url = f"http://127.0.0.1:{proxy.port}"
        got = await run(node, "-e", NODE, url, f"{origin.port}/1m", how)
    assert got.split() == [str(whole).encode()]


FETCH = "fetch(`/picture?${at}`).then(answer => answer.arrayBuffer())"
WHOLE = f"""Promise.allSettled([...Array(40).keys()].map(at => {FETCH}))
  .then(all => all.filter(each => each.value?.byteLength === 1 << 20).length)"""


@dataclass(frozen=True)
class Site:
    """``trusted``: the authorities that vouch for it, by name."""

    port: int
    trusted: Mapping[str, bytes]
    origin: Origin


@asynccontextmanager
async def pictures(folder: Path) -> AsyncIterator[Site]:
    """A proxy that intercepts https://files.example, where each path is a picture of 1 MiB."""
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("files.example").configure_cert(shown)
    chosen = settings(folder, authority)
    keys = keys_of(chosen)
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": (await keys.authority()).pem}
    keys.close()
    picture = reply(bytes(MIB), "Content-Type: image/png", "Cache-Control: public, max-age=600")
    origin = Origin({"/": reply(b"<p>here", "Content-Type: text/html")}, usual=picture)
    async with (
        serving(origin, shown),
        running(open_names(chosen), NamedOrigins({("files.example", 443): origin.port})) as proxy,
    ):
        yield Site(proxy.port, trusted, origin)
        assert len(origin.requests) < 2 * 40


async def test_chromium_fetches_40_pictures_of_1_mib(tmp_path: Path) -> None:
    """Through interception: from the origin, then from the cache in a browser without one."""
    async with pictures(tmp_path) as site:
        home = await trusting_home(tmp_path / "home", site.trusted)
        async with chromium(f"http://127.0.0.1:{site.port}", home=home) as browser:
            for _ in range(3):
                context = await browser.new_context()
                tab = await context.new_page()
                await tab.goto("https://files.example/")
                assert await tab.evaluate(WHOLE) == 40
                await context.close()


async def test_firefox_fetches_40_pictures_of_1_mib(tmp_path: Path) -> None:
    by: dict[str, Any] = {"browser.cache.disk.enable": False, "network.proxy.type": 1}
    async with pictures(tmp_path) as site:
        await trusting_store(tmp_path / "home" / "profile", site.trusted)
        for name in ("network.proxy.http", "network.proxy.ssl"):
            by |= {name: "127.0.0.1", f"{name}_port": site.port}
        async with firefox(tmp_path / "home", **by) as session:
            for _ in range(3):
                await session("WebDriver:Navigate", url="https://files.example/")
                assert await session.run(f"return {WHOLE}") == 40
                version = "performance.getEntriesByType('resource').at(-1).nextHopProtocol"
                assert await session.run(f"return {version}") == "h2"
                await session.run("Services.cache2.clear()", chrome=True)
