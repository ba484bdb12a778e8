"""The appearance of reader pages as a word that is stored, and as a style. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from winnow.config.appearance import Appearance, Spacing, TextSize, Theme, Typeface, Width

CHOICES: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {"size": TextSize, "width": Width, "spacing": Spacing, "typeface": Typeface, "theme": Theme}
)
"""The fields of Appearance, in order, with their values."""

_SANS: Final = "system-ui,sans-serif"
_LEGIBLE: Final = (
    '"OpenDyslexic","OpenDyslexic 3",OpenDyslexicThree,"Atkinson Hyperlegible Next",'
    '"Atkinson Hyperlegible",Lexend,"Comic Neue","Comic Sans MS",Verdana,"DejaVu Sans",sans-serif'
)
_WIDEST: Final = (
    "body{line-height:2;letter-spacing:.12em;word-spacing:.16em}p,ul,ol,dl,pre{margin-bottom:2em}"
)
"""Text spacing of WCAG 2.2, success criterion 1.4.12."""

_DARK: Final = "--paper:#191a1c;--ink:#e4e2dd;--soft:#a8a49c;--line:#3b3c3f;--link:#8ab9f1;"
_LIGHT: Final = "--paper:#fdfcfa;--ink:#1d1c1a;--soft:#5c5852;--line:#d9d5cd;--link:#0b57a4;"
_SEPIA: Final = "--paper:#f6ecd9;--ink:#35291b;--soft:#655640;--line:#d8c8a8;--link:#7a3b0c;"
_CONTRAST: Final = "--paper:#000;--ink:#fff;--soft:#fff;--line:#fff;--link:#ff0;"

_STYLES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "size": {
            TextSize.SMALL: "html{font-size:87.5%}",
            TextSize.LARGE: "html{font-size:120%}",
            TextSize.LARGER: "html{font-size:145%}",
            TextSize.HUGE: "html{font-size:190%}",
        },
        "width": {
            Width.NARROW: "html body{max-width:33rem}",
            Width.WIDE: "html body{max-width:58rem}",
            Width.FULL: "html body{max-width:none}",
        },
        "spacing": {
            Spacing.CLOSE: "html body{line-height:1.4}p,ul,ol,dl,pre{margin-bottom:.8em}",
            Spacing.WIDE: "html body{line-height:1.9;letter-spacing:.02em;word-spacing:.06em}",
            Spacing.WIDEST: f"html {_WIDEST}",
        },
        "typeface": {
            Typeface.SANS: f"html body{{font-family:{_SANS}}}",
            Typeface.LEGIBLE: f"html body,header,footer,figcaption{{font-family:{_LEGIBLE}}}",
            Typeface.MONO: "html body{font-family:ui-monospace,monospace}",
        },
        "theme": {
            Theme.LIGHT: f":root{{color-scheme:light;{_LIGHT}--tint:#f2efe9}}",
            Theme.SEPIA: f":root{{color-scheme:light;{_SEPIA}--tint:#ecdfc4}}",
            Theme.DARK: f":root{{color-scheme:dark;{_DARK}--tint:#242629}}",
            Theme.CONTRAST: f":root{{color-scheme:dark;{_CONTRAST}--tint:#222}}",
        },
    }
)
"""Differences from the page's own stylesheet, by field and value."""


def css_of(appearance: Appearance) -> str:
    """The rules for the screen, not for print; "" where all is default."""
    found = "".join(_STYLES[name].get(getattr(appearance, name), "") for name in CHOICES)
    return f"@media screen{{{found}}}" if found else ""


@lru_cache(maxsize=64)
def style_of(appearance: Appearance) -> bytes:
    """A ``<style>`` for the page's body, or empty."""
    css = css_of(appearance)
    return f"<style>{css}</style>".encode() if css else b""


def word_of(appearance: Appearance) -> str:
    """The appearance as one word for a cookie or a file."""
    return ".".join(getattr(appearance, name) for name in CHOICES)


def read_word(word: str, usual: Appearance) -> Appearance:
    """The appearance that ``word_of`` wrote; ``usual`` if the word is invalid."""
    if not word:
        return usual
    parts = word.split(".")
    if len(parts) != len(CHOICES):
        return usual
    return read_fields(dict(zip(CHOICES, parts, strict=True)), usual)


def read_fields(fields: Mapping[str, str], usual: Appearance) -> Appearance:
    """The appearance in a form's fields; missing and invalid ones are as ``usual``."""
    found: dict[str, Any] = {}
    for name, kind in CHOICES.items():
        is_known = fields.get(name, "") in set(kind)
        found[name] = kind(fields[name]) if is_known else getattr(usual, name)
    return Appearance(**found)
