"""The matrix of docs/http.md: programs and tasks, each plain, through a tunnel, and intercepted.

Each gets the origin's bytes, pages of HTML too; what differs is a row of that table.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tarfile
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha1, sha256, sha512
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
import trustme

from tests.clients.test_clients import ARTICLE, wheel
from tests.programs import require_program
from tests.proxy.origins import Origin, html, read_body, reply, serving
from tests.proxy.proxies import Proxy, proxying
from tests.proxy.worlds import Loopback, world
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls

pytestmark = pytest.mark.release
FILE: Final = bytes(range(256)) * 2000
JSON: Final = b'{"answer": 42, "markup": "<p>no page</p>"}'
FEED: Final = b"<?xml version='1.0'?><rss version='2.0'><channel><title>a</title></channel></rss>"
PAGES: Final = {
    "/site/": b"<html><body><a href=/site/b.html>b</a> <a href=/site/c.html>c</a></body></html>",
    "/site/b.html": ARTICLE,
    "/site/c.html": b"<html><body><a href=/site/>back</a></body></html>",
}
SOAP: Final = (
    b"<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body/></s:Envelope>"
)
SAMPLES: Final = FILE[:64_000]
SOUND: Final = (
    b"RIFF" + (36 + len(SAMPLES)).to_bytes(4, "little") + b"WAVEfmt \x10\0\0\0\1\0\1\0"
    b"\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data" + len(SAMPLES).to_bytes(4, "little") + SAMPLES
)
PLAYER: Final = (
    b"<!doctype html><html><title>A sound</title><body>"
    b"<audio src=/sound.wav type=audio/wav></audio>" + ARTICLE + b"</body></html>"
)
LISTING: Final = b"<?xml version='1.0'?><D:multistatus xmlns:D='DAV:'/>"


@dataclass(frozen=True)
class Way:
    """How a program reaches ``base``: by ``proxy``, trusting the authorities in ``trusted``."""

    base: str
    proxy: str
    trusted: Path
    folder: Path
    origin: Origin

    @property
    def environment(self) -> Mapping[str, str]:
        named = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "npm_config_proxy")
        trusting = (
            *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"),
            *("NODE_EXTRA_CA_CERTS", "npm_config_cafile", "PIP_CERT", "PERL_LWP_SSL_CA_FILE"),
        )
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return (
            kept
            | {"HOME": str(self.folder), "GOCACHE": str(self.folder / "go"), "GOFLAGS": "-mod=mod"}
            | dict.fromkeys(named, self.proxy)
            | dict.fromkeys(trusting, str(self.trusted))
        )

    async def run(self, *command: str | Path) -> bytes:
        """The standard output of a program that must succeed."""
        process = await asyncio.create_subprocess_exec(
            *map(str, command),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
        )
        async with asyncio.timeout(200):
            output, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()[-2000:]
        return output


def answers() -> dict[str, bytes]:
    """What the site has."""
    return {
        "/file.bin": reply(FILE, "Content-Type: application/octet-stream"),
        "/api": reply(JSON, "Content-Type: application/json"),
        "/feed": reply(FEED, "Content-Type: application/rss+xml"),
        "/soap": reply(SOAP, "Content-Type: text/xml"),
        "/dav/": reply(LISTING, "Content-Type: text/xml", status="207 Multi-Status"),
        "/part": reply(
            FILE[1000:2000],
            f"Content-Range: bytes 1000-1999/{len(FILE)}",
            status="206 Partial Content",
        ),
        "/grpc": reply(b"\0\0\0\0\2hi\x80\0\0\0\0", "Content-Type: application/grpc-web+proto"),
        "/events": reply(EVENTS, "Content-Type: text/event-stream"),
        "/up": reply(b"taken", "Content-Type: text/plain"),
        "/story": html(ARTICLE),
        "/sound.wav": reply(SOUND, "Content-Type: audio/wav"),
        "/player": html(PLAYER),
        **{path: html(body) for path, body in PAGES.items()},
    }


@asynccontextmanager
async def plain(folder: Path) -> AsyncIterator[Way]:
    connector = Connector(Loopback(), OriginTls.trusting(http2=False), timeout=60)
    trusted = folder / "trusted.pem"
    trusted.write_bytes(trustme.CA().cert_pem.bytes())  # none is needed, but no file may be empty
    async with serving(Origin(dict(answers()))) as origin, proxying(connector=connector) as proxy:
        lead_here(proxy)
        there, by = f"http://site.test:{origin.port}", f"http://127.0.0.1:{proxy.port}"
        yield Way(there, by, trusted, folder, origin)


@asynccontextmanager
async def secured(folder: Path, opened: Sequence[str], *, http2: bool) -> AsyncIterator[Way]:
    async with world(folder, opened, http2=http2) as here:
        here.origin.replies.update(answers())
        lead_here(here.proxy)
        trusted = folder / "trusted.pem"
        trusted.write_bytes(here.ours.pem + here.theirs.pem)
        there, by = f"https://site.test:{here.origin.port}", f"http://127.0.0.1:{here.proxy.port}"
        yield Way(there, by, trusted, folder, here.origin)


def lead_here(proxy: Proxy) -> None:
    """Let site.test lead to this machine also for who takes a browser's name, unasked."""
    proxy.policy = replace(proxy.policy, private_names=lambda _: frozenset({".test"}))


Opening = Callable[[Path], AbstractAsyncContextManager[Way]]
WAYS: Final[Mapping[str, Opening]] = {
    "plain": plain,
    "tunnel": lambda folder: secured(folder, (), http2=False),
    "intercepted h1": lambda folder: secured(folder, ("*",), http2=False),
    "intercepted h2": lambda folder: secured(folder, ("*",), http2=True),
}
Got = tuple[bytes, bytes]
"""What a program got, and what it should."""
Task = Callable[[Way], Awaitable[Got]]


def curl(*options: str, path: str, expected: bytes) -> Task:
    async def task(way: Way) -> Got:
        command = (require_program("curl"), "-sS", "--cacert", way.trusted, "-x", way.proxy)
        return await way.run(*command, *options, f"{way.base}{path}"), expected

    return task


def python(code: str, path: str, expected: bytes) -> Task:
    """A script that writes what is at ``url`` to its standard output."""
    script = f"import sys; url = sys.argv[1]\n{code}\nsys.stdout.buffer.write(body)"
    return lambda way: _with(way.run(sys.executable, "-c", script, f"{way.base}{path}"), expected)


async def _with(output: Awaitable[bytes], expected: bytes) -> Got:
    return await output, expected


async def wget(way: Way) -> Got:
    command = (require_program("wget"), f"--ca-certificate={way.trusted}", "-q")
    return await way.run(*command, "-O-", f"{way.base}/story"), ARTICLE


async def wget_recursive(way: Way) -> Got:
    command = (require_program("wget"), f"--ca-certificate={way.trusted}", "-q")
    await way.run(*command, "-r", "-np", "-nH", f"{way.base}/site/")
    found = sorted((way.folder / "site").iterdir())
    expected = [PAGES[path] for path in sorted(PAGES)]
    return b"".join(file.read_bytes() for file in (found[2], *found[:2])), b"".join(expected)


async def aria2(way: Way) -> Got:
    options = ("-q", "-x4", "-k1M", f"--ca-certificate={way.trusted}", "-d", way.folder)
    await way.run(require_program("aria2c"), *options, "-o", "got", f"{way.base}/story")
    return (way.folder / "got").read_bytes(), ARTICLE


async def ffmpeg(way: Way) -> Got:
    """A sound, decoded."""
    command = (
        require_program("ffmpeg"),
        "-v",
        "error",
        "-ca_file",
        way.trusted,
        "-tls_verify",
        "1",
    )
    url = f"{way.base}/sound.wav"
    options = command[3:] if way.base.startswith("https:") else ()
    return await way.run(*command[:3], *options, "-i", url, "-f", "s16le", "-"), SAMPLES


async def yt_dlp(way: Way) -> Got:
    """The sound of a page, which takes a browser's name to find it."""
    options = ("-q", "--compat-options", "no-certifi", "--no-playlist", "-o", way.folder / "got")
    await way.run(require_program("yt-dlp"), *options, f"{way.base}/player")
    return (way.folder / "got").read_bytes(), SOUND


async def scrapy(way: Way) -> Got:
    """It ends what it prints by a line feed."""
    command = (require_program("scrapy"), "fetch", "--nolog", f"{way.base}/story")
    return await way.run(*command), ARTICLE + b"\n"


async def lwp(way: Way) -> Got:
    return await way.run(require_program("lwp-request"), "-m", "GET", f"{way.base}/story"), ARTICLE


async def apt(way: Way) -> Got:
    """A package that apt downloads by its list, which it verifies by hash."""
    packed, name = b"no real package" * 99, "winnowed_1.0_all.deb"
    about = (
        f"Package: winnowed\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody\n"
        f"Filename: {name}\nSize: {len(packed)}\nSHA256: {sha256(packed).hexdigest()}\n"
    )
    way.origin.replies["/debian/./Packages"] = reply(about.encode())
    way.origin.replies[f"/debian/./{name}"] = reply(packed)
    way.origin.replies[f"/debian/{name}"] = reply(packed)
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        (way.folder / part).mkdir(parents=True)
    (way.folder / "status").write_bytes(b"")
    (way.folder / "sources.list").write_text(f"deb [trusted=yes] {way.base}/debian ./\n")
    options = [
        *(f"Dir::State::lists={way.folder}/lists", f"Dir::Cache={way.folder}/cache"),
        *(f"Dir::Etc::sourcelist={way.folder}/sources.list", "Dir::Etc::sourceparts=/dev/null"),
        *(f"Dir::State::status={way.folder}/status", "APT::Sandbox::User=root"),
        *(f"Acquire::https::CAInfo={way.trusted}", "APT::Architecture=amd64"),
    ]
    given = [word for option in options for word in ("-o", option)]
    await way.run("apt-get", *given, "-qq", "update")
    await way.run("apt-get", *given, "-qq", "download", "winnowed")
    return (way.folder / name).read_bytes(), packed


async def pip(way: Way) -> Got:
    packed, file = wheel("winnowed"), "winnowed-1.0-py3-none-any.whl"
    link = f"<!doctype html><a href=/{file}#sha256={sha256(packed).hexdigest()}>{file}</a>"
    way.origin.replies["/simple/winnowed/"] = html(link.encode())
    way.origin.replies[f"/{file}"] = reply(packed)
    flags = ("--isolated", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "-q")
    place = ("--index-url", f"{way.base}/simple", "--proxy", way.proxy, "--cert", way.trusted)
    host = ("--trusted-host", "site.test") if way.base.startswith("http:") else ()
    pip_download = (sys.executable, "-m", "pip", "download", *flags, *place, *host)
    await way.run(*pip_download, "-d", way.folder, "winnowed")
    return (way.folder / file).read_bytes(), packed


async def npm(way: Way) -> Got:
    packed = _tarball({"package/package.json": b'{"name":"winnowed","version":"1.0.0"}'})
    dist = {"tarball": f"{way.base}/winnowed.tgz", "integrity": _integrity(packed)}
    version = {"name": "winnowed", "version": "1.0.0", "dist": dist}
    about = {"name": "winnowed", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
    way.origin.replies["/winnowed"] = reply(
        json.dumps(about).encode(), "Content-Type: application/json"
    )
    way.origin.replies["/winnowed.tgz"] = reply(packed)
    npm_pack = (require_program("npm"), "pack", "--silent", f"--registry={way.base}/", "winnowed")
    await way.run(*npm_pack)
    return (way.folder / "winnowed-1.0.0.tgz").read_bytes(), packed


async def git(way: Way) -> Got:
    """A clone of a repository that is served as files."""
    source, bare, clone = way.folder / "source", way.folder / "bare.git", way.folder / "clone"
    program, author = require_program("git"), ("-c", "user.name=a", "-c", "user.email=a@site.test")
    await way.run(program, "init", "-q", source)
    (source / "index.html").write_bytes(ARTICLE)
    await way.run(program, "-C", source, "add", ".")
    await way.run(program, "-C", source, *author, "commit", "-qm", "First")
    await way.run(program, "clone", "-q", "--bare", source, bare)
    await way.run(program, "-C", bare, "update-server-info")
    for file in (path for path in bare.rglob("*") if path.is_file()):
        way.origin.replies[f"/bare.git/{file.relative_to(bare)}"] = reply(file.read_bytes())
    refs = "/bare.git/info/refs"
    way.origin.replies[f"{refs}?service=git-upload-pack"] = way.origin.replies[refs]
    await way.run(program, "clone", "-q", f"{way.base}/bare.git", clone)
    return (clone / "index.html").read_bytes(), ARTICLE


async def git_smart(way: Way) -> Got:
    """A clone and a push by Git's own protocol, which its CGI program answers."""
    program, author = require_program("git"), ("-c", "user.name=a", "-c", "user.email=a@site.test")
    bare, clone = way.folder / "smart.git", way.folder / "clone"
    await way.run(program, "init", "-q", "--bare", bare)
    await way.run(program, "-C", bare, "config", "http.receivepack", "true")
    way.origin.usual = partial(_git_backend, way)
    await way.run(program, "clone", "-q", f"{way.base}/smart.git", clone)
    (clone / "index.html").write_bytes(ARTICLE)
    await way.run(program, "-C", clone, "add", ".")
    await way.run(program, "-C", clone, *author, "commit", "-qm", "First")
    await way.run(program, "-C", clone, "push", "-q", "origin", "HEAD:main")
    return await way.run(program, "-C", bare, "show", "main:index.html"), ARTICLE


async def _git_backend(
    way: Way, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer by git-http-backend(1), a CGI program (RFC 3875)."""
    head = way.origin.requests[-1]
    body = await read_body(head, reader)
    method, target, _ = head.decode().split("\r\n", 1)[0].split()
    path, _, query = target.partition("?")
    fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:-2])
    about = {
        "GIT_PROJECT_ROOT": str(way.folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REMOTE_USER": "a",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": method,
        "CONTENT_TYPE": fields.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": fields.get("content-encoding", ""),
    }
    program = await asyncio.create_subprocess_exec(
        *("git", "http-backend"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**way.environment, **about},
    )
    output, _ = await program.communicate(body)
    head, _, body = output.partition(b"\r\n\r\n")
    writer.write(reply(body, *head.decode().split("\r\n")))
    await writer.drain()


async def skopeo(way: Way) -> Got:
    """An image from a registry, verified by its digests."""
    layer = _tarball({"file": FILE})
    config = b'{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}'

    def described(kind: str, body: bytes) -> Mapping[str, object]:
        digest = f"sha256:{sha256(body).hexdigest()}"
        way.origin.replies[f"/v2/a/blobs/{digest}"] = reply(body)
        return {"mediaType": f"{_OCI}.{kind}", "size": len(body), "digest": digest}

    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{_OCI}.manifest.v1+json",
        "config": described("config.v1+json", config),
        "layers": [described("layer.v1.tar+gzip", layer)],
    }
    kind = f"Content-Type: {_OCI}.manifest.v1+json"
    way.origin.replies["/v2/a/manifests/latest"] = reply(json.dumps(manifest).encode(), kind)
    way.origin.replies["/v2/"] = reply(b"{}", "Content-Type: application/json")
    image = f"docker://{way.base.partition('//')[2]}/a:latest"
    secure = f"--src-tls-verify={str(way.base.startswith('https:')).lower()}"
    copy = (require_program("skopeo"), "--insecure-policy", "copy", "-q", secure)
    await way.run(*copy, image, f"dir:{way.folder}/image")
    return (way.folder / "image" / sha256(layer).hexdigest()).read_bytes(), layer


async def web_socket(way: Way) -> Got:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = way.origin.requests[-1].decode()
        key = head.lower().index("sec-websocket-key: ") + len("sec-websocket-key: ")
        accepted = sha1(head[key : key + 24].encode() + _SOCKET).digest()
        fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        start = f"HTTP/1.1 101 Switching Protocols\r\n{fields}{b64encode(accepted).decode()}"
        writer.write(f"{start}\r\n\r\n".encode() + b"\x81\x05hello")
        await writer.drain()
        await reader.read(1)

    way.origin.replies["/socket"] = echo
    code = (
        "import asyncio, aiohttp\n"
        "async def fetch():\n"
        "    async with aiohttp.ClientSession(trust_env=True) as session:\n"
        "        async with session.ws_connect(url) as socket:\n"
        "            return (await socket.receive_str()).encode()\n"
        "body = asyncio.run(fetch())"
    )
    return await python(code, "/socket", b"hello")(way)


async def long_poll(way: Way) -> Got:
    async def late(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2)
        writer.write(reply(JSON, "Content-Type: application/json"))
        await writer.drain()

    way.origin.replies["/poll"] = late
    return await curl(path="/poll", expected=JSON)(way)


_OCI: Final = "application/vnd.oci.image"
_SOCKET: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
GO: Final = """package main
import ("io"; "net/http"; "os")
func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil { panic(err) }
	io.Copy(os.Stdout, answer.Body)
}
"""
JAVA: Final = """import java.net.URL;
public class Get {
    public static void main(String[] words) throws Exception {
        new URL(words[0]).openStream().transferTo(System.out);
        System.out.flush();
    }
}
"""
NODE: Final = """
const [url, proxy] = [new URL(process.argv[2]), new URL(process.argv[3])]
const [http, https] = [require('http'), require('https')]
const headers = {'User-Agent': 'node', Accept: '*/*'}
const to = {host: proxy.hostname, port: proxy.port}
const show = answer => answer.pipe(process.stdout)
if (url.protocol === 'http:')
  http.get({...to, path: url.href, headers: {...headers, Host: url.host}}, show)
else
  http.request({...to, method: 'CONNECT', path: url.host})
    .on('connect', (_, socket) => https.get(url, {socket, agent: false, headers}, show)).end()
"""


async def go(way: Way) -> Got:
    (way.folder / "get.go").write_text(GO)
    program = way.folder / "get"
    await way.run(require_program("go"), "build", "-o", program, way.folder / "get.go")
    return await way.run(program, f"{way.base}/story"), ARTICLE


async def java(way: Way) -> Got:
    (way.folder / "Get.java").write_text(JAVA)
    host, port = way.proxy.removeprefix("http://").split(":")
    options = [f"-D{scheme}.proxyHost={host}" for scheme in ("http", "https")]
    options += [f"-D{scheme}.proxyPort={port}" for scheme in ("http", "https")]
    if way.base.startswith("https:"):
        store = way.folder / "trust.p12"
        for number, pem in enumerate(way.trusted.read_text().split("-----BEGIN")[1:]):
            (way.folder / "one.pem").write_text(f"-----BEGIN{pem}")
            imported = ("-importcert", "-noprompt", "-storepass", "changeit", "-alias", str(number))
            place = ("-keystore", store, "-file", way.folder / "one.pem")
            await way.run(require_program("keytool"), *imported, *place)
        options += [f"-Djavax.net.ssl.trustStore={store}"]
        options += ["-Djavax.net.ssl.trustStorePassword=changeit"]
    return await way.run(
        require_program("java"), *options, way.folder / "Get.java", f"{way.base}/story"
    ), ARTICLE


async def node(way: Way) -> Got:
    (way.folder / "get.js").write_text(NODE)
    command = (require_program("node"), way.folder / "get.js", f"{way.base}/story", way.proxy)
    return await way.run(*command), ARTICLE


async def upload(way: Way) -> Got:
    (way.folder / "sent").write_bytes(FILE)
    sent = curl("-T", str(way.folder / "sent"), path="/up", expected=b"taken")
    got, expected = await sent(way)
    return got + way.origin.bodies[-1], expected + FILE


AIOHTTP: Final = """
import asyncio, aiohttp
async def fetch():
    async with aiohttp.ClientSession(trust_env=True) as session, session.get(url) as answer:
        return await answer.read()
body = asyncio.run(fetch())"""
EVENTS: Final = b"data: 1\n\ndata: 2\n\n"
TASKS: Final[Mapping[str, Task]] = {
    "curl, a file": curl(path="/file.bin", expected=FILE),
    "curl, a range": curl("-r", "1000-1999", path="/part", expected=FILE[1000:2000]),
    "curl, JSON": curl("-H", "Accept: application/json", path="/api", expected=JSON),
    "curl, the original": curl("-H", "Winnow-Mode: original", path="/story", expected=ARTICLE),
    "curl, SOAP": curl("-H", "SOAPAction: a", "-d", "<a/>", path="/soap", expected=SOAP),
    "curl, WebDAV": curl("-X", "PROPFIND", "-H", "Depth: 1", path="/dav/", expected=LISTING),
    "curl, gRPC-web": curl(
        *("-H", "Content-Type: application/grpc-web+proto", "--data-binary", "a"),
        path="/grpc",
        expected=b"\0\0\0\0\2hi\x80\0\0\0\0",
    ),
    "curl, server-sent events": curl(
        "-N", "-H", "Accept: text/event-stream", path="/events", expected=EVENTS
    ),
    "curl, a feed": curl(path="/feed", expected=FEED),
    "curl, upload": upload,
    "wget, a page": wget,
    "wget -r, three pages": wget_recursive,
    "aria2c": aria2,
    "lwp-request": lwp,
    "ffmpeg": ffmpeg,
    "yt-dlp, a page with a sound": yt_dlp,
    "scrapy fetch": scrapy,
    "git clone, files": git,
    "git clone and push": git_smart,
    "skopeo copy": skopeo,
    "WebSocket": web_socket,
    "long poll": long_poll,
    "apt-get update, download": apt,
    "pip download": pip,
    "npm pack": npm,
    "requests": python("import requests; body = requests.get(url).content", "/story", ARTICLE),
    "httpx": python("import httpx; body = httpx.get(url).content", "/story", ARTICLE),
    "httpx, HTTP/2": python(
        "import httpx; body = httpx.Client(http2=True).get(url).content", "/story", ARTICLE
    ),
    "aiohttp": python(AIOHTTP, "/story", ARTICLE),
    "urllib": python(
        "import urllib.request; body = urllib.request.urlopen(url).read()", "/story", ARTICLE
    ),
    "urllib3": python(
        "import os, urllib3\n"
        "proxy, trusted = os.environ['http_proxy'], os.environ['SSL_CERT_FILE']\n"
        "by = urllib3.ProxyManager(proxy, ca_certs=trusted)\n"
        "body = by.request('GET', url).data",
        "/story",
        ARTICLE,
    ),
    "Go": go,
    "Java": java,
    "node": node,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("task", TASKS)
async def test_a_program_gets_what_the_origin_sent(task: str, way: str, tmp_path: Path) -> None:
    async with WAYS[way](tmp_path) as opened:
        got, expected = await TASKS[task](opened)
    assert got == expected


@pytest.mark.parametrize("way", [way for way in WAYS if way != "tunnel"])
async def test_a_page_by_curl_is_an_article(way: str, tmp_path: Path) -> None:
    """The one row that differs: a person at a terminal reads."""
    async with WAYS[way](tmp_path) as opened:
        got, _ = await curl(path="/story", expected=b"")(opened)
    assert b"extracted" in got


async def test_a_page_by_curl_through_a_tunnel_is_the_origin_s(tmp_path: Path) -> None:
    async with WAYS["tunnel"](tmp_path) as opened:
        got, _ = await curl(path="/story", expected=b"")(opened)
    assert got == ARTICLE


def _tarball(files: Mapping[str, bytes]) -> bytes:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, body in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, BytesIO(body))
    return packed.getvalue()


def _integrity(body: bytes) -> str:
    return f"sha512-{b64encode(sha512(body).digest()).decode()}"
