"""Twenty-odd HTTPS sites, each of one kind that a proxy may break; they know nothing of a proxy.

A site's pages leave what they saw in ``window.result``, a value that can be compared.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import wave
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from tests.browser.browsers import picture

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
SENTENCES = (
    "The river rose overnight, and by morning the whole village stood on the bridge.",
    "Nobody had seen the water so high since the year of the great flood, said the miller.",
    "The fire brigade filled sandbags while the baker handed out warm bread to the helpers.",
    "By noon the rain had stopped, and the first children went down to look at their school.",
)
TEXT = "".join(f"<p>{' '.join(SENTENCES[n:] + SENTENCES[:n])}</p>" for n in range(4))
NAVIGATION = "".join(f"<a href=/{word}>{word}</a> " for word in ("home", "news", "sport") * 8)


@dataclass(frozen=True)
class Site:
    """One host. ``article`` pages are extracted by the proxy; all else must not change."""

    host: str
    pages: dict[str, Handler]
    article: bool = False
    path: str = "/"

    @property
    def url(self) -> str:
        return f"https://{self.host}{self.path}"


def page(body: str, script: str = "", head: str = "") -> str:
    """A page of an app: too few words to be an article; the script gives ``result``."""
    run = f"<script>{script}</script>" if script else ""
    return (
        f"<!doctype html><html lang=en><head><title>App</title>{head}</head>"
        f"<body>{body}{run}</body></html>"
    )


def awaited(expression: str) -> str:
    """A script that leaves what a promise gives."""
    return (
        f"({expression}).then(value => window.result = value,"
        " error => window.result = String(error))"
    )


def shows(text: str, media_type: str = "text/html", **fields: str) -> Handler:
    async def show(request: web.Request) -> web.Response:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        return web.Response(text=text, content_type=media_type, headers=headers)

    return show


def gives(body: bytes, media_type: str, **fields: str) -> Handler:
    async def give(request: web.Request) -> web.Response:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        return web.Response(body=body, content_type=media_type, headers=headers)

    return give


ARTICLE = f"""<!doctype html><html lang="en"><head><title>The flood</title>
<link rel="stylesheet" href="/style.css"></head><body><nav>{NAVIGATION}</nav>
<article><h1>The flood</h1><img src="/bridge.png" alt="The bridge" width="320" height="120">{TEXT}
</article><footer>{NAVIGATION}</footer></body></html>"""
FORUM = f"""<!doctype html><html lang="en"><head><title>Where to swim?</title></head><body>
<table><tr><td>{NAVIGATION}</td></tr></table><h1>Where to swim?</h1>
<div class=post><b>Anna</b>{TEXT}</div><div class=post><b>Ben</b>{TEXT}</div>
<div>{NAVIGATION}</div></body></html>"""


async def echo_json(request: web.Request) -> web.Response:
    return web.json_response({"method": request.method, "body": await request.json()})


async def chat(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    async for message in socket:
        if message.type is WSMsgType.TEXT:
            await socket.send_str(message.data[::-1])
        elif message.type is WSMsgType.BINARY:
            await socket.send_bytes(message.data[::-1])
    return socket


CHAT = awaited(
    """new Promise((done, fail) => {
  const socket = new WebSocket('wss://' + location.host + '/socket'), seen = [];
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => { socket.send('hello'); socket.send('x'.repeat(200000));
                          socket.send(new Uint8Array([1, 2, 255])); };
  socket.onmessage = event => {
    seen.push(typeof event.data === 'string' ? event.data.length + event.data.slice(0, 5)
                                             : [...new Uint8Array(event.data)]);
    if (seen.length === 3) { socket.onclose = e => done([seen, e.code]); socket.close(1000); } };
  socket.onerror = () => fail('socket'); })"""
)


def tone() -> bytes:
    """Two seconds of silence as a WAV file."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(32000))
    return made.getvalue()


TONE = tone()


async def ranged(request: web.Request) -> web.Response:
    """A file of which any range may be asked for."""
    wanted = request.http_range
    if wanted.start is None and wanted.stop is None:
        fields = {"Accept-Ranges": "bytes"}
        return web.Response(body=TONE, content_type="audio/wav", headers=fields)
    start, stop = wanted.start or 0, wanted.stop or len(TONE)
    stop = min(stop, len(TONE))
    fields = {"Content-Range": f"bytes {start}-{stop - 1}/{len(TONE)}", "Accept-Ranges": "bytes"}
    return web.Response(status=206, body=TONE[start:stop], content_type="audio/wav", headers=fields)


VIDEO = awaited(
    """(async () => {
  const part = await fetch('/tone.wav', {headers: {Range: 'bytes=4-9'}});
  const bytes = [...new Uint8Array(await part.arrayBuffer())];
  const audio = new Audio('/tone.wav');
  await new Promise((done, fail) => { audio.onloadedmetadata = done; audio.onerror = fail; });
  audio.currentTime = 1.5;
  await new Promise(done => audio.onseeked = done);
  return [part.status, part.headers.get('content-range'), bytes, audio.duration, audio.currentTime];
})()"""
)


async def log_in(request: web.Request) -> web.Response:
    form = await request.post()
    answer = web.Response(status=303, headers={"Location": "/inside"})
    answer.set_cookie("name", str(form["name"]), secure=True, httponly=True, samesite="Lax")
    return answer


async def inside(request: web.Request) -> web.Response:
    name = request.cookies.get("name", "nobody")
    return web.Response(
        text=page(name, f"window.result = {json.dumps(name)}"), content_type="text/html"
    )


LOGIN = page(
    "<form method=post action=/login enctype=multipart/form-data>"
    "<input name=name value='Zoë'></form>",
    "document.forms[0].submit()",
)

DOWNLOAD = page("<a id=file href=/report.html download>Report</a>", "window.result = 'ready'")

FRAMES = page(
    "<iframe src=/left></iframe><iframe src=https://other.example/right></iframe>",
    """addEventListener('load', () => {
  const left = frames[0].document.body;
  window.result = [frames.length, left.querySelectorAll('a').length, left.innerText.length]; })""",
)


async def events(request: web.Request) -> web.StreamResponse:
    stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await stream.prepare(request)
    for number in range(3):
        await stream.write(f"id: {number}\ndata: tick {number}\n\n".encode())
        await asyncio.sleep(0.02)  # each in a packet of its own
    return stream


EVENTS = awaited(
    """new Promise(done => { const seen = [], source = new EventSource('/events');
  source.onmessage = event => { seen.push(event.lastEventId + event.data);
    if (seen.length === 3) { source.close(); done(seen); } }; })"""
)

WORKER = """self.addEventListener('install', event => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', event => { if (event.request.url.endsWith('/made'))
  event.respondWith(new Response('made by the worker')); });"""
SERVICE = awaited(
    """(async () => {
  const registered = await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise(done => navigator.serviceWorker.oncontrollerchange = done);
  return [await (await fetch('/made')).text(), registered.scope]; })()"""
)

STRICT = (
    "default-src 'none'; script-src 'nonce-r4nd0m'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; report-uri /report; frame-ancestors 'none'"
)
STRICT_PAGE = """<!doctype html><html lang=en><head><title>Strict</title>
<link rel=stylesheet href=/style.css></head><body style="color:rgb(1,2,3)"><img src=/bridge.png>
<script>window.broken = 1</script><script nonce=r4nd0m>
addEventListener('load', () => window.result = [window.broken === undefined,
  getComputedStyle(document.body).color, document.images[0].naturalWidth]);
</script></body></html>"""

MODULES = """<!doctype html><html lang=en><head><title>App</title></head><body><div id=root></div>
<script type=module>import { render } from '/render.js';
render('root'); history.pushState({}, '', '/deep/path?x=1');
const late = await import('/late.js');
window.result = [document.getElementById('root').textContent, location.pathname, late.value];
</script></body></html>"""

STYLES = page(
    "<p id=one>One</p>",
    "addEventListener('load', () => window.result = getComputedStyle(one).color)",
    "<link rel=stylesheet href=/main.css>",
)

GALLERY = page(
    "<img src=/bridge.png>"
    "<picture><source srcset=/bridge.svg type=image/svg+xml><img src=/x></picture>",
    """addEventListener('load', () => window.result =
  [...document.images].map(image => [image.currentSrc, image.naturalWidth]))""",
)


async def shared(request: web.Request) -> web.Response:
    """Answers another origin's preflight and request (Fetch standard, section 3.2)."""
    fields = {
        "Access-Control-Allow-Origin": request.headers.get("Origin", ""),
        "Access-Control-Allow-Methods": "PUT",
        "Access-Control-Allow-Headers": "x-special",
        "Access-Control-Allow-Credentials": "true",
    }
    seen = [request.method, request.headers.get("X-Special", "")]
    return web.json_response(seen, headers=fields)


CORS = awaited(
    """fetch('https://other.example/shared', {method: 'PUT', credentials: 'include',
  headers: {'X-Special': 'yes'}, body: 'x'}).then(reply => reply.json())"""
)


async def dribble(request: web.Request) -> web.StreamResponse:
    stream = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await stream.prepare(request)
    for number in range(5):
        await stream.write(f"{number};".encode())
        await asyncio.sleep(0.02)  # each in a packet of its own
    return stream


STREAM = awaited(
    """(async () => { const reader = (await fetch('/dribble')).body.getReader();
  let text = '', pieces = 0;
  for (;;) { const {done, value} = await reader.read(); if (done) break;
             text += new TextDecoder().decode(value); pieces++; }
  return [text, pieces > 1]; })()"""
)


async def digest(request: web.Request) -> web.Response:
    body = await request.read()
    return web.json_response([len(body), hashlib.sha256(body).hexdigest()])


UPLOAD = awaited(
    """(async () => { const data = new Uint8Array(5000000).map((_, at) => at % 251);
  const form = new FormData(); form.append('file', new Blob([data]), 'file.bin');
  const raw = await fetch('/digest', {method: 'POST', body: data});
  const multipart = await fetch('/digest', {method: 'PUT', body: form});
  return [await raw.json(), (await multipart.json())[0] > 5000000]; })()"""
)


async def guarded(request: web.Request) -> web.Response:
    right = "Basic " + base64.b64encode(b"anna:secret").decode()
    if request.headers.get("Authorization") != right:
        return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="x"'})
    return web.Response(text=page("in", "window.result = 'in'"), content_type="text/html")


def leads(status: int, location: str) -> Handler:
    async def lead(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": location})

    return lead


FRAGMENT = awaited(
    """(async () => { const request = new XMLHttpRequest();
  request.open('GET', '/fragment'); request.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
  await new Promise(done => { request.onload = done; request.send(); });
  const fetched = await (await fetch('/fragment', {headers: {Accept: 'text/html'}})).text();
  return [request.responseText.length, request.responseText === fetched]; })()"""
)

WORKERS = awaited(
    """new Promise(done => { const worker = new Worker('/sum.js');
  worker.onmessage = event => done(event.data); worker.postMessage([1, 2, 3]); })"""
)
COMPRESSED = awaited(
    "fetch('/packed').then(async reply =>"
    " [reply.headers.get('content-encoding'), await reply.text()])"
)


async def packed(request: web.Request) -> web.Response:
    answer = web.Response(text="packed " * 500, content_type="text/plain")
    answer.enable_compression()
    return answer


async def counted(request: web.Request) -> web.Response:
    """A text that a client may keep and must ask about."""
    if request.headers.get("If-None-Match") == '"v1"':
        return web.Response(status=304, headers={"ETag": '"v1"', "Cache-Control": "no-cache"})
    fields = {"ETag": '"v1"', "Cache-Control": "no-cache"}
    return web.Response(text="version one", content_type="text/plain", headers=fields)


CACHED = awaited(
    """(async () => { const one = await fetch('/data'); const first = await one.text();
  const two = await fetch('/data'); return [first, await two.text(), two.status]; })()"""
)
STYLE = "body { background: rgb(9, 8, 7) }"
PNG = picture(320, 120, (30, 90, 160))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect/></svg>'
HTML_FILE = ARTICLE.encode()

SITES: tuple[Site, ...] = (
    Site("news.example", {
        "/": shows(ARTICLE), "/bridge.png": gives(PNG, "image/png"),
    }, article=True),
    Site("forum.example", {"/": shows(FORUM)}, article=True),
    Site("app.example", {
        "/": shows(page("App", awaited(
            "fetch('/api', {method: 'POST', body: JSON.stringify({a: [1, 'ü']})})"
            ".then(reply => reply.json())"))),
        "/api": echo_json,
    }),
    Site("chat.example", {"/": shows(page("Chat", CHAT)), "/socket": chat}),
    Site("video.example", {"/": shows(page("Video", VIDEO)), "/tone.wav": ranged}),
    Site("login.example", {"/": shows(LOGIN), "/login": log_in, "/inside": inside}),
    Site("files.example", {
        "/": shows(DOWNLOAD),
        "/report.html": gives(HTML_FILE, "text/html", Content_Disposition="attachment"),
    }),
    Site("frames.example", {"/": shows(FRAMES), "/left": shows(ARTICLE)}),
    Site("events.example", {"/": shows(page("Events", EVENTS)), "/events": events}),
    Site("worker.example", {
        "/": shows(page("Worker", SERVICE)), "/worker.js": shows(WORKER, "text/javascript"),
    }),
    Site("strict.example", {
        "/": shows(STRICT_PAGE, Content_Security_Policy=STRICT),
        "/style.css": shows(STYLE, "text/css"), "/bridge.png": gives(PNG, "image/png"),
    }),
    Site("modules.example", {
        "/": shows(MODULES),
        "/render.js": shows("export const render = id =>"
                            " document.getElementById(id).textContent = 'rendered'",
                            "text/javascript"),
        "/late.js": shows("export const value = 42", "text/javascript"),
    }),
    Site("styles.example", {
        "/": shows(STYLES), "/main.css": shows("@import '/more.css';", "text/css"),
        "/more.css": shows("#one { color: rgb(4, 5, 6) }", "text/css"),
    }),
    Site("gallery.example", {
        "/": shows(GALLERY), "/bridge.png": gives(PNG, "image/png"),
        "/bridge.svg": shows(SVG, "image/svg+xml"),
    }),
    Site("cors.example", {"/": shows(page("Cross", CORS))}),
    Site("stream.example", {"/": shows(page("Stream", STREAM)), "/dribble": dribble}),
    Site("upload.example", {"/": shows(page("Upload", UPLOAD)), "/digest": digest}),
    Site("guarded.example", {"/": guarded}),
    Site("moved.example", {
        "/": leads(301, "/second"), "/second": leads(307, "https://moved.example/third?x=1#f"),
        "/third": shows(page("Moved", "window.result = location.href")),
    }),
    Site("missing.example", {"/": shows(page("None", awaited(
        "fetch('/nothing').then(async reply => [reply.status, (await reply.text()).length])")))}),
    Site("fragment.example", {"/": shows(page("Part", FRAGMENT)), "/fragment": shows(ARTICLE)}),
    Site("threads.example", {
        "/": shows(page("Threads", WORKERS)),
        "/sum.js": shows("onmessage = event => postMessage(event.data.reduce((a, b) => a + b))",
                         "text/javascript"),
    }),
    Site("packed.example", {"/": shows(page("Packed", COMPRESSED)), "/packed": packed}),
    Site("cached.example", {"/": shows(page("Cached", CACHED)), "/data": counted}),
)  # fmt: skip
"""Sites that a person opens; ``other.example`` only helps them."""

HELPERS = {"other.example": {"/right": shows(ARTICLE), "/shared": shared}}


async def serve(request: web.Request) -> web.StreamResponse:
    """The page of whichever host is asked."""
    hosts = {site.host: site.pages for site in SITES} | HELPERS
    pages = hosts.get(request.host.partition(":")[0], {})
    handler = pages.get(request.path)
    if handler is None:
        return web.Response(status=404, text=ARTICLE, content_type="text/html")
    return await handler(request)
