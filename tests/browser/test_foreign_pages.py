"""A page of another site, in Chromium, against the proxy's own port with its default settings.

The browser uses no proxy. The site is a public address to the proxy and another origin to the
browser; the proxy runs with its own resolver and connector (tests/attack/network.py).
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import pytest

from tests.attack.network import Network
from tests.attack.worlds import SECRET, World, world
from tests.browser.browsers import chromium
from tests.proxy.origins import Origin, html, serving
from tests.sweeps import rest_in_release

TARGETS: Final = (
    "/http://127.0.0.1:{tool}/secret", "/http://localhost:{tool}/secret",
    "/-/read?mode=original&url=http://127.0.0.1:{tool}/secret",
    "/-/api/extract?url=http://127.0.0.1:{tool}/secret",
    "/-/compare?url=http://127.0.0.1:{tool}/secret", "/-/why?url=http://127.0.0.1:{tool}/secret",
    "/-/feed?url=http://127.0.0.1:{tool}/secret", "/-/book?url=http://127.0.0.1:{tool}/secret",
    "/-/small/http://127.0.0.1:{tool}/secret", "/http://inside7.example/secret",
    "/-/read?mode=original&url=http://127.0.0.1:{tool}/%20HTTP/1.1%0d%0aX:%20y%0d%0a",
    "/-/small/go?url=http://127.0.0.1:{tool}/%0d%0aSet-Cookie:%20a=b",
    "/-/settings", "/-/activity", "/-/status", "/-/metrics", "/-/settings/saved", "/-/settings/all",
    "/-/choose?action=never&page=http://site.example/",
)  # fmt: skip
ATTACK: Final = """
const targets = TARGETS, own = 'OWN', said = [], read = [];
const rest = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const within = (promise) => Promise.race([promise, rest(1500)]);
const loaded = (element, name) => new Promise(done => {
  element.onload = () => { said.push(name + ' loaded'); done(); }; element.onerror = done;
  document.body.appendChild(element); });
async function one(target) {
    const url = own + target, body = new URLSearchParams({action: 'never', change: 'pause',
      value: '60', page: 'http://site.example/', url: 'http://site.example/', token: 'x'});
    for (const options of [{}, {mode: 'no-cors', credentials: 'include'},
                           {method: 'POST', mode: 'no-cors', body}, {method: 'POST', body}])
      try { read.push(await (await fetch(url, options)).text()); } catch { said.push('no fetch'); }
    const img = document.createElement('img'); img.src = url;
    await within(loaded(img, 'img'));
    const script = document.createElement('script'); script.src = url;
    await within(loaded(script, 'script'));
    const frame = document.createElement('iframe'); frame.src = url;
    frame.name = 'f' + said.length;
    document.body.appendChild(frame);
    const form = document.body.appendChild(document.createElement('form'));
    form.method = 'post'; form.action = url; form.target = frame.name;
    for (const [name, value] of body) {
      const input = form.appendChild(document.createElement('input'));
      input.name = name; input.value = value; }
    await rest(100);
    try { read.push(frame.contentDocument.body.innerText); } catch { said.push('no frame'); }
    form.submit();
    const opened = window.open(url);
    await rest(200);
    try { read.push(opened.document.body.innerText); } catch { said.push('no window'); }
    if (opened) opened.close();
    await within(new Promise(done => {
      const socket = new WebSocket(url.replace('http:', 'ws:'));
      socket.onopen = () => { said.push('socket opened'); done(); };
      socket.onmessage = event => read.push(event.data);
      socket.onerror = done; }));
    navigator.sendBeacon(url, body);
}
Promise.all(targets.map(one)).then(() => window.result = {said, read});
"""


class Apart(threading.Thread):
    """A world of the attack suite on a loop of its own, beside the browser's."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.ready: Future[World] = Future()
        self._ending: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        with asyncio.Runner(loop_factory=Network) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        self._ending, self._loop = asyncio.Event(), asyncio.get_running_loop()
        async with world(self.folder) as made:
            self.ready.set_result(made)
            await self._ending.wait()

    def end(self) -> None:
        if self._loop and self._ending:
            self._loop.call_soon_threadsafe(self._ending.set)
        self.join()


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[World]:
    thread = Apart(tmp_path / "apart")
    thread.start()
    try:
        yield thread.ready.result(60)
    finally:
        thread.end()


def page(apart: World) -> bytes:
    targets = [target.replace("{tool}", str(apart.tool.port)) for target in TARGETS]
    script = ATTACK.replace("TARGETS", json.dumps(targets)).replace("OWN", f"http://{apart.own}")
    return html(f"<!doctype html><title>Evil</title><body><script>{script}</script>".encode())


@pytest.mark.parametrize(
    "host", rest_in_release(["localhost", "127.0.0.1", "evil.example"], ["evil.example"])
)
async def test_a_page_of_another_site_reaches_and_changes_nothing(host: str, apart: World) -> None:
    """``localhost`` and another port of 127.0.0.1 are the same site to a browser, or nearly."""
    before = await asyncio.to_thread(apart.lasting)
    flags = (
        "--disable-popup-blocking",
        "--host-resolver-rules=MAP evil.example 127.0.0.1",
        "--disable-features=LocalNetworkAccessChecks",
    )
    async with serving(Origin({"/evil": page(apart)})) as evil, chromium("", flags) as browser:
        tab = await browser.new_page()
        await tab.goto(f"http://{host}:{evil.port}/evil")
        await tab.wait_for_function("window.result !== undefined", timeout=240_000)
        result = await tab.evaluate("window.result")
    assert SECRET.decode() not in json.dumps(result)
    assert [text for text in result["read"] if text] == []
    assert not [word for word in result["said"] if word == "socket opened"]
    assert apart.tool.requests == []
    assert apart.reached() == []
    assert await asyncio.to_thread(apart.lasting) == before


async def test_the_attack_would_be_seen(apart: World) -> None:
    """The same script reads everything of an origin that lets it: the local tool's own."""
    apart.tool.replies["/evil"] = page(apart)
    async with chromium("", ("--disable-web-security", "--disable-popup-blocking")) as browser:
        tab = await browser.new_page()
        await tab.goto(f"http://127.0.0.1:{apart.tool.port}/evil")
        await tab.wait_for_function("window.result !== undefined", timeout=240_000)
        result = await tab.evaluate("window.result")
    assert len(result["read"]) > len(TARGETS)
