"""The list of all settings, derived from the dataclasses."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from winnow.config.setting_fields import Note
from winnow.config.settings import Settings

VARIABLE_PREFIX: Final = "WINNOW_"


class SettingKind(StrEnum):
    """How a setting is written and checked."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    STRINGS = "strings"
    INTS = "ints"
    PATH = "path"
    SIZE = "size"
    DURATION = "duration"


_PLAIN: Final[Mapping[Any, SettingKind]] = {
    bool: SettingKind.BOOL,
    int: SettingKind.INT,
    float: SettingKind.FLOAT,
    str: SettingKind.STRING,
    Path: SettingKind.PATH,
}


@dataclass(frozen=True, slots=True)
class SettingEntry:
    """One setting: ``server.port`` in the file, ``WINNOW_SERVER__PORT`` in the environment.

    ``enum`` is the type of a setting with a closed list of values, which ``choices`` names.
    """

    section: str
    name: str
    kind: SettingKind
    default: object
    note: Note
    enum: type[StrEnum] | None = None

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def variable(self) -> str:
        return f"{VARIABLE_PREFIX}{self.section}__{self.name}".upper()

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(self.enum) if self.enum else self.note.choices


@dataclass(frozen=True, slots=True)
class Section:
    """One section and its settings, in the order in which they are declared."""

    name: str
    purpose: str
    entries: tuple[SettingEntry, ...]


@cache
def sections() -> tuple[Section, ...]:
    """Return all sections in the order of ``Settings``; resolving their types takes some 8 ms."""
    hints = get_type_hints(Settings)
    return tuple(_section(field.name, hints[field.name]) for field in fields(Settings))


@cache
def entries() -> Mapping[str, SettingEntry]:
    """Return all settings by their path."""
    found = {entry.path: entry for section in sections() for entry in section.entries}
    return MappingProxyType(found)


def _section(name: str, shape: type[Any]) -> Section:
    return Section(name, (shape.__doc__ or "").replace("``", "`"), tuple(_entries_of(name, shape)))


def _entries_of(section: str, shape: type[Any]) -> Iterator[SettingEntry]:
    hints = get_type_hints(shape, include_extras=True)
    for item in fields(shape):
        note: Note = item.metadata["note"]
        hint = hints[item.name]
        enum = hint if isinstance(hint, type) and issubclass(hint, StrEnum) else None
        kind = SettingKind.STRING if enum else _kind(hint)
        yield SettingEntry(section, item.name, kind, item.default, note, enum)


def _kind(hint: Any) -> SettingKind:
    if get_origin(hint) is Annotated:
        return SettingKind(get_args(hint)[1])
    if get_origin(hint) is tuple:
        return SettingKind.INTS if get_args(hint)[0] is int else SettingKind.STRINGS
    if isinstance(hint, types.UnionType):
        return _kind(get_args(hint)[0])
    return _PLAIN[hint]
