"""Downloads ad lists, refreshes them, and stores them on disk as one file.

A source is a file or an address. Each is stored with its validators, so that most refreshes are a
304; one that fails leaves its last text in use. The combined file is named by its content, so that
readers need not check it for changes.
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
"""Until a failed source is tried again."""
MOST_LOGGED: Final = 5
"""Bad lines that are logged one by one."""

Get = Callable[[str, tuple[Field, ...]], Awaitable[FetchedResponse]]
Faults = Callable[[str], Sequence[str]]
"""The errors of a list's lines."""
Matcher = Callable[[str, str, str], bool]
"""Whether a list names an address, by the host of the requesting page and the kind of request."""


@dataclass
class AdLists:
    """The lists of the settings; ``path``: the combined file, "" while there is none."""

    sources: tuple[str, ...]
    folder: Path
    seconds: float
    get: Get
    faults: Faults
    compiled: Callable[[str], Matcher] | None = None
    """Reads a list, to refuse requests; None: none are refused."""
    path: str = ""
    matcher: Matcher | None = None
    clock: Callable[[], float] = time.monotonic
    _due: float = 0.0
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    def now(self) -> str:
        """The current path; starts a refresh where one is due. Needs a loop."""
        idle = self._task is None or self._task.done()
        if idle and self.clock() >= self._due:
            self._task = asyncio.create_task(self.refresh())
        return self.path

    async def refresh(self) -> None:
        """Load all sources. Raises nothing: errors are logged, and tried again later."""
        self._due = self.clock() + self.seconds
        texts = [await self._text(source) for source in self.sources]
        if any(text is None for text in texts):
            self._due = min(self._due, self.clock() + RETRY_SECONDS)
        whole = "\n".join(text for text in texts if text)
        try:
            path = await asyncio.to_thread(self._store, whole) if whole else ""
            if self.compiled and path != self.path:
                self.matcher = await asyncio.to_thread(self.compiled, whole) if whole else None
            self.path = path
        except OSError as error:  # the current file stays in use
            self._due = min(self._due, self.clock() + RETRY_SECONDS)
            _LOG.warning("The lists of ads could not be saved: %s", error.strerror)

    @property
    def blocks(self) -> bool:
        """Whether the lists count for every method and for requests."""
        return self.compiled is not None

    def names(self, url: str, page: str, kind: str) -> bool:
        """Whether the lists, as of now, name an address."""
        return self.matcher is not None and self.matcher(url, page, kind)

    async def aclose(self) -> None:
        """Cancel a running refresh."""
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
            stored = self._path(source)
            return stored.read_text("utf-8") if stored.exists() else None

    def _read(self, source: str) -> str:
        text = Path(source).expanduser().read_text("utf-8", "replace")
        stored = self._path(source)
        if not stored.exists() or stored.read_text("utf-8") != text:
            self._log_faults(source, text)
            _write(stored, text)
        return text

    async def _fetched(self, source: str) -> str:
        """The list at an address; the stored one after a 304."""
        stored = self._path(source)
        response = await self.get(source, tuple(_conditions(stored)))
        if response.status == NOT_MODIFIED and stored.exists():
            return await asyncio.to_thread(stored.read_text, "utf-8")
        if response.status != 200:
            raise OSError(f"its origin answered with status {response.status}")
        text = response.body.decode("utf-8", "replace")
        await asyncio.to_thread(self._log_faults, source, text)
        await asyncio.to_thread(_write, stored, text)
        validators = {name: response.headers.get(name) for name in ("etag", "last-modified")}
        await asyncio.to_thread(_write, stored.with_suffix(".json"), json.dumps(validators))
        return text

    def _log_faults(self, source: str, text: str) -> None:
        """Log a list's bad lines; the others are used."""
        faults = self.faults(text)
        if faults:
            _LOG.warning(
                "%d lines of the list of ads %s are not used: %s",
                len(faults),
                source,
                "; ".join(faults[:MOST_LOGGED]),
            )

    def _path(self, source: str) -> Path:
        return self.folder / f"source-{_digest(source)}.txt"

    def _store(self, whole: str) -> str:
        """The combined file's path; older ones but the last, which may be in use, go."""
        path = self.folder / f"ads-{_digest(whole)}.txt"
        if not path.exists():
            _write(path, whole)
        for other in self.folder.glob("ads-*.txt"):
            if str(other) not in (str(path), self.path):
                other.unlink(missing_ok=True)
        return str(path)


def _conditions(stored: Path) -> list[Field]:
    """The conditional fields for a stored list (RFC 9110, section 13.1)."""
    try:
        read = json.loads(stored.with_suffix(".json").read_text("utf-8")) if stored.exists() else {}
    except (OSError, ValueError):
        return []
    pairs = (("If-None-Match", read.get("etag")), ("If-Modified-Since", read.get("last-modified")))
    return [(name, value) for name, value in pairs if value]


def _write(path: Path, text: str) -> None:
    """Write atomically: other processes read the same folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{time.monotonic_ns()}.new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
