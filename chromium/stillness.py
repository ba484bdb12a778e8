"""Waits until a page has drawn itself, and scrolls through its first screens."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from winnow.chromium.errors import ChromiumError
from winnow.chromium.page_session import PageSession

MOST_ELEMENTS: Final = 100_000
"""A page with more is not read: its markup would be hundreds of megabytes."""
MOST_SCREENS: Final = 8
"""Screens that are scrolled through: text that is loaded when it comes into view is loaded."""
STILL_SECONDS: Final = 0.5
"""Without a request and without a change, after which a page is taken to be drawn."""
_STILL_AGAIN: Final = 0.3
"""The same after scrolling."""
_POLL: Final = 0.1
_STEP: Final = 0.05
_SIGNATURE: Final = (
    "[document.getElementsByTagName('*').length,"
    " document.body ? document.body.innerText.length : 0]"
)
_HEIGHTS: Final = "[(document.scrollingElement || {}).scrollHeight || 0, innerHeight]"
_GROWN: Final = 1.05
"""A page that is this much higher after scrolling has loaded more, and may go on."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """``is_still``: False where the time was over before it was. ``goes_on``: a list without an
    end, which was left after its first screens."""

    is_still: bool
    goes_on: bool = False


class Stillness:
    """One page until ``deadline``, on the clock of ``time.monotonic``."""

    def __init__(self, session: PageSession, deadline: float) -> None:
        self._session, self._deadline = session, deadline

    def drawn(self) -> Drawn:
        """Wait, scroll, wait again. Raises ChromiumError."""
        if not self._settled(STILL_SECONDS):
            return Drawn(is_still=False)
        height, screen = self._heights()
        left = MOST_SCREENS if height > screen else 0
        has_grown = False
        while left:
            left = self._scrolled(left, height, screen)
            before, (height, _) = height, self._heights()
            if height <= before * _GROWN:
                break
            has_grown = True
        return Drawn(is_still=True, goes_on=has_grown and not left)

    def _scrolled(self, screens: int, height: int, screen: int) -> int:
        """Scroll down by whole screens to the page's end; how many of ``screens`` are left."""
        while screens and self._is_above(height - screen):
            self._session.evaluate("scrollBy(0, innerHeight)", self._deadline)
            time.sleep(_STEP)
            screens -= 1
        self._settled(_STILL_AGAIN)
        return screens

    def _is_above(self, position: int) -> bool:
        where = self._session.evaluate("scrollY", self._deadline)
        return isinstance(where, (int, float)) and where < position - 1

    def _heights(self) -> tuple[int, int]:
        """Pixels of the page and of the window; 0 while the page navigates."""
        found = self._session.evaluate(_HEIGHTS, self._deadline)
        return (int(found[0]), int(found[1])) if isinstance(found, list) else (0, 0)

    def _settled(self, seconds: float) -> bool:
        """Wait until the page is still for so long; False at the deadline."""
        last: object = None
        changed = time.monotonic()
        while time.monotonic() < self._deadline - _POLL:
            time.sleep(_POLL)
            signature = self._signature()
            if signature != last:
                last, changed = signature, time.monotonic()
            quiet = self._session.quiet_since()
            if quiet is not None and time.monotonic() - max(changed, quiet) >= seconds:
                return True
        return False

    def _signature(self) -> object:
        value = self._session.evaluate(_SIGNATURE, self._deadline)
        if isinstance(value, list) and value[0] > MOST_ELEMENTS:
            raise ChromiumError(f"The page has more than {MOST_ELEMENTS:,} elements.")
        return value
