"""Errors of settings."""

from __future__ import annotations

from dataclasses import dataclass


class ConfigError(Exception):
    """The settings cannot be used; the message names what to change."""


class UnreadableFileError(ConfigError):
    """The settings file is missing, may not be read or is no TOML."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One wrong setting: where it stands (``winnow.toml``), which (``server.prot``), and why."""

    origin: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.path} {self.message}"


class InvalidSettingsError(ConfigError):
    """One or more settings are unknown or have a wrong value; ``problems`` holds all of them."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems
