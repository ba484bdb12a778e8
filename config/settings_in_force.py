"""Every setting with its description, value and source, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from winnow.config.descriptions import literal
from winnow.config.setting_list import SettingEntry, sections
from winnow.config.settings import Settings
from winnow.config.source_precedence import DEFAULT_ORIGIN

_SECRETS: Final = frozenset({"access.users"})
_CREDENTIALS: Final = re.compile(r"(?<=//)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class Listed:
    """One setting: ``value`` as a settings file would write it, ``variable`` the environment's."""

    path: str
    variable: str
    purpose: str
    value: str
    usual: str
    origin: str


@dataclass(frozen=True, slots=True)
class ListedSection:
    """One section with what it is for."""

    name: str
    purpose: str
    settings: tuple[Listed, ...]


def listed(settings: Settings, origins: Mapping[str, str]) -> tuple[ListedSection, ...]:
    """All settings in the order of their declaration, without passwords."""
    values = asdict(settings)
    return tuple(
        ListedSection(
            section.name,
            " ".join(section.purpose.split()),
            tuple(_listed(section.entries, values[section.name], origins)),
        )
        for section in sections()
    )


def _listed(
    entries: tuple[SettingEntry, ...], values: Mapping[str, Any], origins: Mapping[str, str]
) -> Iterator[Listed]:
    for entry in entries:
        choices = f" One of: {', '.join(entry.choices)}." if entry.choices else ""
        yield Listed(
            entry.path,
            entry.variable,
            entry.note.purpose + choices,
            _public_value(entry, values[entry.name]),
            literal(entry.kind, entry.default),
            origins.get(entry.path, DEFAULT_ORIGIN),
        )


def _public_value(entry: SettingEntry, value: Any) -> str:
    if entry.path in _SECRETS:
        names = [str(user).partition(":")[0] for user in value]
        return f"{len(names)} users: {', '.join(names)}" if names else "[]"
    return _CREDENTIALS.sub("***@", literal(entry.kind, value))
