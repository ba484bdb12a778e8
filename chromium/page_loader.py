"""Loads one page with its scripts, through a proxy, until it is still; returns its DOM as markup.

Each page gets a browser of its own: a fresh profile, no cookies, the sandbox on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from winnow.chromium.drawn_dom import DEEPEST, markup_of
from winnow.chromium.errors import ChromiumError, NoSandboxError, names_sandbox
from winnow.chromium.page_session import PageSession
from winnow.chromium.process import HEADLESS, Chromium, program
from winnow.chromium.request_gate import RequestGate, none_refused
from winnow.chromium.stillness import Stillness

_FLAGS: Final = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-file-system",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-remote-fonts",
    "--blink-settings=imagesEnabled=false",
    "--window-size=1280,1024",
)


@dataclass(frozen=True, slots=True)
class LoadBounds:
    """What a page may cost: seconds in all, megabytes of data of each of the browser's processes,
    requests."""

    seconds: float = 10.0
    megabytes: int = 512
    requests: int = 400


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """A page's markup as its scripts have written it, and the address that it ended at."""

    markup: str
    url: str
    is_still: bool
    """False where the time was over before it was."""
    goes_on: bool = False
    """A list without an end: more of it is loaded where one scrolls on."""


def load(
    url: str,
    proxy_port: int,
    bounds: LoadBounds | None = None,
    refuses: Callable[[str, str], bool] = none_refused,
) -> LoadedPage:
    """Blocks; ``proxy_port``: of a SOCKS proxy on 127.0.0.1; ``refuses``: see RequestGate.

    Raises NoChromiumError, NoSandboxError, ChromiumError.
    """
    limits = bounds or LoadBounds()
    flags = (f"--proxy-server=socks5://127.0.0.1:{proxy_port}", *_FLAGS)
    browser = Chromium(program(HEADLESS), limits.megabytes, flags, sandboxed=True)
    try:
        session = PageSession(browser, RequestGate(limits.requests, refuses))
        return _page(session, url, time.monotonic() + limits.seconds)
    except ChromiumError as error:
        if names_sandbox(str(error)):
            raise NoSandboxError(_NO_SANDBOX) from error
        raise
    finally:
        browser.close()


_NO_SANDBOX: Final = (
    "The browser's sandbox cannot start here: user namespaces are switched off for its user."
)


def _page(session: PageSession, url: str, deadline: float) -> LoadedPage:
    answer = session.ask("Page.navigate", deadline, url=url)
    if answer.get("errorText"):
        raise ChromiumError(f"The browser could not open the page ({answer['errorText']}).")
    drawn = Stillness(session, deadline).drawn()
    late = max(deadline, time.monotonic() + 2)
    root = session.ask("DOM.getDocument", late, depth=DEEPEST, pierce=True)["root"]
    where = str(root.get("documentURL", url))
    return LoadedPage(markup_of(root), where, drawn.is_still, drawn.goes_on)
