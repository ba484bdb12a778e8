"""Sites and clients of the attacks: bytes out, bytes in; knows no attack."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.proxy.origins import html

SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
CHROME = (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36"
)
HTML = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
LOCAL: tuple[str, ...] = ()
"""A program of this computer: no browser's field at all."""


def fetching(site: str, mode: str, dest: str, *more: str) -> tuple[str, ...]:
    """What Chrome sends to loopback and to HTTPS."""
    return (
        CHROME,
        f"Sec-Fetch-Site: {site}",
        f"Sec-Fetch-Mode: {mode}",
        f"Sec-Fetch-Dest: {dest}",
        *more,
    )


_EVIL, _FROM = "Origin: http://evil.example", "Referer: http://evil.example/"
FOREIGN: dict[str, tuple[str, ...]] = {
    "img": fetching("cross-site", "no-cors", "image", _FROM),
    "fetch": fetching("cross-site", "cors", "empty", _EVIL, _FROM),
    "fetch of a sandbox": fetching("cross-site", "cors", "empty", "Origin: null"),
    "frame": fetching("cross-site", "navigate", "iframe", HTML, _FROM),
    "form": fetching("cross-site", "navigate", "document", HTML, _EVIL, _FROM),
    "window.open": fetching("cross-site", "navigate", "document", HTML, _FROM),
    "link without Referer": fetching("cross-site", "navigate", "document", HTML),
    "another port of this computer": fetching(
        "same-site", "cors", "empty", "Origin: http://127.0.0.1:9", "Referer: http://127.0.0.1:9/"
    ),
    "script": fetching("cross-site", "no-cors", "script", _FROM),
    "old browser, img": (CHROME, _FROM),
    "old browser, no Referer": (CHROME,),
    "old browser, link": (CHROME, HTML),
    "old browser, fetch": (CHROME, _EVIL),
    "old browser, sandbox": (CHROME, "Origin: null"),
}
"""Requests that a page of another site makes a browser send."""


def page(title: str, body: str = "") -> bytes:
    """An article with a menu, as a reply."""
    menu = "".join(f"<a href=/{word}>{word}</a> " for word in ("home", "news", "sport") * 6)
    text = f"<p>{SENTENCE * 4}</p>" * 6
    return html(
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body><nav>{menu}</nav>"
        f"<article><h1>{title}</h1>{body}{text}</article><footer>{menu}</footer></body>"
        "</html>".encode()
    )


@dataclass(frozen=True)
class Got:
    """All bytes that came until the end, or until the client had waited long enough."""

    raw: bytes
    seconds: float
    ended: bool

    @property
    def status(self) -> int:
        words = self.raw[:16].split(b" ")
        return int(words[1]) if len(words) > 1 and words[1][:3].isdigit() else 0

    @property
    def head(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        """The body freed of chunks."""
        rest = self.raw.partition(b"\r\n\r\n")[2]
        if b"transfer-encoding: chunked" not in self.head.lower():
            return rest
        whole = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            length = int(size.partition(b";")[0] or b"0", 16)
            whole, rest = whole + rest[:length], rest[length + 2 :]
        return whole

    def fields(self, name: str) -> list[str]:
        found = []
        for line in self.head.decode("latin-1").split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.strip().lower() == name.lower():
                found.append(value.strip())
        return found

    def field(self, name: str) -> str:
        return ", ".join(self.fields(name))


def request(
    target: str | bytes,
    host: str,
    fields: Sequence[str] = (),
    method: str = "GET",
    body: bytes | None = None,
) -> bytes:
    """A request that ends its connection; the target is written as it is."""
    raw = target if isinstance(target, bytes) else target.encode("utf-8")
    lines = [f"Host: {host}", *fields, "Connection: close"]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
        if not any(line.lower().startswith("content-type") for line in lines):
            lines.append("Content-Type: application/x-www-form-urlencoded")
    head = b"%b %b HTTP/1.1\r\n" % (method.encode(), raw)
    return head + "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")


async def throw(
    port: int, payload: bytes, *, seconds: float = 30.0, silence: float = 0, source: str = ""
) -> Got:
    """Send bytes, read all. ``silence``: leave after so many seconds without a byte."""
    begun = time.perf_counter()
    received, ended = b"", False
    local = (source, 0) if source else None
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
    try:
        writer.write(payload)
        async with asyncio.timeout(seconds):
            while True:
                async with asyncio.timeout(silence or None):
                    data = await reader.read(1 << 16)
                if not data:
                    ended = True
                    break
                received += data
    except TimeoutError:
        pass
    except ConnectionError:
        ended = True
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    return Got(received, time.perf_counter() - begun, ended)
