"""Changes of the settings file, newest last, in a private file of the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from winnow.config.editing.text_changes import TextChange
from winnow.proxy.stores.files import read_private, write_private
from winnow.proxy.stores.store_errors import StoreError

FILE_NAME: Final = "settings-history.json"
MOST: Final = 100
"""Changes that are kept."""


@dataclass(frozen=True)
class SettingChange:
    """One setting: what the file held before and after, None where it did not name it."""

    path: str
    before: object
    after: object


@dataclass(frozen=True)
class SavedChange:
    """All settings that one person changed at once, or the site rules.

    ``rules``: the change of their file, ``sites``: whose rules changed.
    """

    number: int
    when: datetime
    who: str
    settings: tuple[SettingChange, ...]
    rules: TextChange | None = None
    sites: tuple[str, ...] = ()

    def undone(self) -> Mapping[str, object]:
        """The values before, by path; None where the file did not name the setting."""
        return {each.path: each.before for each in self.settings}


@dataclass(frozen=True)
class SettingsHistory:
    """Read and written whole. Both block."""

    folder: Path

    def changes(self) -> tuple[SavedChange, ...]:
        """All changes, oldest first; none from a file that cannot be read."""
        try:
            data = read_private(self.folder / FILE_NAME)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StoreError(f"The history of settings cannot be read: {error}.") from error
        try:
            return msgspec.json.decode(data, type=tuple[SavedChange, ...])
        except ValueError as error:  # UnicodeDecodeError too
            raise StoreError(f"{self.folder / FILE_NAME} is damaged: {error}.") from error

    def add(
        self,
        when: datetime,
        who: str,
        settings: tuple[SettingChange, ...],
        rules: TextChange | None = None,
        sites: tuple[str, ...] = (),
    ) -> None:
        """Add a change. Raises StoreError."""
        before = self.changes()
        number = before[-1].number + 1 if before else 1
        kept = (*before, SavedChange(number, when, who, settings, rules, sites))[-MOST:]
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self.folder / FILE_NAME, msgspec.json.encode(kept))
        except OSError as error:
            raise StoreError(f"The history of settings cannot be written: {error}.") from error
