"""A site written for these tests, on loopback: applications, and pages that attack."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

SENTENCES = tuple(
    f"Sentence {number}: the river rose by {number} centimetres, the town of Hall says."
    for number in range(30)
)
PARAGRAPHS = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
_HEAD = "<!doctype html><html lang=en><title>The river</title><body>"
_DRAW = f"const html = '<h1>The river</h1>{PARAGRAPHS}';"
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
}
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
        kind, _, number = path.lstrip("/").partition("/")
        if kind.startswith("data.html"):
            return "text/html", f"{_HEAD}<h1>The river</h1>{PARAGRAPHS}"
        if kind.startswith("data"):
            return "text/html", f"<h1>The river</h1>{PARAGRAPHS}"
        if kind == "file":
            return "application/octet-stream", "x" * 1000
        pages = list((APPLICATIONS if kind == "application" else HOSTILE).values())
        found = pages[int(number)] if number.isdigit() else ""
        return "text/html", _HEAD + found.replace("{other}", str(self.other))


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
