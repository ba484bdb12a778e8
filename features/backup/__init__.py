"""``winnow backup``, ``winnow restore``: the data folder as one file (docs/operations.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, FeatureCommand

FEATURE: Final = Feature(
    name="backup",
    optional=False,
    commands=(
        FeatureCommand(
            "backup", "save the data folder in one file", "winnow.features.backup.backup_command"
        ),
        FeatureCommand(
            "restore",
            "put a backup back into the data folder",
            "winnow.features.backup.restore_command",
        ),
    ),
)
