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

from winnow.config.hidden_values import SECRETS
from winnow.config.setting_fields import Note
from winnow.config.settings import Settings

VARIABLE_PREFIX: Final = "WINNOW_"
OF_FEATURES: Final = "of_features"
"""The field of Settings that is no section."""
AFTER_RESTART: Final = (
    *("server.host", "server.port", "server.transparent_port", "server.http2"),
    *("server.trusted_proxies", "server.client_address", "storage", "learning"),
)
"""Settings and sections that only a restart changes."""
_PROTECTED: Final = frozenset(
    {
        "server.host",
        "server.port",
        "server.transparent_port",
        "server.trusted_proxies",
        "server.client_address",
        "upstream.proxy",
        "upstream.no_proxy",
        "upstream.refused_ports",
        "access",
        "ads.lists",
    }
)


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

    @property
    def is_list(self) -> bool:
        """Whether a form has one item a line for it."""
        return self.kind in {SettingKind.STRINGS, SettingKind.INTS}

    @property
    def is_secret(self) -> bool:
        return self.path in SECRETS

    @property
    def is_protected(self) -> bool:
        """Whether a change needs its owner's proof: it names what Winnow runs or trusts."""
        named = self.note.protected or bool({self.path, self.section} & _PROTECTED)
        return named or self.kind is SettingKind.PATH

    @property
    def needs_restart(self) -> bool:
        """Whether a change takes effect at the next start only."""
        return bool({self.path, self.section} & set(AFTER_RESTART))


@dataclass(frozen=True, slots=True)
class Section:
    """One section and its settings, in the order in which they are declared."""

    name: str
    purpose: str
    entries: tuple[SettingEntry, ...]


@cache
def sections(of_features: tuple[type[Any], ...] = ()) -> tuple[Section, ...]:
    """Return all sections in the order of ``Settings``, then those of features.

    Resolving their types takes some 8 ms.
    """
    hints = get_type_hints(Settings)
    shapes = {each.name: hints[each.name] for each in fields(Settings) if each.name != OF_FEATURES}
    shapes |= {shape.SECTION: shape for shape in of_features}
    found = [entry for name, shape in shapes.items() for entry in _entries_of(name, shape)]
    listed = {name: tuple(each for each in found if each.section == name) for name in shapes}
    return tuple(_section(name, shapes[name], named) for name, named in listed.items() if named)


@cache
def entries(of_features: tuple[type[Any], ...] = ()) -> Mapping[str, SettingEntry]:
    """Return all settings by their path."""
    found = {each.path: each for section in sections(of_features) for each in section.entries}
    return MappingProxyType(found)


def sections_in(settings: Settings) -> tuple[Section, ...]:
    """All sections that these settings have."""
    return sections(tuple(map(type, settings.of_features)))


def values_in(settings: Settings) -> Mapping[str, Mapping[str, Any]]:
    """Every value, by section and name."""
    held = {each.name: getattr(settings, each.name) for each in fields(settings)}
    held |= {each.SECTION: each for each in held.pop(OF_FEATURES)}
    found: dict[str, dict[str, Any]] = {}
    for name, section in held.items():
        for path, place in places(name, type(section)).items():
            table, _, key = path.partition(".")
            found.setdefault(table, {})[key] = getattr(section, place)
    return found


def places(section: str, shape: type[Any]) -> Mapping[str, str]:
    """The field of each setting that a section holds, by the setting's path."""
    return {
        each.metadata["note"].path or f"{section}.{each.name}": each.name for each in fields(shape)
    }


def _section(name: str, shape: type[Any], listed: tuple[SettingEntry, ...]) -> Section:
    return Section(name, (shape.__doc__ or "").replace("``", "`"), listed)


def _entries_of(section: str, shape: type[Any]) -> Iterator[SettingEntry]:
    hints = get_type_hints(shape, include_extras=True)
    for item in fields(shape):
        note: Note = item.metadata["note"]
        hint = hints[item.name]
        enum = hint if isinstance(hint, type) and issubclass(hint, StrEnum) else None
        kind = SettingKind.STRING if enum else _kind(hint)
        table, _, key = (note.path or f"{section}.{item.name}").partition(".")
        yield SettingEntry(table, key, kind, item.default, note, enum)


def _kind(hint: Any) -> SettingKind:
    if get_origin(hint) is Annotated:
        return SettingKind(get_args(hint)[1])
    if get_origin(hint) is tuple:
        return SettingKind.INTS if get_args(hint)[0] is int else SettingKind.STRINGS
    if isinstance(hint, types.UnionType):
        return _kind(get_args(hint)[0])
    return _PLAIN[hint]
