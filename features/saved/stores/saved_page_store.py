"""Readers' saved pages in one SQLite file with a full-text index, off the event loop.

Several processes may use the file: each change is one transaction, and nothing is held in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from winnow.features.saved.stores import saved_page_rows as rows
from winnow.features.saved.stores.saved_page import (
    Note,
    PageQuery,
    SavedEntry,
    SavedPage,
    tags_of,
    with_note,
    without_note,
)
from winnow.proxy.stores.database import DatabaseFile, Schema
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.store_errors import StoreError

FILE_NAME: Final = "saved.sqlite3"
_MIB: Final = 1024 * 1024
Images = Mapping[str, tuple[bytes, str]]
"""Body and media type by address."""


class SavedPagesFullError(StoreError):
    """An owner has as many saved pages, or bytes of them, as one may have."""

    status = 507
    reason = "saved-full"


@dataclass(frozen=True, slots=True)
class SavedPageBounds:
    """Of one owner: pages, and bytes of their text and images (as they are stored)."""

    pages: int = 20_000
    space: int = 2048 * _MIB


class SavedPageStore:
    """All methods raise StoreError where the file cannot be used; every page has an owner."""

    def __init__(
        self,
        path: Path,
        bounds: SavedPageBounds | None = None,
        notices: Notices | None = None,
    ) -> None:
        self._file = DatabaseFile(
            path, "The page", Schema(rows.VERSION, rows.prepare), notices or Notices()
        )
        self._bounds = bounds or SavedPageBounds()

    async def aclose(self) -> None:
        """Close the file."""
        await self._file.aclose()

    async def save(self, owner: str, page: SavedPage, images: Images | None = None) -> int:
        """Store a page; returns its number. Raises SavedPagesFullError.

        One that is stored already gets the new text; tags and notes are added to what it has. An
        empty text replaces none.
        """
        (number,) = await self.save_all(owner, [(page, images or {})])
        return number

    async def save_all(
        self, owner: str, pages: Sequence[tuple[SavedPage, Images]]
    ) -> Sequence[int]:
        """As ``save`` for several pages, all or none."""

        def work(database: sqlite3.Connection) -> list[int]:
            found = [rows.write(database, owner, page, images) for page, images in pages]
            count, space = rows.used(database, owner)
            if count > self._bounds.pages or space > self._bounds.space:
                raise SavedPagesFullError(
                    f"{count:,} pages with {space // _MIB:,} MiB would be saved; the limits are "
                    f"{self._bounds.pages:,} pages and {self._bounds.space // _MIB:,} MiB. Delete "
                    "some, or change [saved] in the settings."
                )
            return found

        return await self._file.run(work)

    async def page(self, owner: str, number: int) -> SavedPage | None:
        """A page with all it has."""
        return await self._file.run(lambda database: rows.read(database, owner, number))

    async def number_of(self, owner: str, url: str) -> int | None:
        """The number of the page at an address."""
        return await self._file.run(lambda database: rows.number_of(database, owner, url))

    async def earlier(self, owner: str, since: str, url: str) -> tuple[str, str] | None:
        """The text of a page that an owner saved, and when; ``since``: its number, or ``saved`` for
        that at the address. Never another owner's."""
        number = int(since) if since.isascii() and since.isdigit() and len(since) < 19 else None
        if since == "saved":
            number = await self.number_of(owner, url)
        page = await self.page(owner, number) if owner and number is not None else None
        return (page.text, page.saved) if page else None

    async def find(self, owner: str, query: PageQuery) -> tuple[SavedEntry, ...]:
        """Entries, the best first where words are searched, else the latest."""
        return await self._file.run(lambda database: rows.find(database, owner, query))

    async def pages(self, owner: str, numbers: Iterable[int]) -> tuple[SavedPage, ...]:
        """Whole pages by their numbers; those that are gone are left out."""
        wanted = tuple(numbers)

        def work(database: sqlite3.Connection) -> tuple[SavedPage, ...]:
            found = (rows.read(database, owner, number) for number in wanted)
            return tuple(page for page in found if page is not None)

        return await self._file.run(work)

    async def tags(self, owner: str) -> Mapping[str, int]:
        """The owner's tags, each with the number of its pages, in alphabetical order."""
        return await self._file.run(lambda database: rows.tags(database, owner))

    async def label(self, owner: str, number: int, tags: Iterable[str]) -> None:
        """Replace a page's tags."""
        await self._change(
            owner, number, lambda page: replace(page, tags=tags_of(tags)), erases=True
        )

    async def add_note(self, owner: str, number: int, note: Note) -> None:
        """Add a note at the end."""
        await self._change(owner, number, lambda page: with_note(page, note))

    async def remove_note(self, owner: str, number: int, note: Note) -> None:
        """Remove a note; one that is gone stays so."""
        await self._change(owner, number, lambda page: without_note(page, note), erases=True)

    async def remove(self, owner: str, number: int) -> None:
        """Delete a page with all it has."""
        await self._file.run(lambda database: rows.delete(database, owner, number), erases=True)

    async def images(self, owner: str, number: int) -> Sequence[str]:
        """The addresses of a page's stored images; their order is their number."""
        return await self._file.run(lambda database: rows.images(database, owner, number))

    async def image(self, owner: str, number: int, place: int) -> tuple[bytes, str] | None:
        """The body and media type of a stored image."""
        return await self._file.run(lambda database: rows.image(database, owner, number, place))

    async def _change(
        self, owner: str, number: int, step: rows.Step, *, erases: bool = False
    ) -> None:
        def work(database: sqlite3.Connection) -> None:
            rows.change(database, owner, number, step)

        await self._file.run(work, erases=erases)
