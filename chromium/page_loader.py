"""Loads one page with its scripts, through a proxy, until it is still; returns its DOM as markup.

Each page gets a browser of its own: a fresh profile, no cookies, the sandbox on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.chromium.drawn_dom import DEEPEST, markup_of
from winnow.chromium.errors import ChromiumError, NoSandboxError
from winnow.chromium.process import Chromium, program

MOST_ELEMENTS: Final = 100_000
"""A page with more is not read: its markup would be hundreds of megabytes."""
_START_SECONDS: Final = 20.0
_STILL: Final = 0.5
"""Seconds without a request and without a change after which a page is taken to be drawn."""
_POLL: Final = 0.1
_SIGNATURE: Final = (
    "[document.getElementsByTagName('*').length,"
    " document.body ? document.body.innerText.length : 0]"
)
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


def load(url: str, proxy_port: int, bounds: LoadBounds | None = None) -> LoadedPage:
    """Blocks; ``proxy_port``: of a SOCKS proxy on 127.0.0.1.

    Raises NoChromiumError, NoSandboxError, ChromiumError.
    """
    limits = bounds or LoadBounds()
    flags = (f"--proxy-server=socks5://127.0.0.1:{proxy_port}", *_FLAGS)
    browser = Chromium(program(), limits.megabytes, flags, sandboxed=True)
    try:
        return _Load(browser, limits).page(url)
    except ChromiumError as error:
        if "sandbox" in str(error).lower() or "namespace" in str(error).lower():
            raise NoSandboxError(_NO_SANDBOX) from error
        raise
    finally:
        browser.close()


_NO_SANDBOX: Final = (
    "The browser's sandbox cannot start here: user namespaces are switched off for its user."
)


class _Load:
    """One page while it loads."""

    def __init__(self, browser: Chromium, bounds: LoadBounds) -> None:
        self._browser, self._bounds = browser, bounds
        self._session = ""
        self._lock = threading.Lock()
        self._open: set[str] = set()
        self._seen = 0
        self._loaded = False
        self._busy = time.monotonic()

    def page(self, url: str) -> LoadedPage:
        """Load it. Raises ChromiumError."""
        self._attach()
        deadline = time.monotonic() + self._bounds.seconds
        answer = self._ask("Page.navigate", deadline, url=url)
        if answer.get("errorText"):
            raise ChromiumError(f"The browser could not open the page ({answer['errorText']}).")
        still = self._settle(deadline)
        document = self._ask(
            "DOM.getDocument", max(deadline, time.monotonic() + 2), depth=DEEPEST, pierce=True
        )
        root = document["root"]
        return LoadedPage(markup_of(root), str(root.get("documentURL", url)), still)

    def _attach(self) -> None:
        ask = self._browser.ask
        target = ask("Target.createTarget", {"url": "about:blank"}, None, _START_SECONDS)
        where = {"targetId": target["targetId"], "flatten": True}
        self._session = str(ask("Target.attachToTarget", where)["sessionId"])
        self._frame = str(target["targetId"])
        ask("Browser.setDownloadBehavior", {"behavior": "deny"})
        self._browser.on_event = self._on_event
        deadline = time.monotonic() + _START_SECONDS
        for method in ("Page.enable", "Network.enable"):
            self._ask(method, deadline)
        self._ask("Fetch.enable", deadline)  # each request waits for our word

    def _ask(self, method: str, deadline: float, **parameters: Any) -> Mapping[str, Any]:
        left = max(deadline - time.monotonic(), 0.05)
        return self._browser.ask(method, parameters, self._session, left)

    def _on_event(self, event: Mapping[str, Any]) -> None:
        name, values = event.get("method"), event.get("params", {})
        if name == "Page.javascriptDialogOpening":
            closed = {"accept": False}
            self._browser.tell("Page.handleJavaScriptDialog", closed, self._session)
        elif name == "Page.loadEventFired":
            self._loaded = True
        elif name == "Fetch.requestPaused":
            self._decide(str(values["requestId"]))
        elif name == "Network.requestWillBeSent":
            with self._lock:
                self._open.add(str(values["requestId"]))
                self._busy = time.monotonic()
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            with self._lock:
                self._open.discard(str(values["requestId"]))
                self._busy = time.monotonic()

    def _decide(self, number: str) -> None:
        """Let a request go out, or refuse it beyond the bound."""
        self._seen += 1
        if self._seen <= self._bounds.requests:
            self._browser.tell("Fetch.continueRequest", {"requestId": number}, self._session)
        else:
            refused = {"requestId": number, "errorReason": "BlockedByClient"}
            self._browser.tell("Fetch.failRequest", refused, self._session)

    def _settle(self, deadline: float) -> bool:
        """Wait until the page is still; False at the deadline. Raises ChromiumError."""
        world = self._ask("Page.createIsolatedWorld", deadline, frameId=self._frame)
        context, last, changed = world["executionContextId"], None, time.monotonic()
        while time.monotonic() < deadline - _POLL:
            time.sleep(_POLL)
            signature = self._signature(context, deadline)
            if signature is None:  # the page has navigated: its world is gone
                world = self._ask("Page.createIsolatedWorld", deadline, frameId=self._frame)
                context = world["executionContextId"]
                continue
            if signature != last:
                last, changed = signature, time.monotonic()
            quiet = time.monotonic() - max(changed, self._busy)
            if self._loaded and not self._open and quiet >= _STILL:
                return True
        return False

    def _signature(self, context: int, deadline: float) -> object:
        try:
            answer = self._ask(
                "Runtime.evaluate",
                deadline,
                expression=_SIGNATURE,
                contextId=context,
                returnByValue=True,
            )
        except ChromiumError as error:
            if "context" in str(error):
                return None
            raise
        value = answer["result"].get("value")
        if isinstance(value, list) and value[0] > MOST_ELEMENTS:
            raise ChromiumError(f"The page has more than {MOST_ELEMENTS:,} elements.")
        return value
