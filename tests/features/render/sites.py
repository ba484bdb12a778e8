"""A site written for these tests, on loopback: applications, and pages that attack."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.features.render.frameworks import applications, file_of, svelte_component

SENTENCES = tuple(
    f"Sentence {number}: the river rose by {number} centimetres, the town of Hall says."
    for number in range(30)
)
PARAGRAPHS = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
STORY = f"<h1>The river</h1>{PARAGRAPHS}"
_HEAD = "<!doctype html><html lang=en><title>The river</title><body>"
_DRAW = f"const html = '{STORY}';"
_SHADOW = (
    "<x-story></x-story><script>%s customElements.define('x-story', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: '%s'}).innerHTML = html } })</script>"
)
APPLICATIONS = {
    "mounted at once": f"<div id=root></div><script>{_DRAW}root.innerHTML = html</script>",
    "fetched": "<div id=app></div><script>fetch('/data').then(r => r.text())"
    ".then(t => app.innerHTML = t)</script>",
    "fetched twice": "<div id=app></div><script>fetch('/nothing').then(() => fetch('/data'))"
    ".then(r => r.text()).then(t => app.innerHTML = t)</script>",
    "late": f"<div id=app></div><script>{_DRAW}addEventListener('load', () => setTimeout(() => "
    "app.innerHTML = html, 300))</script>",
    "in parts": f"<div id=app></div><script>{_DRAW}let at = 0; const parts = html.split('</p>');"
    "const draw = () => { if (at < parts.length) { "
    "app.innerHTML = parts.slice(0, ++at).join('</p>'); setTimeout(draw, 10) } }; draw()</script>",
    "module": f"<div id=app></div><script type=module>{_DRAW}app.innerHTML = html</script>",
    "client routing": f"<div id=app></div><script>{_DRAW}history.pushState({{}}, '', '/story');"
    "app.innerHTML = html</script>",
    "shadow tree": _SHADOW % (_DRAW, "open"),
    "closed shadow tree": _SHADOW % (_DRAW, "closed"),
    "slotted": f"<x-frame>{PARAGRAPHS}</x-frame><script>customElements.define('x-frame', class "
    "extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = "
    "'<main><slot></slot></main>' } })</script>",
    "frame": "<iframe src=/data.html></iframe><script>1</script>",
    "document.write": f"<script>{_DRAW}document.write(html)</script>",
    "template": f"<div id=app></div><template id=t>{PARAGRAPHS}</template>"
    "<script>app.append(t.content.cloneNode(true))</script>",
    "navigates": "<script>setTimeout(() => location = '/data.html', 100)</script>",
    "slots in a slotted tree": f"<x-in><x-out>{PARAGRAPHS}</x-out></x-in><script>for (const name "
    "of ['x-in', 'x-out']) customElements.define(name, class extends HTMLElement { "
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = "
    "'<section><slot></slot></section>' } })</script>",
    "a frame that is written": f"<iframe id=f></iframe><script>{_DRAW}f.srcdoc = html</script>",
    "streamed": f"<main id=B></main><div hidden id=S>{PARAGRAPHS}</div><script>setTimeout(() => "
    "{ B.append(...S.childNodes); S.remove() }, 200)</script>",
    "a worker": f"<div id=app></div><script>{_DRAW}const w = new Worker(URL.createObjectURL("
    "new Blob(['postMessage(1)']))); w.onmessage = () => app.innerHTML = html</script>",
    "frames of animation": f"<div id=app></div><script>{_DRAW}const parts = html.split('</p>');"
    "const draw = () => { if (parts.length) { app.insertAdjacentHTML('beforeend', parts.shift()); "
    "requestAnimationFrame(draw) } }; draw()</script>",
    "text that is loaded when seen": "<div id=app></div><script>let at = 0; const more = () => {"
    f"const all = {json.dumps(SENTENCES)}; for (const end = at + 10; at < end && at < all.length; "
    "at++) app.insertAdjacentHTML('beforeend', '<p style=margin:90px>' + all[at] + '</p>'); "
    "if (at < all.length) { const s = document.createElement('i'); app.append(s); new "
    "IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); s.remove(); "
    "more() } }).observe(s) } }; more()</script>",
    "a consent wall": f"<div id=app></div><script>{_DRAW}app.innerHTML = html; document.body."
    "insertAdjacentHTML('beforeend', '<div class=cookie-consent role=dialog style=position:fixed;"
    "inset:0><p>We value your privacy</p><button>Accept all</button></div>')</script>",
    **applications(SENTENCES, PARAGRAPHS),
}
WITH_SERVICE_WORKER = (
    "<div id=app></div><script>navigator.serviceWorker.register('/worker.js').then(() => "
    "navigator.serviceWorker.ready).then(() => fetch('/data')).then(r => r.text()).then(t => "
    "app.innerHTML = t)</script>"
)
"""Workers need a secure context: the host localhost."""
ENDLESS = (
    "<div id=app></div><script>let n = 0; const more = () => { for (let i = 0; i < 20; i++) "
    "app.insertAdjacentHTML('beforeend', `<p style=margin:90px>Item ${++n}: the river rose again "
    "in the town of Hall, and the bridge was closed once more.</p>`) }; more(); addEventListener("
    "'scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 400) more() })"
    "</script>"
)
HEAVY = (
    "<style>@font-face{font-family:F;src:url(/font)}p{font-family:F}main{background:url(/back)}"
    f"</style><main><img src=/picture><video src=/film autoplay></video>{PARAGRAPHS}</main>"
    "<script>new Image().src = '/pixel'; navigator.sendBeacon('/beacon', 'x')</script>"
)
"""Asks for much that has no text."""
HOSTILE = {
    "endless loop": "<script>for (;;) {}</script>",
    "late endless loop": "<p>x<script>setTimeout(() => { for (;;) {} }, 200)</script>",
    "a million elements": "<div id=a></div><script>a.innerHTML = '<b></b>'.repeat(1e6)</script>",
    "alerts": "<script>for (let i = 0; i < 100; i++) alert(i)</script>",
    "windows": "<script>for (let i = 0; i < 50; i++) window.open('/data.html?' + i)</script>",
    "download": "<script>location = '/file'</script>",
    "private addresses": "<img src=http://127.0.0.1:{other}/img><script>fetch('http://127.0.0.1:{other}"
    "/fetch', {mode: 'no-cors'}); new WebSocket('ws://127.0.0.1:{other}/socket')</script>",
    "memory": "<script>const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))</script>",
    "requests": "<script>for (let i = 0; i < 5000; i++) fetch('/data?' + i)</script>",
    "reloads": "<script>location.reload()</script>",
}


_ALONE = {"service-worker": WITH_SERVICE_WORKER, "endless": ENDLESS, "heavy": HEAVY}


@dataclass
class Site:
    """``seen``: the paths that were requested, of ``other`` those of a server on the same host."""

    port: int = 0
    other: int = 0
    seen: list[str] = field(default_factory=list)
    strayed: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://site.example:{self.port}{path}"

    def page(self, path: str) -> tuple[str, str]:
        """The media type and the body of a path."""
        kind, _, rest = path.lstrip("/").partition("/")
        if found := _script(kind, rest):
            return found
        if kind == "file":
            return "application/octet-stream", "x" * 1000
        return "text/html", self._markup(kind, rest).replace("{other}", str(self.other))

    def _markup(self, kind: str, number: str) -> str:
        if kind.startswith("data") and not kind.startswith("data.html"):
            return STORY
        if kind.startswith("data.html"):
            return _HEAD + STORY
        pages = list((APPLICATIONS if kind == "application" else HOSTILE).values())
        return _HEAD + _ALONE.get(kind, pages[int(number)] if number.isdigit() else "")


def _script(kind: str, rest: str) -> tuple[str, str] | None:
    if kind == "npm":
        return file_of(rest)
    if kind == "svelte.js":
        return "text/javascript", svelte_component(STORY)
    return ("text/javascript", "onfetch = e => {}") if kind == "worker.js" else None


@asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    """The site on a free port."""
    site = Site()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ")[1].decode()
            site.seen.append(path)
            kind, body = site.page(path)
            data = body.encode()
            fields = f"Content-Type: {kind}; charset=utf-8\r\nContent-Length: {len(data)}\r\n"
            writer.write(f"HTTP/1.1 200 OK\r\n{fields}Connection: close\r\n\r\n".encode() + data)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # a browser that was ended
        finally:
            writer.close()

    async def strayed(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site.strayed.append("connection")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    other = await asyncio.start_server(strayed, "127.0.0.1", 0)
    async with server, other:
        site.port, site.other = (each.sockets[0].getsockname()[1] for each in (server, other))
        yield site
