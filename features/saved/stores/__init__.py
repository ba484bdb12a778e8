"""Saved pages as they are stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from winnow.feature import Opening
from winnow.features.saved.settings import SavedSettings
from winnow.features.saved.stores.saved_page_rows import VERSION
from winnow.features.saved.stores.saved_page_store import (
    FILE_NAME,
    SavedPageBounds,
    SavedPageStore,
)

DATABASES: Final = {FILE_NAME: VERSION}


@asynccontextmanager
async def opened(opening: Opening) -> AsyncIterator[tuple[SavedPageStore]]:
    """The saved pages of readers; the file is opened when it is first needed."""
    section = opening.settings.of(SavedSettings)
    bounds = SavedPageBounds(section.pages, section.space)
    store = SavedPageStore(opening.folder / FILE_NAME, bounds, opening.notices)
    try:
        yield (store,)
    finally:
        await store.aclose()
