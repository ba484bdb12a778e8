"""Reads a posted form of one section: which settings it changes, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from winnow.config.hidden_values import HIDDEN
from winnow.config.setting_list import SettingEntry, SettingKind
from winnow.config.sources.value_parser import read_value
from winnow.features.settings.settings_in_force import Listed, ListedSection
from winnow.proxy.access.credentials.passwords import PasswordError, hash_password, read_hash

DEFAULT: Final = "default:"
"""Begins the name of the field that takes a setting out of the file."""
SecretLines = Mapping[str, tuple[str, ...]]
"""NAME:HASH lines in force, by the path of their setting."""


@dataclass(frozen=True)
class SettingsEdit:
    """``values``: what the file will hold by path, None to leave the default.

    ``fields``: the form's fields that say the same, passwords hashed.
    """

    values: Mapping[str, object] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    is_protected: bool = False
    needs_restart: bool = False

    @property
    def purpose(self) -> str:
        """What a code is for: exactly these values."""
        return f"settings {json.dumps(self.values, sort_keys=True)}"


def digest(section: ListedSection) -> str:
    """Changes with every value of the section."""
    values = "\n".join(f"{each.path}={each.value} {each.origin}" for each in section.settings)
    return sha256(values.encode()).hexdigest()[:16]


def read_edit(
    section: ListedSection, fields: Mapping[str, str], secrets: SecretLines
) -> SettingsEdit:
    """What a form changes of a section. Slow where it has passwords: call it off the loop."""
    values: dict[str, object] = {}
    texts: dict[str, str] = {}
    problems: dict[str, str] = {}
    for setting in section.settings:
        path = setting.path
        if fields.get(DEFAULT + path) and setting.is_from_file:
            values[path], texts[DEFAULT + path] = None, "1"
            continue
        text = fields.get(path)
        if text is None or setting.is_fixed or _plain(text) == _plain(setting.text):
            continue
        try:
            values[path], texts[path] = _read(setting, text, secrets)
        except (ValueError, PasswordError) as error:
            problems[path] = str(error)
    return edit_of(values, texts, section.settings, problems)


def edit_of(
    values: Mapping[str, object],
    fields: Mapping[str, str],
    settings: Iterable[Listed],
    problems: Mapping[str, str] = MappingProxyType({}),
) -> SettingsEdit:
    """The edit with what it asks of who makes it; ``settings``: those that it may change."""
    changed = [each.entry for each in settings if each.path in values]
    is_protected = any(each.is_protected for each in changed)
    restart = any(each.needs_restart for each in changed)
    return SettingsEdit(values, fields, problems, is_protected, restart)


def _read(setting: Listed, text: str, secrets: SecretLines) -> tuple[object, str]:
    """What the file will hold, and the text that says so. Raises ValueError, PasswordError."""
    if HIDDEN in text:
        raise ValueError(f"must be written whole, without {HIDDEN}")
    if setting.entry.is_secret:
        known = {line.partition(":")[0]: line for line in secrets.get(setting.path, ())}
        text = "\n".join(_hashed(line, known) for line in _plain(text).split("\n") if line.strip())
    raw = form_raw(setting.entry, text)
    read_value(setting.entry, raw)
    return raw, text


def _hashed(line: str, known: Mapping[str, str]) -> str:
    """NAME:HASH of a line with a known name, with NAME PASSWORD, or with NAME:HASH."""
    name, _, password = line.strip().partition(" ")
    if not password and ":" in name:
        read_hash(name.partition(":")[2])
        return name
    if ":" in name or "," in name:
        raise ValueError(f"names a user with a colon or comma: {name}")
    if password.strip():
        return f"{name}:{hash_password(password.strip())}"
    if name not in known:
        raise ValueError(f"has no password for {name}: write {name} PASSWORD")
    return known[name]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def form_raw(entry: SettingEntry, text: str) -> object:
    """What a file would hold for a form's text, for ``read_value`` to check."""
    clean = _plain(text)
    if entry.is_list:
        items = [line.strip() for line in clean.split("\n") if line.strip()]
        return [_number(item) for item in items] if entry.kind is SettingKind.INTS else items
    if entry.kind is SettingKind.BOOL:
        return {"true": True, "false": False}.get(clean, clean)
    if entry.kind in (SettingKind.INT, SettingKind.FLOAT):
        return _number(clean)
    return clean


def _number(text: str) -> object:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
