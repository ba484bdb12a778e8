"""Loads settings from defaults, a file, the environment and flags (later ones win)."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from winnow.config import secret_files
from winnow.config.errors import InvalidSettingsError, Problem
from winnow.config.feature_settings import FeatureSettings
from winnow.config.setting_list import (
    OF_FEATURES,
    VARIABLE_PREFIX,
    SettingEntry,
    SettingKind,
    entries,
    places,
)
from winnow.config.settings import Settings
from winnow.config.sources import renamed
from winnow.config.sources.toml_file import parsed, parsed_text
from winnow.config.sources.value_parser import read_text, read_value

FILE_NAME: Final = "winnow.toml"
FILE_VARIABLE: Final = "WINNOW_CONFIG"
DEFAULT_ORIGIN: Final = "default"
FLAG_ORIGIN: Final = "command line"
VARIABLE_ORIGIN: Final = "environment variable"
CREDENTIAL_ORIGIN: Final = "credential"
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_LOG = logging.getLogger("winnow.config")
OfFeatures = Callable[[FeatureSettings], tuple[type[Any], ...]]
"""The sections of the features that the settings ask for. May raise ConfigError."""


def no_sections(_chosen: FeatureSettings) -> tuple[type[Any], ...]:
    """For programs without features."""
    return ()


@dataclass(frozen=True, slots=True)
class Given:
    """One value as written; ``text``: in a variable or flag, not in TOML."""

    origin: str
    path: str
    raw: object
    text: bool = False

    @property
    def is_in_a_section(self) -> bool:
        """Whether it is a setting of a section, or an empty section."""
        return "." in self.path or self.raw == {}


def is_fixed(origin: str) -> bool:
    """Whether a value comes from a flag or the environment, whatever the file says."""
    return origin == FLAG_ORIGIN or origin.startswith((VARIABLE_ORIGIN, secret_files.ORIGIN))


def fixed_origin(origins: Mapping[str, str], path: str) -> str:
    """The flag or variable that holds a setting; "" where the file can."""
    origin = origins.get(path, DEFAULT_ORIGIN)
    return origin if is_fixed(origin) else ""


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
    of_features: OfFeatures = no_sections,
) -> Loaded:
    """Merge defaults < ``file`` < ``environment`` < ``flags``.

    ``text`` is the file's content, None to read it. ``flags`` map a setting's path to its text:
    ``{"server.port": "9090"}``. A section that is unknown is that of a feature that is gone: it
    is logged, and has no effect. Raises UnreadableFileError, or InvalidSettingsError with every
    problem found.
    """
    given = [*_of_file(file, text), *_of_environment(environment), *_of_flags(flags)]
    given = [_renamed(item) for item in given]
    return _merge(given, of_features(_features_in(given)))


def find_file(environment: Mapping[str, str], folder: Path) -> Path | None:
    """Return the file to load where no flag names one: ``$WINNOW_CONFIG``, else ./winnow.toml."""
    if named := environment.get(FILE_VARIABLE):
        return Path(named)
    found = folder / FILE_NAME
    return found if found.is_file() else None


def _features_in(given: list[Given]) -> FeatureSettings:
    """Which features are asked for; the defaults where that is written wrong."""
    named = [each for each in given if each.path.startswith("features.")]
    try:
        return _merge(named, ()).settings.features
    except InvalidSettingsError:  # the whole is refused, with every problem
        return FeatureSettings()


def _merge(given: list[Given], of_features: tuple[type[Any], ...]) -> Loaded:
    listed = entries(of_features)
    known = {entry.section for entry in listed.values()}
    values: dict[str, object] = {}
    origins = dict.fromkeys(listed, DEFAULT_ORIGIN)
    problems = []
    for item in given:
        if item.raw == {} and item.path in known:
            continue
        if item.is_in_a_section and is_of_no_section(item.path, known):
            _LOG.warning("%s: no feature has the setting %s", item.origin, item.path)
            continue
        try:
            item = _read(item, listed)  # noqa: PLW2901 - a secret's file gives way to what it holds
            value = _typed(item, listed)
        except ValueError as error:
            problems.append(Problem(item.origin, item.path, str(error)))
            continue
        values[item.path] = value
        origins[item.path] = item.origin
    if problems:
        raise InvalidSettingsError(tuple(problems))
    return Loaded(_settings(values, of_features), MappingProxyType(origins))


def _renamed(item: Given) -> Given:
    return replace(item, path=renamed.current_name(item.path, renamed.SETTINGS, item.origin))


def _read(item: Given, listed: Mapping[str, SettingEntry]) -> Given:
    """What the file holds that the item names, if it names one. Raises ValueError."""
    path = secret_files.named_by(item.path)
    if not path:
        return item
    lines = secret_files.lines_of(item.raw)
    raw = lines if listed[path].kind is SettingKind.STRINGS else "".join(lines)
    return Given(f"{secret_files.ORIGIN}{item.raw}", path, raw)


def _typed(item: Given, listed: Mapping[str, SettingEntry]) -> object:
    entry = listed.get(item.path)
    if entry is None:
        raise ValueError(unknown_setting(item.path, listed))
    if item.text and isinstance(item.raw, str):
        return read_text(entry, item.raw)
    return read_value(entry, item.raw)


def _settings(values: Mapping[str, object], of_features: tuple[type[Any], ...]) -> Settings:
    def made(section: str, shape: type[Any]) -> Any:
        found = places(section, shape).items()
        return shape(**{field: values[path] for path, field in found if path in values})

    core = (each.name for each in fields(Settings) if each.name != OF_FEATURES)
    built = {name: made(name, type(getattr(Settings(), name))) for name in core}
    return Settings(**built, of_features=tuple(made(each.SECTION, each) for each in of_features))


def _of_file(file: Path | None, text: str | None) -> Iterator[Given]:
    if file is None:
        return
    content = parsed(file) if text is None else parsed_text(text, file)
    for key, value in content.items():
        if isinstance(value, dict) and value:
            yield from (Given(str(file), f"{key}.{name}", raw) for name, raw in value.items())
        else:
            yield Given(str(file), key, value)


def _of_environment(environment: Mapping[str, str]) -> Iterator[Given]:
    for path, file in secret_files.credentials(environment):
        yield Given(CREDENTIAL_ORIGIN, path, file)
    for name, text in sorted(environment.items()):
        section, separator, key = name.removeprefix(VARIABLE_PREFIX).partition("__")
        if name.startswith(VARIABLE_PREFIX) and separator:
            path = f"{section}.{key}".lower()
            yield Given(f"{VARIABLE_ORIGIN} {name}", path, text, text=True)


def _of_flags(flags: Mapping[str, str]) -> Iterator[Given]:
    for path, text in flags.items():
        yield Given(FLAG_ORIGIN, path, text, text=True)


def is_of_no_section(path: str, sections: Iterable[str]) -> bool:
    """Whether ``path`` is in none of these sections, nor in one of them misspelt.

    Its section may be that of a feature that is not loaded any more.
    """
    return not difflib.get_close_matches(path.partition(".")[0], sections, 1)


def unknown_setting(path: str, listed: Iterable[str]) -> str:
    """What is wrong with ``path`` (``server.prot``), as the rest of a sentence."""
    nearest = _nearest(path, [*listed])
    return f"is unknown; did you mean {nearest}?" if nearest else "is unknown"


def _nearest(path: str, listed: list[str]) -> str | None:
    """Return the most similar path, or one with the same last word."""
    last = path.rpartition(".")[2]
    same = [each for each in listed if each.rpartition(".")[2] == last]
    return next(iter(difflib.get_close_matches(path, listed, 1) or same), None)
