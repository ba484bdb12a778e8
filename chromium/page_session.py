"""One page of a browser while it loads: its requests, its dialogs, its calls."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from winnow.chromium.errors import ChromiumError
from winnow.chromium.process import Chromium
from winnow.chromium.request_gate import RequestGate

_START_SECONDS: Final = 20.0


class PageSession:
    """Attached to a new page. Events come in a thread of the browser's own."""

    def __init__(self, browser: Chromium, gate: RequestGate) -> None:
        """Raises ChromiumError where the browser does not start."""
        self._browser, self._gate = browser, gate
        self._lock = threading.Lock()
        self._open: set[str] = set()
        self._loaded, self._busy = False, time.monotonic()
        target = browser.ask("Target.createTarget", {"url": "about:blank"}, None, _START_SECONDS)
        self._target = str(target["targetId"])
        where = {"targetId": self._target, "flatten": True}
        self._session = str(browser.ask("Target.attachToTarget", where)["sessionId"])
        browser.ask("Browser.setDownloadBehavior", {"behavior": "deny"})
        browser.on_event = self._on_event
        deadline = time.monotonic() + _START_SECONDS
        for method in ("Page.enable", "Network.enable", "Fetch.enable"):
            self.ask(method, deadline)  # Fetch: each request waits for our word

    def ask(self, method: str, deadline: float, **parameters: Any) -> Mapping[str, Any]:
        """Call a method until ``deadline``, on the clock of ``time.monotonic``."""
        left = max(deadline - time.monotonic(), 0.05)
        return self._browser.ask(method, parameters, self._session, left)

    def evaluate(self, expression: str, deadline: float) -> object:
        """The value of an expression, in a world that the page's scripts cannot reach.

        None while the page navigates. Raises ChromiumError.
        """
        world = self.ask("Page.createIsolatedWorld", deadline, frameId=self._target)
        where = {"contextId": world["executionContextId"], "returnByValue": True}
        try:
            answer = self.ask("Runtime.evaluate", deadline, expression=expression, **where)
        except ChromiumError as error:
            if "context" in str(error):  # that world is gone
                return None
            raise
        return answer["result"].get("value")

    def quiet_since(self) -> float | None:
        """When the last request began or ended; None while one is open or the page loads."""
        return self._busy if self._loaded and not self._open else None

    def _on_event(self, event: Mapping[str, Any]) -> None:
        name, values = event.get("method"), event.get("params", {})
        if name == "Page.javascriptDialogOpening":
            self._tell("Page.handleJavaScriptDialog", {"accept": False})
        elif name == "Page.loadEventFired":
            self._loaded = True
        elif name == "Fetch.requestPaused":
            self._decide(str(values["requestId"]), values)
        elif name == "Network.requestWillBeSent":
            with self._lock:
                self._open.add(str(values["requestId"]))
                self._busy = time.monotonic()
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            with self._lock:
                self._open.discard(str(values["requestId"]))
                self._busy = time.monotonic()

    def _decide(self, number: str, paused: Mapping[str, Any]) -> None:
        """Let a request go out, or refuse it."""
        url, kind = str(paused["request"]["url"]), str(paused.get("resourceType", ""))
        if self._gate.passes(url, kind):
            self._tell("Fetch.continueRequest", {"requestId": number})
        else:
            refused = {"requestId": number, "errorReason": "BlockedByClient"}
            self._tell("Fetch.failRequest", refused)

    def _tell(self, method: str, parameters: Mapping[str, Any]) -> None:
        """Call a method without waiting."""
        with suppress(ChromiumError):  # it has ended: whoever waits for it is told
            self._browser.tell(method, parameters, self._session)
