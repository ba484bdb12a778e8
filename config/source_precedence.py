"""Loads settings from defaults, a file, the environment and flags (later ones win)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from winnow.config import renamed
from winnow.config.errors import InvalidSettingsError, Problem
from winnow.config.setting_list import VARIABLE_PREFIX, entries, sections
from winnow.config.settings import Settings
from winnow.config.toml_file import parsed, parsed_text
from winnow.config.unknown_settings import unknown_setting
from winnow.config.value_parser import read_text, read_value

FILE_NAME: Final = "winnow.toml"
FILE_VARIABLE: Final = "WINNOW_CONFIG"
DEFAULT_ORIGIN: Final = "default"
FLAG_ORIGIN: Final = "command line"
VARIABLE_ORIGIN: Final = "environment variable"
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Given:
    """One value as written; ``text``: in a variable or flag, not in TOML."""

    origin: str
    path: str
    raw: object
    text: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and for each path (``server.port``) the place that its value comes from."""

    settings: Settings
    origins: Mapping[str, str] = field(default_factory=dict)


def load(
    file: Path | None = None,
    environment: Mapping[str, str] = _NOTHING,
    flags: Mapping[str, str] = _NOTHING,
    text: str | None = None,
) -> Loaded:
    """Merge defaults < ``file`` < ``environment`` < ``flags``.

    ``text`` is the file's content, None to read it. ``flags`` map a setting's path to its text:
    ``{"server.port": "9090"}``. Raises UnreadableFileError, or InvalidSettingsError with every
    problem found.
    """
    given = [*_of_file(file, text), *_of_environment(environment), *_of_flags(flags)]
    return _merge([_renamed(item) for item in given])


def find_file(environment: Mapping[str, str], folder: Path) -> Path | None:
    """Return the file to load where no flag names one: ``$WINNOW_CONFIG``, else ./winnow.toml."""
    if named := environment.get(FILE_VARIABLE):
        return Path(named)
    found = folder / FILE_NAME
    return found if found.is_file() else None


def _merge(given: list[Given]) -> Loaded:
    listed = entries()
    values: dict[str, dict[str, object]] = {section.name: {} for section in sections()}
    origins = dict.fromkeys(listed, DEFAULT_ORIGIN)
    problems = []
    for item in given:
        try:
            value = _typed(item)
        except ValueError as error:
            problems.append(Problem(item.origin, item.path, str(error)))
            continue
        entry = listed[item.path]
        values[entry.section][entry.name] = value
        origins[item.path] = item.origin
    if problems:
        raise InvalidSettingsError(tuple(problems))
    return Loaded(_settings(values), MappingProxyType(origins))


def _renamed(item: Given) -> Given:
    return replace(item, path=renamed.current_name(item.path, renamed.SETTINGS, item.origin))


def _typed(item: Given) -> object:
    entry = entries().get(item.path)
    if entry is None:
        raise ValueError(unknown_setting(item.path))
    if item.text and isinstance(item.raw, str):
        return read_text(entry, item.raw)
    return read_value(entry, item.raw)


def _settings(values: Mapping[str, Mapping[str, object]]) -> Settings:
    defaults = Settings()
    built: dict[str, Any] = {
        name: type(getattr(defaults, name))(**chosen) for name, chosen in values.items()
    }
    return Settings(**built)


def _of_file(file: Path | None, text: str | None) -> Iterator[Given]:
    if file is None:
        return
    content = parsed(file) if text is None else parsed_text(text, file)
    names = {section.name for section in sections()}
    for key, value in content.items():
        if isinstance(value, dict) and (value or key in names):
            yield from (Given(str(file), f"{key}.{name}", raw) for name, raw in value.items())
        else:
            yield Given(str(file), key, value)


def _of_environment(environment: Mapping[str, str]) -> Iterator[Given]:
    for name, text in sorted(environment.items()):
        section, separator, key = name.removeprefix(VARIABLE_PREFIX).partition("__")
        if name.startswith(VARIABLE_PREFIX) and separator:
            path = f"{section}.{key}".lower()
            yield Given(f"{VARIABLE_ORIGIN} {name}", path, text, text=True)


def _of_flags(flags: Mapping[str, str]) -> Iterator[Given]:
    for path, text in flags.items():
        yield Given(FLAG_ORIGIN, path, text, text=True)
