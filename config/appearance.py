"""How a reader likes pages to look: size, width, spacing, typeface, theme. Knows no stylesheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.config.setting_fields import setting


class TextSize(StrEnum):
    """How large the text is."""

    SMALL = "small"
    USUAL = "usual"
    LARGE = "large"
    LARGER = "larger"
    HUGE = "huge"


class Width(StrEnum):
    """How long a line may be."""

    NARROW = "narrow"
    USUAL = "usual"
    WIDE = "wide"
    FULL = "full"


class Spacing(StrEnum):
    """How far lines, words and letters stand apart."""

    CLOSE = "close"
    USUAL = "usual"
    WIDE = "wide"
    WIDEST = "widest"


class Typeface(StrEnum):
    """Which kind of letters; ``legible`` are those made for dyslexia and weak eyes."""

    SERIF = "serif"
    SANS = "sans"
    LEGIBLE = "legible"
    MONO = "mono"


class Theme(StrEnum):
    """Which colours; ``system`` are light or dark as the device wishes."""

    SYSTEM = "system"
    LIGHT = "light"
    SEPIA = "sepia"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class Appearance:
    """How reader pages look to whoever has chosen nothing at ``/-/settings/reading``."""

    size: TextSize = setting(TextSize.USUAL, "Size of the text.")
    width: Width = setting(Width.USUAL, "Length of a line; usual is about 66 characters.")
    spacing: Spacing = setting(Spacing.USUAL, "Room between lines, words and letters.")
    typeface: Typeface = setting(
        Typeface.SERIF,
        "Kind of letters; legible is OpenDyslexic, Atkinson Hyperlegible or Lexend, as installed.",
    )
    theme: Theme = setting(Theme.SYSTEM, "Colours; system is light or dark as the device wishes.")


AS_DELIVERED: Final = Appearance()
