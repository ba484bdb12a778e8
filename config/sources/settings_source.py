"""Where the settings come from: a file, the environment and flags; loaded again at each change."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from winnow.config.sources.source_precedence import (
    FILE_NAME,
    Loaded,
    OfFeatures,
    find_file,
    load,
    no_sections,
)


def ignored(_loaded: Loaded) -> None:
    """For programs that do nothing more with loaded settings."""


@dataclass(frozen=True)
class SettingsSource:
    """``config`` and ``flags`` are those of the command line; ``on_load`` gets what was loaded.

    ``of_features``: the sections of the features that the settings ask for.
    """

    config: Path | None = None
    flags: Mapping[str, str] = field(default_factory=dict)
    on_load: Callable[[Loaded], None] = ignored
    of_features: OfFeatures = no_sections

    def file(self) -> Path | None:
        """The settings file, None where there is none yet."""
        return self.config or find_file(os.environ, Path.cwd())

    def new_file(self) -> Path:
        """The file that changes are written to: the one there is, else one in this folder."""
        return self.file() or Path.cwd() / FILE_NAME

    def load(self, text: str | None = None) -> Loaded:
        """The settings, with ``text`` in the place of what the file holds. Raises ConfigError."""
        file = self.file() if text is None else self.new_file()
        loaded = load(file, os.environ, self.flags, text, self.of_features)
        self.on_load(loaded)
        return loaded

    def as_json(self) -> dict[str, Any]:
        """As a JSON value, from which another process makes its own."""
        return {"config": str(self.config) if self.config else None, "flags": dict(self.flags)}
