"""Changes the settings: checks, applies, writes the file, keeps the history."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from stat import S_IMODE
from typing import Final

from winnow.config.editing.setting_edits import changed_text
from winnow.config.editing.site_rule_edits import FILE_NAME as RULES_NAME
from winnow.config.editing.site_rule_edits import changed_sites
from winnow.config.editing.text_changes import change_between
from winnow.config.errors import ConfigError
from winnow.config.site_rule_file import read_rules
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.config.sources.toml_file import parsed_text
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.proxy_errors import ClientFaultError
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
        file, old = await asyncio.to_thread(self._read)
        text = changed_text(
            old,
            {path: raw for path, raw in values.items() if raw is not None},
            [path for path, raw in values.items() if raw is None],
        )
        await self.apply(await asyncio.to_thread(self.source.load, text))
        try:
            await asyncio.to_thread(_write, file, text)
        except StoreError:
            await self.apply(await asyncio.to_thread(self.source.load, old))
            raise
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
            await asyncio.to_thread(_write, file.resolve(), text)
            try:
                await self._apply_rules(file, who)
            except BaseException:
                await asyncio.to_thread(_write, file.resolve(), old)
                raise
            if text != old:
                change, sites = change_between(old, text), changed_sites(old, text, file)
                now = datetime.now(UTC)
                await asyncio.to_thread(self.history.add, now, who, (), change, sites)
        self.notify()

    async def _apply_rules(self, file: Path, who: str) -> None:
        loaded = await asyncio.to_thread(self.source.load)
        if loaded.settings.sites.rules is None:
            await self._change({RULES: str(file)}, who)
        else:
            await self.apply(loaded)

    async def changes(self) -> tuple[SavedChange, ...]:
        """The history, oldest first. Raises StoreError."""
        return await asyncio.to_thread(self.history.changes)

    async def secrets(self) -> Mapping[str, tuple[str, ...]]:
        """The lines with hashes that are in force, by their setting. Raises ConfigError."""
        access = (await asyncio.to_thread(self.source.load)).settings.access
        return {"access.users": access.users, "access.api_keys": access.api_keys}

    def _read(self) -> tuple[Path, str]:
        """The file to write and what it holds. Raises StoreError if it cannot be written."""
        file = self.source.new_file().resolve()
        try:
            old = file.read_text(encoding="utf-8") if file.exists() else ""
            if old:
                file.open("r+b").close()
        except (OSError, UnicodeDecodeError) as error:
            raise _unwritable(file, error) from error
        return file, old


@contextmanager
def settings_faults() -> Iterator[None]:
    """Settings that do not hold are told to who changes them. Raises ClientFaultError."""
    try:
        yield
    except ConfigError as error:
        raise ClientFaultError(str(error), 409, "settings") from error


def who(head: RequestHead) -> str:
    """Who changes settings, as their history says it."""
    return head.user or ("this computer" if is_local(head.client) else head.client)


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise _unwritable(file, error) from error


def _write(file: Path, text: str) -> None:
    """Replace the file as a whole, with the mode that it had; a new one is private."""
    try:
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
