"""The settings of a command: ``--config``, and where they come from.

``python -m winnow.command_settings`` prints ``default.toml``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from winnow.config.descriptions import example
from winnow.config.feature_settings import FeatureSettings
from winnow.config.sources.settings_source import SettingsSource, ignored
from winnow.config.sources.source_precedence import Loaded
from winnow.extractors import registry
from winnow.feature_list import extractors_of, sections_of


def add_config_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="settings file (else $WINNOW_CONFIG, else winnow.toml in this folder)",
    )


def source_of(
    file: Path | None,
    flags: Mapping[str, str] = {},
    on_load: Callable[[Loaded], None] = ignored,
) -> SettingsSource:
    """Where settings come from: ``file`` or the one found, the environment, the flags."""
    return SettingsSource(file, flags, on_load, sections_of)


def load_settings(file: Path | None, flags: Mapping[str, str]) -> Loaded:
    """Return this process's settings, whose extractors it has then. Raises ConfigError."""
    loaded = source_of(file, flags).load()
    registry.use(extractors_of(loaded.settings.features))
    return loaded


if __name__ == "__main__":
    sys.stdout.write(example(sections_of(FeatureSettings())))
