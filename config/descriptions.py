"""Settings as annotated TOML and JSON Schema."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from winnow.config.hidden_values import told
from winnow.config.secret_files import ENDING, SECRETS
from winnow.config.setting_list import (
    Section,
    SettingEntry,
    SettingKind,
    sections,
    sections_in,
    values_in,
)
from winnow.config.sources.source_precedence import Loaded
from winnow.config.sources.units import DURATION_UNITS, SIZE_UNITS, format_duration, format_size

_WIDTH: Final = 96
_HEADER: Final = """\
# All of Winnow's settings with their defaults. Copy what you change to winnow.toml.
# The same names work as environment variables: WINNOW_SERVER__PORT=9090.
"""


def example(of_features: tuple[type[Any], ...] = ()) -> str:
    """Return ``default.toml``: every setting with its default and purpose."""
    found = sections(of_features)
    return _HEADER + "".join(f"\n{_section_lines(section)}" for section in found)


def show(loaded: Loaded) -> str:
    """Return the settings in force as TOML, each line's comment naming where it comes from.

    Without passwords and hashes: people send it to others with their questions.
    """
    values = values_in(loaded.settings)
    blocks = []
    for section in sections_in(loaded.settings):
        lines = [
            (_assign(e, told(e.path, values[section.name][e.name])), e.path)
            for e in section.entries
        ]
        width = max(len(line) for line, _ in lines)
        body = [f"{line:<{width}}  # {loaded.origins[path]}" for line, path in lines]
        blocks.append("\n".join([f"[{section.name}]", *body]))
    return "\n\n".join(blocks) + "\n"


def schema(of_features: tuple[type[Any], ...] = ()) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12) of winnow.toml, for editors that check and complete."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "winnow.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {each.name: _section_schema(each) for each in sections(of_features)},
    }


def _section_lines(section: Section) -> str:
    head = f"{_comment(section.purpose)}[{section.name}]\n"
    return head + "".join(_entry_lines(entry) for entry in section.entries)


def _entry_lines(entry: SettingEntry) -> str:
    choices = f" One of: {', '.join(entry.choices)}." if entry.choices else ""
    if entry.path in SECRETS:
        choices = f" Or {entry.name}{ENDING}: the path of a file that holds it."
    return f"\n{_comment(entry.note.purpose + choices)}{_assign(entry, entry.default)}\n"


def _comment(text: str) -> str:
    lines = textwrap.wrap(" ".join(text.split()), _WIDTH)
    return "".join(f"# {line}\n" for line in lines)


def _assign(entry: SettingEntry, value: object) -> str:
    return f"{entry.name} = {literal(entry.kind, value)}"


def literal(kind: SettingKind, value: Any) -> str:
    """A value as a settings file writes it."""
    write = WRITERS.get(kind)
    return json.dumps(write(value) if write else value, ensure_ascii=False)


def _section_schema(section: Section) -> dict[str, Any]:
    return {
        "type": "object",
        "description": section.purpose,
        "additionalProperties": False,
        "properties": {
            **{entry.name: dict(_entry_schema(entry)) for entry in section.entries},
            **{entry.name + ENDING: _BY_FILE for entry in section.entries if entry.path in SECRETS},
        },
    }


def _entry_schema(entry: SettingEntry) -> Iterator[tuple[str, Any]]:
    yield from _TYPES[entry.kind].items()
    yield "description", entry.note.purpose
    yield "default", json.loads(literal(entry.kind, entry.default))
    if entry.choices:
        yield "enum", [str(choice) for choice in entry.choices]
    if entry.note.minimum is not None:
        yield "minimum", entry.note.minimum
    if entry.note.maximum is not None:
        yield "maximum", entry.note.maximum


def _quantity(number: str, units: Mapping[str, float]) -> dict[str, Any]:
    pattern = rf"^\s*\d+(\.\d+)?\s*({'|'.join(units)})?\s*$"
    return {"type": [number, "string"], "pattern": pattern}


WRITERS: Final[Mapping[SettingKind, Callable[[Any], object]]] = {
    SettingKind.SIZE: format_size,
    SettingKind.DURATION: format_duration,
    SettingKind.STRINGS: list,
    SettingKind.INTS: list,
    SettingKind.PATH: lambda path: str(path) if path else "",
}
_BY_FILE: Final = {"type": "string", "description": "Path of a file that holds the setting."}
_TYPES: Final[Mapping[SettingKind, dict[str, Any]]] = {
    SettingKind.BOOL: {"type": "boolean"},
    SettingKind.INT: {"type": "integer"},
    SettingKind.FLOAT: {"type": "number"},
    SettingKind.STRING: {"type": "string"},
    SettingKind.STRINGS: {"type": "array", "items": {"type": "string"}},
    SettingKind.INTS: {"type": "array", "items": {"type": "integer"}},
    SettingKind.PATH: {"type": "string"},
    SettingKind.SIZE: _quantity("integer", SIZE_UNITS),
    SettingKind.DURATION: _quantity("number", DURATION_UNITS),
}
