"""Parses one value of a setting, or says in a sentence what is wrong with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from winnow.config.hidden_values import told
from winnow.config.setting_list import SettingEntry, SettingKind
from winnow.config.sources.units import (
    DURATION_UNITS,
    SIZE_UNITS,
    format_duration,
    format_size,
    parse_duration,
    parse_size,
)

_WORDS: Final[Mapping[str, bool]] = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_EXPECTED: Final[Mapping[SettingKind, str]] = {
    SettingKind.BOOL: "true or false",
    SettingKind.INT: "a whole number",
    SettingKind.FLOAT: "a number",
    SettingKind.STRING: "a string",
    SettingKind.STRINGS: "a list of strings",
    SettingKind.INTS: "a list of whole numbers",
    SettingKind.PATH: "a path as a string",
    SettingKind.SIZE: f'a size such as "8 MiB" ({", ".join(SIZE_UNITS)})',
    SettingKind.DURATION: f'a duration such as "5 s" ({", ".join(DURATION_UNITS)})',
}


def read_value(entry: SettingEntry, raw: object) -> object:
    """Return the setting's typed value from what a TOML file holds.

    Raises ValueError, worded to follow the setting's name: ``must be a whole number, not "x"``.
    """
    try:
        value = _VALUES[entry.kind](raw)
    except ValueError:
        raise ValueError(f"must be {_EXPECTED[entry.kind]}, not {_shown(entry, raw)}") from None
    _check_choice(entry, value)
    _check_bounds(entry, value)
    return entry.enum(str(value)) if entry.enum else value


def read_text(entry: SettingEntry, text: str) -> object:
    """Return the setting's typed value from an environment variable or a flag.

    Raises ValueError as ``read_value`` does. A list is separated by commas.
    """
    try:
        raw = _TEXTS[entry.kind](text.strip())
    except (ValueError, KeyError):
        raise ValueError(f"must be {_EXPECTED[entry.kind]}, not {_shown(entry, text)}") from None
    return read_value(entry, raw)


def _check_choice(entry: SettingEntry, value: object) -> None:
    if entry.choices and value not in entry.choices:
        raise ValueError(f"must be one of {', '.join(entry.choices)}, not {_shown(entry, value)}")


def _check_bounds(entry: SettingEntry, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return
    low, high = entry.note.minimum, entry.note.maximum
    if low is not None and value < low:
        raise ValueError(f"must be at least {_bound(entry, low)}, not {_bound(entry, value)}")
    if high is not None and value > high:
        raise ValueError(f"must be at most {_bound(entry, high)}, not {_bound(entry, value)}")


def _bound(entry: SettingEntry, value: float) -> str:
    if entry.kind is SettingKind.SIZE:
        return format_size(int(value))
    return format_duration(value) if entry.kind is SettingKind.DURATION else f"{value:.15g}"


def _shown(entry: SettingEntry, raw: object) -> str:
    return json.dumps(told(entry.path, raw), ensure_ascii=False, default=str)


def _bool(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    raise ValueError


def _int(raw: object) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    raise ValueError


def _float(raw: object) -> float:
    if isinstance(raw, float) and math.isfinite(raw):
        return raw
    return float(_int(raw))


def _string(raw: object) -> str:
    if isinstance(raw, str):
        return raw
    raise ValueError


def _strings(raw: object) -> tuple[str, ...]:
    if isinstance(raw, list):
        return tuple(_string(item) for item in raw)
    raise ValueError


def _ints(raw: object) -> tuple[int, ...]:
    if isinstance(raw, list):
        return tuple(_int(item) for item in raw)
    raise ValueError


def _path(raw: object) -> Path | None:
    text = _string(raw)
    return Path(text).expanduser() if text else None


def _size(raw: object) -> int:
    size = parse_size(raw) if isinstance(raw, str) else _int(raw)
    return int(_not_negative(size))


def _duration(raw: object) -> float:
    seconds = parse_duration(raw) if isinstance(raw, str) else _float(raw)
    return _not_negative(seconds)


def _not_negative(value: float) -> float:
    if value < 0:
        raise ValueError
    return value


def _split(text: str) -> list[str]:
    return [part for part in (piece.strip() for piece in text.split(",")) if part]


_VALUES: Final[Mapping[SettingKind, Callable[[object], object]]] = {
    SettingKind.BOOL: _bool,
    SettingKind.INT: _int,
    SettingKind.FLOAT: _float,
    SettingKind.STRING: _string,
    SettingKind.STRINGS: _strings,
    SettingKind.INTS: _ints,
    SettingKind.PATH: _path,
    SettingKind.SIZE: _size,
    SettingKind.DURATION: _duration,
}
_TEXTS: Final[Mapping[SettingKind, Callable[[str], object]]] = {
    SettingKind.BOOL: lambda text: _WORDS[text.lower()],
    SettingKind.INT: int,
    SettingKind.FLOAT: float,
    SettingKind.STRING: str,
    SettingKind.STRINGS: _split,
    SettingKind.INTS: lambda text: [int(part) for part in _split(text)],
    SettingKind.PATH: str,
    SettingKind.SIZE: str,
    SettingKind.DURATION: str,
}
