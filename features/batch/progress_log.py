"""Progress of a long run as lines of a log, one a minute."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TextIO

PERIOD: Final = 60.0
"""Seconds between two lines."""


class ProgressLog:
    """Says how far a run is; ``chunks``: how many are to be done, 0 for unknown."""

    def __init__(
        self, chunks: int, out: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._chunks, self._out, self._clock = chunks, out, clock
        self._start = self._last = clock()
        self._done = self._pages = 0

    def add(self, pages: int) -> None:
        """A chunk with so many pages is done."""
        self._done += 1
        self._pages += pages
        if self._clock() - self._last >= PERIOD:
            self._last = self._clock()
            left = (self._last - self._start) / self._done * (self._chunks - self._done)
            known = f" of {self._chunks} chunks, {left / 60:.0f} min left"
            self._say(f", {self._done}{known if self._chunks else ' chunks'}")

    def end(self) -> None:
        """The run has ended."""
        self._say("")

    def _say(self, more: str) -> None:
        seconds = max(self._clock() - self._start, 1e-9)
        rate = self._pages / seconds
        self._out.write(
            f"winnow: {self._pages} pages in {seconds:.1f} s, {rate:.1f} a second{more}\n"
        )
        self._out.flush()
