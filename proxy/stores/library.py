"""A reader's library: bookmarks, history, appearance, bytes saved.

One frozen value, stored in one JSON file that is replaced as a whole.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from winnow.proxy.http.sentences import N_
from winnow.proxy.stores.files import folder_lock, read_private, set_aside, write_private
from winnow.proxy.stores.notices import Notices, Notify, notify_nobody
from winnow.proxy.stores.paired_extensions import Paired, PairedExtension
from winnow.proxy.stores.site_choice import PartRule
from winnow.proxy.stores.store_errors import StoreError, save_error

FILE_NAME = "shelf.json"
_WHAT = N_("The saved items")
MOST_RECENT = 50
"""Pages of one owner."""
MOST_BOOKMARKS = 1000
"""Bookmarks of one owner."""
MOST_LOOKS = 1000
"""Clients whose appearance is stored, and those whose language is."""


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A bookmark or a page of the history; ``owner`` is RequestHead.owner."""

    url: str
    title: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Library:
    """``parts``: of versions in which they were no part of ``Choices``, by ``site owner``; the
    start moves them there. ``recent``: the latest first.

    ``looks``: an owner's appearance (winnow.proxy.own.templates.in_page.appearance_style).
    ``languages``: the language that an owner chose.
    ``fetched`` and ``sent``: bytes of pages and images from origins, and what small screens got.
    """

    parts: Mapping[str, tuple[PartRule, ...]] = field(default_factory=lambda: MappingProxyType({}))
    bookmarks: tuple[LibraryEntry, ...] = ()
    recent: tuple[LibraryEntry, ...] = ()
    fetched: int = 0
    sent: int = 0
    looks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    languages: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    extensions: Paired = ()
    """Browser extensions that were paired."""

    def with_looks(self, owner: str, looks: str) -> Library:
        """The next value, with an owner's appearance; "" for the default."""
        return replace(self, looks=_with(self.looks, owner, looks))

    def with_language(self, owner: str, language: str) -> Library:
        """The next value, with an owner's language; "" for that of the browser."""
        return replace(self, languages=_with(self.languages, owner, language))

    def with_bookmark(self, entry: LibraryEntry) -> Library:
        """The next value, with a bookmark at the end."""
        others = (other for other in self.bookmarks if not _same(other, entry))
        newest_first = _bounded((entry, *reversed(tuple(others))), MOST_BOOKMARKS)
        return replace(self, bookmarks=newest_first[::-1])

    def without_bookmark(self, entry: LibraryEntry) -> Library:
        """The next value, without a bookmark."""
        left = tuple(other for other in self.bookmarks if not _same(other, entry))
        return replace(self, bookmarks=left)

    def without_bookmarks(self, owner: str) -> Library:
        """The next value, without the bookmarks of ``owner``."""
        left = tuple(entry for entry in self.bookmarks if entry.owner != owner)
        return replace(self, bookmarks=left)

    def without_history(self, owner: str) -> Library:
        """The next value, without the history of ``owner``."""
        return replace(self, recent=tuple(each for each in self.recent if each.owner != owner))

    def with_read(self, entry: LibraryEntry, fetched: int, sent: int) -> Library:
        """The next value, after a page was read on a small screen."""
        others = tuple(other for other in self.recent if not _same(other, entry))
        return replace(
            self,
            recent=_bounded((entry, *others), MOST_RECENT),
            fetched=self.fetched + fetched,
            sent=self.sent + sent,
        )

    def with_bytes(self, fetched: int, sent: int) -> Library:
        """The next value, after an image was made smaller."""
        return replace(self, fetched=self.fetched + fetched, sent=self.sent + sent)


def _with(words: Mapping[str, str], owner: str, word: str) -> Mapping[str, str]:
    """The words with that of an owner, "" for none; the latest ``MOST_LOOKS``."""
    changed = {key: each for key, each in words.items() if key != owner}
    if word:
        changed[owner] = word
    return MappingProxyType(dict(list(changed.items())[-MOST_LOOKS:]))


def _bounded(newest_first: tuple[LibraryEntry, ...], each: int) -> tuple[LibraryEntry, ...]:
    """The newest entries, at most ``each`` of an owner and ten times as many of all together."""
    counts: dict[str, int] = {}
    newest: list[LibraryEntry] = []
    for entry in newest_first:
        counts[entry.owner] = counts.get(entry.owner, 0) + 1
        if counts[entry.owner] <= each:
            newest.append(entry)
    return tuple(newest[: 10 * each])


def _same(left: LibraryEntry, right: LibraryEntry) -> bool:
    return (left.url, left.owner) == (right.url, right.owner)


class LibraryStore:
    """``now`` is read without waiting; ``change`` returns when the next value is stored.

    Several processes may use one file: each change is made to the file's current content.
    """

    def __init__(
        self,
        path: Path | None = None,
        library: Library | None = None,
        notices: Notices | None = None,
    ) -> None:
        self._path, self._notices = path, notices or Notices()
        self._now = library or Library()
        self._order = asyncio.Lock()
        self.notify: Notify = notify_nobody
        """Awaited after each change."""

    @classmethod
    def open(cls, path: Path, notices: Notices | None = None) -> LibraryStore:
        """The store of a file, which may be missing; ``notices`` get what is wrong with it."""
        store = cls(path, None, notices)
        try:
            store._now = store._read(path)
        except StoreError as error:
            store._notices.add(f"{path.name} cannot be read, and nothing is saved in it: {error}")
        return store

    @property
    def now(self) -> Library:
        """The library as of the last change."""
        return self._now

    async def change(self, step: Callable[[Library], Library]) -> None:
        """Make one change. Raises StoreError if it cannot be stored; ``now`` is then as it was."""
        async with self._order:
            if self._path is None:
                self._now = step(self._now)
            else:
                self._now = await asyncio.to_thread(self._changed, self._path, step)
        await self.notify(None)

    async def on_notify(self, _message: object = None) -> None:
        """Another process changed the file. Raises StoreError."""
        async with self._order:
            if self._path is not None:
                self._now = await asyncio.to_thread(self._read, self._path)

    def _changed(self, path: Path, step: Callable[[Library], Library]) -> Library:
        """The file's content after one change; one process at a time. Raises StoreError."""
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with folder_lock(path.parent):
                following = step(self._read_or_replaced(path))
                write_private(path, packed(following).encode())
        except OSError as error:
            raise save_error(_WHAT, error) from error
        return following

    def _read(self, path: Path) -> Library:
        try:
            if not path.exists():
                return Library()
            with folder_lock(path.parent):
                return self._read_or_replaced(path)
        except OSError as error:
            raise save_error(_WHAT, error) from error

    def _read_or_replaced(self, path: Path) -> Library:
        """The file's content; a damaged one is set aside, and memory is written to a new one."""
        if not path.exists():
            return Library()
        try:
            return unpacked(read_private(path).decode())
        except (ValueError, IsADirectoryError, PermissionError):
            damaged = set_aside(path)
        self._notices.add(
            f"{path.name} was damaged. It was set aside as {damaged.name} in the data folder, and "
            "a new file was created."
        )
        write_private(path, packed(self._now).encode())
        return self._now


def packed(library: Library) -> str:
    """A library as JSON; equal ones of one history are equal texts."""
    fields = {
        "parts": {key: [asdict(rule) for rule in rules] for key, rules in library.parts.items()},
        "bookmarks": [asdict(entry) for entry in library.bookmarks],
        "recent": [asdict(entry) for entry in library.recent],
        "fetched": library.fetched,
        "sent": library.sent,
        "looks": dict(library.looks),
        "languages": dict(library.languages),
        "extensions": [asdict(each) for each in library.extensions],
    }
    return json.dumps(fields, ensure_ascii=False)


def unpacked(text: str) -> Library:
    """The inverse of ``packed``. Raises ValueError for anything else."""
    try:
        fields: dict[str, Any] = json.loads(text)
        return Library(
            parts=MappingProxyType(
                {site: tuple(map(_part_rule, parts)) for site, parts in fields["parts"].items()}
            ),
            bookmarks=tuple(LibraryEntry(**entry) for entry in fields["bookmarks"]),
            recent=tuple(LibraryEntry(**entry) for entry in fields["recent"]),
            fetched=int(fields["fetched"]),
            sent=int(fields["sent"]),
            looks=MappingProxyType(dict(fields.get("looks", {}))),
            languages=MappingProxyType(dict(fields.get("languages", {}))),
            extensions=tuple(PairedExtension(**each) for each in fields.get("extensions", ())),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _part_rule(stored: Any) -> PartRule:
    """A rule as it was stored: once it was the selector of what is kept, alone."""
    return PartRule(stored) if isinstance(stored, str) else PartRule(**stored)
