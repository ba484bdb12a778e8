"""The appearance of reader pages: text size, line length, spacing, font and colours."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.config.setting_fields import setting


class TextSize(StrEnum):
    """Text size."""

    SMALL = "small"
    USUAL = "usual"
    LARGE = "large"
    LARGER = "larger"
    HUGE = "huge"


class Width(StrEnum):
    """Length of a line."""

    NARROW = "narrow"
    USUAL = "usual"
    WIDE = "wide"
    FULL = "full"


class Spacing(StrEnum):
    """Space between lines, words and letters."""

    CLOSE = "close"
    USUAL = "usual"
    WIDE = "wide"
    WIDEST = "widest"


class Typeface(StrEnum):
    """Kind of font; ``legible`` fonts are designed for dyslexia and low vision."""

    SERIF = "serif"
    SANS = "sans"
    LEGIBLE = "legible"
    MONO = "mono"


class Theme(StrEnum):
    """Colours; ``system`` follows the device's light or dark mode."""

    SYSTEM = "system"
    LIGHT = "light"
    SEPIA = "sepia"
    DARK = "dark"
    CONTRAST = "contrast"


class Voice(StrEnum):
    """For reading aloud: the text comes first, decoration is left out."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class Appearance:
    """Default appearance of reader pages; each reader can change it at `/-/settings/reading`."""

    size: TextSize = setting(TextSize.USUAL, "Text size.")
    width: Width = setting(Width.USUAL, "Line length; usual is about 66 characters.")
    spacing: Spacing = setting(Spacing.USUAL, "Line, word and letter spacing.")
    typeface: Typeface = setting(
        Typeface.SERIF,
        "Font; legible is OpenDyslexic, Atkinson Hyperlegible or Lexend, if installed.",
    )
    theme: Theme = setting(Theme.SYSTEM, "Colours; system follows the device’s light or dark mode.")
    voice: Voice = setting(
        Voice.OFF, "For reading aloud: text first, no decoration (as extraction.profile = voice)."
    )


AS_DELIVERED: Final = Appearance()
