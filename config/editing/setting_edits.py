"""A settings file with other values, its comments kept; values as forms write them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any

from winnow.config.descriptions import WRITERS
from winnow.config.errors import UnreadableFileError
from winnow.config.setting_list import SettingEntry, SettingKind


def form_text(entry: SettingEntry, value: Any) -> str:
    """A value as a form shows it: lists with one item a line, sizes and durations with units."""
    written = raw_value(entry, value)
    if isinstance(written, list):
        return "\n".join(map(str, written))
    return str(written).lower() if isinstance(written, bool) else str(written)


def form_raw(entry: SettingEntry, text: str) -> object:
    """What a file would hold for a form's text, for ``read_value`` to check."""
    clean = text.replace("\r\n", "\n").strip()
    if entry.is_list:
        items = [line.strip() for line in clean.split("\n") if line.strip()]
        return [_number(item) for item in items] if entry.kind is SettingKind.INTS else items
    if entry.kind is SettingKind.BOOL:
        return {"true": True, "false": False}.get(clean, clean)
    if entry.kind in (SettingKind.INT, SettingKind.FLOAT):
        return _number(clean)
    return clean


def raw_value(entry: SettingEntry, value: Any) -> Any:
    """A typed value as TOML writes it."""
    write = WRITERS.get(entry.kind)
    written = write(value) if write else value
    return str(written) if entry.enum else written


def changed_text(text: str, values: Mapping[str, object], removed: Iterable[str] = ()) -> str:
    """The file's text with these values by path, and without ``removed`` (their default holds).

    Raises UnreadableFileError if it is no TOML.
    """
    import tomlkit  # noqa: PLC0415 - 40 ms that starting does not need
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(text)
        for path, raw in values.items():
            _put(document, path, raw)
        for path in removed:
            _remove(document, path)
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError, AttributeError) as error:
        raise UnreadableFileError(f"the settings file cannot be changed: {error}") from error


def _put(document: MutableMapping[str, Any], path: str, raw: object) -> None:
    section, _, name = path.partition(".")
    table: Any = document.setdefault(section, {})
    old = table.get(name)
    if isinstance(old, list) and isinstance(raw, list) and _edit_list(old, raw):
        return
    table[name] = raw


def _edit_list(old: list[Any], new: list[Any]) -> bool:
    """Remove and append items, so that comments beside others stay; whether that gives ``new``."""
    if [item for item in old if item in new] + [item for item in new if item not in old] != new:
        return False
    for place in reversed(range(len(old))):
        if old[place] not in new:
            del old[place]
    for item in [item for item in new if item not in old]:
        old.append(item)
    return True


def _remove(document: MutableMapping[str, Any], path: str) -> None:
    section, _, name = path.partition(".")
    table = document.get(section)
    if table is not None and name in table:
        del table[name]


def _number(text: str) -> object:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
