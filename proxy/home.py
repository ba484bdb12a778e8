"""The front page with its form, and the pages that machines ask: health and ready."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from proxy.own import Asked, Shown, only, text
from proxy.upstream.origins import parse_url

_FRONT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Winnow</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:3rem auto;padding:0 1rem}}
input{{font:inherit;padding:.4em .6em;box-sizing:border-box}}input[name=url]{{width:100%}}
form{{display:grid;gap:.6em}}
code{{background:color-mix(in srgb,currentColor 8%,transparent);padding:0 .3em}}
</style></head><body><main><h1>Winnow</h1>
<p>Read a page without its chaff. Enter an address:</p>
<form action="/-/read" method="get"><label for="url">Address</label>
<input id="url" name="url" inputmode="url" autocomplete="url"
 placeholder="https://example.com/story" required>
<input type="submit" value="Read"></form>
<p>Or set <code>{authority}</code> as your browser's HTTP proxy: every page you open is then shown
as its article alone. <a href="/-/setup">Set up this browser</a>, step by step and HTTPS too, or
look at the <a href="/-/settings">settings</a>.</p>
<p>On a small screen or in an old browser: <a href="/-/small/">pages in small parts</a>. Curious?
<a href="/-/compare">Compare the methods</a> on a page.</p></main></body></html>
"""


async def front(asked: Asked) -> Shown:
    """``/``: a form that takes an address."""
    only(asked, "GET", "HEAD")
    authority = asked.base.split("//", 1)[1].rstrip("/")
    return Shown(_FRONT.format(authority=escape(authority)).encode())


async def health(asked: Asked) -> Shown:
    """``/-/health``: the process answers."""
    only(asked, "GET", "HEAD")
    return text("ok\n")


class Ready:
    """``/-/ready``: pages can be extracted now; 503 while no worker could be started."""

    def __init__(self, is_ready: Callable[[], bool]) -> None:
        self._is_ready = is_ready

    async def __call__(self, asked: Asked) -> Shown:
        only(asked, "GET", "HEAD")
        return text("ready\n") if self._is_ready() else text("not ready\n", 503)


def completed(address: str) -> str:
    """What a person typed, made an http(s) address. Raises ClientFaultError if it is none."""
    address = address.strip()
    if "://" not in address:
        address = f"https://{address}"
    return parse_url(address).url
