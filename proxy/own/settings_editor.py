"""Changes the settings: checks, applies, writes the file, keeps the history."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from stat import S_IMODE
from typing import Final

from winnow.config.editing.file_edits import FILE_NAME as RULES_NAME
from winnow.config.editing.file_edits import changed_sites, changed_text
from winnow.config.editing.text_changes import change_between
from winnow.config.site_rule_file import read_rules
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.config.sources.toml_file import parsed_text
from winnow.proxy.stores.files import write_private
from winnow.proxy.stores.settings_history import SavedChange, SettingChange, SettingsHistory
from winnow.proxy.stores.store_errors import StoreError

RULES: Final = "sites.rules"
Apply = Callable[[Loaded], Awaitable[None]]


async def _nowhere(_loaded: Loaded) -> None:
    """Before the proxy listens nothing is to be applied."""


def _nobody() -> None:
    """There is no other process."""


@dataclass(eq=False)
class SettingsEditor:
    """``apply`` has this process work by other settings; ``notify`` tells the other processes.

    ``apply`` raises what ``Running.reload`` raises, and nothing has changed then.
    """

    source: SettingsSource
    history: SettingsHistory
    notify: Callable[[], None] = _nobody
    apply: Apply = _nowhere
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def change(self, values: Mapping[str, object], who: str) -> None:
        """Set these values by path, as TOML writes them; None: the file names it no more.

        Raises ConfigError for values that do not hold, StoreError if the file cannot be written.
        """
        async with self._lock:
            await self._change(values, who)
        self.notify()

    async def _change(self, values: Mapping[str, object], who: str) -> None:
        file = self.source.new_file().resolve()
        old = await asyncio.to_thread(_text_of, file)
        text = changed_text(old, values)
        loaded = await asyncio.to_thread(self.source.load, text)
        await self._replace(file, old, text, partial(self.apply, loaded))
        before = parsed_text(old, file)
        changes = [SettingChange(path, _at(before, path), raw) for path, raw in values.items()]
        await asyncio.to_thread(self.history.add, datetime.now(UTC), who, tuple(changes))

    async def rules(self) -> tuple[Path, str]:
        """The file of site rules and what it holds; "" before there is one.

        Raises ConfigError, and StoreError if it cannot be read.
        """
        loaded = await asyncio.to_thread(self.source.load)
        file = loaded.settings.sites.rules or self.source.new_file().with_name(RULES_NAME)
        return file, await asyncio.to_thread(_text_of, file)

    async def change_rules(self, edit: Callable[[str], str], who: str) -> None:
        """Write the file of site rules as ``edit`` makes it of what it holds, and apply it.

        A file that no setting names yet gets into the settings. Raises what ``change`` and
        ``edit`` raise; nothing has changed then.
        """
        async with self._lock:
            file, old = await self.rules()
            text = await asyncio.to_thread(edit, old)
            read_rules(parsed_text(text, file), file)
            is_named = (await asyncio.to_thread(self.source.load)).settings.sites.rules
            name = partial(self._change, {RULES: str(file)}, who)
            await self._replace(file.resolve(), old, text, self._apply if is_named else name)
            if text != old:
                change, sites = change_between(old, text), changed_sites(old, text, file)
                now = datetime.now(UTC)
                await asyncio.to_thread(self.history.add, now, who, (), change, sites)
        self.notify()

    async def _replace(
        self, file: Path, old: str, text: str, work_by_it: Callable[[], Awaitable[None]]
    ) -> None:
        """Write a file and have this process work by it; it is as before where that fails."""
        is_new = not await asyncio.to_thread(file.exists)
        await asyncio.to_thread(_write, file, text)
        try:
            await work_by_it()
        except BaseException:
            await asyncio.to_thread(file.unlink if is_new else partial(_write, file, old))
            raise

    async def _apply(self) -> None:
        await self.apply(await asyncio.to_thread(self.source.load))

    async def changes(self) -> tuple[SavedChange, ...]:
        """The history, oldest first. Raises StoreError."""
        return await asyncio.to_thread(self.history.changes)

    async def secrets(self) -> Mapping[str, tuple[str, ...]]:
        """The lines with hashes that are in force, by their setting. Raises ConfigError."""
        access = (await asyncio.to_thread(self.source.load)).settings.access
        return {"access.users": access.users, "access.api_keys": access.api_keys}


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise _unwritable(file, error) from error


def _write(file: Path, text: str) -> None:
    """Replace the file as a whole, with the mode that it had; a new one is private."""
    try:
        if file.exists():
            file.open("r+b").close()  # else one that only may be read would be replaced
        mode = S_IMODE(file.stat().st_mode) if file.exists() else 0o600
        write_private(file, text.encode())
        file.chmod(mode)
    except OSError as error:
        raise _unwritable(file, error) from error


def _unwritable(file: Path, error: Exception) -> StoreError:
    reason = (error.strerror if isinstance(error, OSError) else "") or "it is no UTF-8"
    return StoreError(f"The file {file} cannot be changed: {reason}.")


def _at(content: Mapping[str, object], path: str) -> object:
    section, _, name = path.partition(".")
    table = content.get(section)
    return table.get(name) if isinstance(table, dict) else None
