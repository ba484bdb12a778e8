"""Lists of advertisements: fetched, asked after again, kept on disk as one. Knows no rule of them.

A source is a file or an address. Each is kept beside its validators, so that asking again costs a
304; one that fails leaves what was there before. The lists together are one file whose name tells
its content, so that whoever has read it never needs to look whether it changed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.fetcher import NOT_MODIFIED, FetchedResponse

_LOG = logging.getLogger("winnow.ads")
_WEB: Final = ("http://", "https://")
RETRY_SECONDS: Final = 300.0
"""How soon a source that failed is tried again."""
MOST_BAD: Final = 5
"""Bad lines told one by one."""

Get = Callable[[str, tuple[Field, ...]], Awaitable[FetchedResponse]]
Faults = Callable[[str], Sequence[str]]
"""What is wrong in a list, a sentence a line."""


@dataclass
class AdLists:
    """The lists of the settings; ``path`` is where they stand as one, "" while there is none."""

    sources: tuple[str, ...]
    folder: Path
    seconds: float
    get: Get
    faults: Faults
    path: str = ""
    clock: Callable[[], float] = time.monotonic
    _due: float = 0.0
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    def now(self) -> str:
        """The path as of now; begins to ask after the lists when it is time. Needs a loop."""
        idle = self._task is None or self._task.done()
        if self.sources and idle and self.clock() >= self._due:
            self._task = asyncio.create_task(self.refresh())
        return self.path

    async def refresh(self) -> None:
        """Ask after every source. Raises nothing: what fails is logged, and tried again soon."""
        self._due = self.clock() + self.seconds
        texts = [await self._text(source) for source in self.sources]
        if any(text is None for text in texts):
            self._due = min(self._due, self.clock() + RETRY_SECONDS)
        whole = "\n".join(text for text in texts if text)
        try:
            self.path = await asyncio.to_thread(self._put, whole) if whole else ""
        except OSError as error:  # what is in use goes on
            self._due = min(self._due, self.clock() + RETRY_SECONDS)
            _LOG.warning("The lists of ads could not be saved: %s", error.strerror)

    async def aclose(self) -> None:
        """Stop asking."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _text(self, source: str) -> str | None:
        try:
            if source.startswith(_WEB):
                return await self._fetched(source)
            return await asyncio.to_thread(self._read, source)
        except (OSError, ProxyError) as error:
            _LOG.warning("The list of ads %s cannot be read: %s", source, error)
            kept = self._kept(source)
            return kept.read_text("utf-8") if kept.exists() else None

    def _read(self, source: str) -> str:
        text = Path(source).expanduser().read_text("utf-8", "replace")
        kept = self._kept(source)
        if not kept.exists() or kept.read_text("utf-8") != text:
            self._tell(source, text)
            _write(kept, text)
        return text

    async def _fetched(self, source: str) -> str:
        """The list at an address; as it was if the origin says that it has not changed."""
        kept = self._kept(source)
        reply = await self.get(source, tuple(_conditions(kept)))
        if reply.status == NOT_MODIFIED and kept.exists():
            return await asyncio.to_thread(kept.read_text, "utf-8")
        if reply.status != 200:
            raise OSError(f"its origin answered with status {reply.status}")
        text = reply.body.decode("utf-8", "replace")
        await asyncio.to_thread(self._tell, source, text)
        await asyncio.to_thread(_write, kept, text)
        told = {name: reply.headers.get(name) for name in ("etag", "last-modified")}
        await asyncio.to_thread(_write, kept.with_suffix(".json"), json.dumps(told))
        return text

    def _tell(self, source: str, text: str) -> None:
        """Log what is wrong in a list; the rest of it is used."""
        faults = self.faults(text)
        if faults:
            _LOG.warning(
                "%d lines of the list of ads %s are not used: %s",
                len(faults),
                source,
                "; ".join(faults[:MOST_BAD]),
            )

    def _kept(self, source: str) -> Path:
        return self.folder / f"source-{_digest(source)}.txt"

    def _put(self, whole: str) -> str:
        """The path of all lists together; older ones go, but for the last that may be in use."""
        path = self.folder / f"ads-{_digest(whole)}.txt"
        if not path.exists():
            _write(path, whole)
        for other in self.folder.glob("ads-*.txt"):
            if str(other) not in (str(path), self.path):
                other.unlink(missing_ok=True)
        return str(path)


def _conditions(kept: Path) -> list[Field]:
    """What makes the origin answer 304 where nothing has changed (RFC 9110, section 13.1)."""
    try:
        told = json.loads(kept.with_suffix(".json").read_text("utf-8")) if kept.exists() else {}
    except (OSError, ValueError):
        return []
    pairs = (("If-None-Match", told.get("etag")), ("If-Modified-Since", told.get("last-modified")))
    return [(name, value) for name, value in pairs if value]


def _write(path: Path, text: str) -> None:
    """All of it or nothing: other processes read the same folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{time.monotonic_ns()}.new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
