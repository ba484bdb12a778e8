"""The settings of audio files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """Articles as audio files, made where a speech engine and an encoder are installed."""

    SECTION: ClassVar[str] = "speech"

    engine: str = setting(
        "espeak-ng",
        "Program that speaks, called as espeak-ng is (-v VOICE --stdin --stdout, WAV of 16 bits); "
        "empty makes no audio files.",
        protected=True,
    )
    length: int = setting(
        100_000, "Maximum number of characters of an article as an audio file.", minimum=1
    )
