"""Every setting with its description, value and source, without secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from winnow.config.descriptions import WRITERS, literal
from winnow.config.hidden_values import names_of, without_credentials
from winnow.config.setting_list import SettingEntry, sections_in, values_in
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import DEFAULT_ORIGIN, is_fixed


@dataclass(frozen=True, slots=True)
class Listed:
    """One setting: ``value`` as a settings file would write it, ``text`` as a form shows it."""

    entry: SettingEntry
    value: str
    usual: str
    text: str
    origin: str

    @property
    def path(self) -> str:
        return self.entry.path

    @property
    def is_from_file(self) -> bool:
        return self.origin != DEFAULT_ORIGIN and not self.is_fixed

    @property
    def is_fixed(self) -> bool:
        """Whether the environment or a flag holds the value, whatever the file says."""
        return is_fixed(self.origin)

    @property
    def is_changed(self) -> bool:
        return self.value != self.usual


@dataclass(frozen=True, slots=True)
class ListedSection:
    """One section with what it is for."""

    name: str
    purpose: str
    settings: tuple[Listed, ...]


def listed(settings: Settings, origins: Mapping[str, str]) -> tuple[ListedSection, ...]:
    """All settings in the order of their declaration, without passwords."""
    values = values_in(settings)
    return tuple(
        ListedSection(
            section.name,
            " ".join(section.purpose.split()),
            tuple(_listed(section.entries, values[section.name], origins)),
        )
        for section in sections_in(settings)
    )


def _listed(
    entries: tuple[SettingEntry, ...], values: Mapping[str, Any], origins: Mapping[str, str]
) -> Iterator[Listed]:
    for entry in entries:
        value = values[entry.name]
        yield Listed(
            entry,
            _public_value(entry, value),
            literal(entry.kind, entry.default),
            _form_text(entry, value),
            origins.get(entry.path, DEFAULT_ORIGIN),
        )


def _form_text(entry: SettingEntry, value: Any) -> str:
    if entry.is_secret:
        return "\n".join(names_of(value))
    return without_credentials(form_text(entry, value))


def form_text(entry: SettingEntry, value: Any) -> str:
    """A value as a form shows it: lists with one item a line, sizes and durations with units."""
    write = WRITERS.get(entry.kind)
    written = write(value) if write else value
    if isinstance(written, list):
        return "\n".join(map(str, written))
    return str(written).lower() if isinstance(written, bool) else str(written)


def _public_value(entry: SettingEntry, value: Any) -> str:
    if entry.is_secret:
        names = names_of(value)
        what = "users" if entry.path == "access.users" else "keys"
        return f"{len(names)} {what}: {', '.join(names)}" if names else "[]"
    return without_credentials(literal(entry.kind, value))
