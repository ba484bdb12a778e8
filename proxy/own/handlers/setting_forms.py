"""Reads a posted form of one section: which settings it changes, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from winnow.config.editing.setting_edits import form_raw
from winnow.config.hidden_values import HIDDEN
from winnow.config.settings_in_force import Listed, ListedSection
from winnow.config.sources.value_parser import read_value
from winnow.proxy.access.credentials.passwords import PasswordError, hash_password, read_hash
from winnow.proxy.own.templates.settings.setting_fields import DEFAULT
from winnow.proxy.stores.settings_history import SavedChange

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
    protected = any(each.is_protected for each in section.settings if each.path in values)
    return SettingsEdit(values, texts, problems, protected)


def is_numbered(change: SavedChange, fields: Mapping[str, str]) -> bool:
    """Whether a form is to undo this change."""
    return str(change.number) == fields.get("undo")


def undo_edit(
    changes: Iterable[SavedChange], number: str, sections: Iterable[ListedSection]
) -> SettingsEdit:
    """What takes a change of the history back; nothing for a number that is not in it."""
    found = [change for change in changes if str(change.number) == number]
    if not found:
        return SettingsEdit()
    values, settings = (
        found[0].undone(),
        (each for section in sections for each in section.settings),
    )
    protected = any(each.is_protected for each in settings if each.path in values)
    return SettingsEdit(values, {"undo": number}, is_protected=protected)


def _read(setting: Listed, text: str, secrets: SecretLines) -> tuple[object, str]:
    """What the file will hold, and the text that says so. Raises ValueError, PasswordError."""
    if HIDDEN in text:
        raise ValueError(f"must be written whole, without {HIDDEN}")
    if setting.is_secret:
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
