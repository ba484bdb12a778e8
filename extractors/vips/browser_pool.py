"""A bounded pool of warm pages that lay documents out.

Scripts are off and nothing is fetched: the markup is handed over, addresses are taken out of it
(``browser_markup``), every request is refused at once, no name is resolved. So style sheets outside
the page count only where they were handed over (``Page.sheets``).
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from queue import LifoQueue
from typing import Any, Final

from winnow.chromium.errors import ChromiumError, NoChromiumError
from winnow.chromium.process import OFFLINE, Chromium, program
from winnow.document.document import Document
from winnow.extractors.errors import LayoutError, NoBrowserError
from winnow.extractors.vips.browser_markup import numbered_markup
from winnow.extractors.vips.page_layout import PageLayout
from winnow.extractors.vips.snapshot import STYLES, layout_of

WIDTH, HEIGHT = 1280, 1024
"""The window, in CSS pixels."""

MOST_MARKUP: Final = 8_000_000
"""Characters; more is not given to the browser."""

_START_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class BrowserBounds:
    """What laying out may cost: seconds a page, megabytes a process of the browser's, pages until
    a browser is replaced, and how many pages are laid out at once (each in its own browser)."""

    seconds: float = 10.0
    megabytes: int = 1024
    pages: int = 200
    at_once: int = 1


class Tab:
    """One page of one browser, ready."""

    def __init__(self, bounds: BrowserBounds) -> None:
        self.served = 0
        self._bounds = bounds
        with _as_layout_errors():
            self.browser = Chromium(program(), bounds.megabytes, OFFLINE)
        try:
            self._session, self._frame = self._open()
        except LayoutError:
            self.browser.close()
            raise

    def lay_out(self, document: Document) -> PageLayout:
        """The layout of a document; LayoutError where the page costs more than it may."""
        self.served += 1
        return layout_of(document, self.snapshot(numbered_markup(document)))

    def snapshot(self, markup: str) -> Mapping[str, Any]:
        """What the browser says of markup: texts, boxes, styles (DevTools, ``DOMSnapshot``)."""
        deadline = time.monotonic() + self._bounds.seconds
        self._ask("Page.setDocumentContent", deadline, frameId=self._frame, html=markup)
        return self._ask(
            "DOMSnapshot.captureSnapshot", deadline, computedStyles=STYLES, includePaintOrder=False
        )

    def close(self) -> None:
        """End its browser."""
        self.browser.close()

    def _open(self) -> tuple[str, str]:
        deadline = time.monotonic() + _START_SECONDS
        ask = self.browser.ask
        with _as_layout_errors():
            target = ask("Target.createTarget", {"url": "about:blank"}, None, _START_SECONDS)
            frame = target["targetId"]
            attached = ask("Target.attachToTarget", {"targetId": frame, "flatten": True})
        self._session = attached["sessionId"]
        self._ask("Emulation.setScriptExecutionDisabled", deadline, value=True)
        self._ask("Network.enable", deadline)
        self._ask("Network.setBlockedURLs", deadline, urls=["*"])
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", deadline, **size)
        return self._session, frame

    def _ask(self, method: str, deadline: float, **parameters: Any) -> Mapping[str, Any]:
        left = deadline - time.monotonic()
        with _as_layout_errors():
            return self.browser.ask(method, parameters, self._session, left)


class BrowserPool:
    """Lays pages out in browser tabs that are reused; failed and old tabs are replaced.

    Any thread may call it; at most ``bounds.at_once`` pages are laid out at a time.
    """

    def __init__(self, bounds: BrowserBounds | None = None) -> None:
        self.bounds = bounds or BrowserBounds()
        self._owner = os.getpid()
        self._tabs: LifoQueue[Tab | None] = LifoQueue()
        for _ in range(self.bounds.at_once):
            self._tabs.put(None)

    def __call__(self, document: Document) -> PageLayout:
        """The layout of a document. Raises LayoutError, NoBrowserError."""
        if len(document.markup) > MOST_MARKUP:
            raise LayoutError(f"The page is larger than {MOST_MARKUP:,} characters.")
        with self.tab() as tab:
            return tab.lay_out(document)

    @contextmanager
    def tab(self) -> Iterator[Tab]:
        """A warm page for the while; one that failed is not used again."""
        tab = self._tabs.get()
        try:
            tab = tab or Tab(self.bounds)
            yield tab
            if tab.served >= self.bounds.pages:
                tab = _close_tab(tab)
        except BaseException:
            tab = _close_tab(tab)
            raise
        finally:
            self._tabs.put(tab)

    def close(self) -> None:
        """End all browsers that no page needs just now."""
        if self._owner != os.getpid():
            return  # a forked child: the browsers are its parent's
        for _ in range(self._tabs.qsize()):
            self._tabs.put(_close_tab(self._tabs.get()))


class SharedBrowser:
    """The pool of this process, made when the first page needs it, ended with the process."""

    def __init__(self) -> None:
        self._pages: dict[int, BrowserPool] = {}

    def __call__(self, document: Document) -> PageLayout:
        """The layout of a document; a forked process starts browsers of its own."""
        return self.pages()(document)

    def pages(self) -> BrowserPool:
        """The pool of the calling process."""
        if os.getpid() not in self._pages:
            pool = BrowserPool()
            atexit.register(pool.close)
            self._pages[os.getpid()] = pool
        return self._pages[os.getpid()]


shared: Final = SharedBrowser()


@contextmanager
def _as_layout_errors() -> Iterator[None]:
    """The browser's errors as those of the extractors."""
    try:
        yield
    except NoChromiumError as error:
        raise NoBrowserError(str(error)) from error
    except ChromiumError as error:
        raise LayoutError(str(error)) from error


def _close_tab(tab: Tab | None) -> Tab | None:
    """End a tab's browser; returns None, the tab's replacement."""
    if tab is not None:
        tab.close()
    return None
