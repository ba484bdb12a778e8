"""Settings of extraction for tests: one process, and no bound that a busy machine would meet."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.config.settings import ExtractionSettings, Settings

UNHURRIED: Final[ExtractionSettings] = replace(
    Settings().extraction, processes=1, deadline=60.0, queue_seconds=60.0, start_seconds=240.0
)

IN_ENVIRONMENT: Final = {
    "WINNOW_EXTRACTION__DEADLINE": "60 s",
    "WINNOW_EXTRACTION__QUEUE_SECONDS": "60 s",
    "WINNOW_EXTRACTION__START_SECONDS": "240 s",
}
"""The same for processes, and for settings that are read."""
