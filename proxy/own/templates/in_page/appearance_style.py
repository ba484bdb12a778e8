"""The appearance of reader pages as a word that is stored, and as a style. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from winnow.config.appearance import (
    AS_DELIVERED,
    Appearance,
    Spacing,
    TextSize,
    Theme,
    Typeface,
    Voice,
    Width,
)

CHOICES: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {
        "size": TextSize,
        "width": Width,
        "spacing": Spacing,
        "typeface": Typeface,
        "theme": Theme,
        "voice": Voice,
    }
)
"""The fields of Appearance, in order, with their values."""
IN_BAR: Final = ("size", "theme", "typeface")
"""What a page's bar offers; the rest stands on the page of the appearance."""

_SERIF: Final = 'Charter,"Bitstream Charter","Iowan Old Style","Sitka Text",Cambria,Georgia,serif'
_SANS: Final = "system-ui,sans-serif"
_LEGIBLE: Final = (
    '"OpenDyslexic","OpenDyslexic 3",OpenDyslexicThree,"Atkinson Hyperlegible Next",'
    '"Atkinson Hyperlegible",Lexend,"Comic Neue","Comic Sans MS",Verdana,"DejaVu Sans",sans-serif'
)
_WIDEST: Final = "line-height:2;letter-spacing:.12em;word-spacing:.16em"
"""Text spacing of WCAG 2.2, success criterion 1.4.12."""

_DARK: Final = "--paper:#191a1c;--ink:#e4e2dd;--soft:#a8a49c;--line:#3b3c3f;--link:#8ab9f1;"
_LIGHT: Final = "--paper:#fdfcfa;--ink:#1d1c1a;--soft:#5c5852;--line:#d9d5cd;--link:#0b57a4;"
_SEPIA: Final = "--paper:#f6ecd9;--ink:#35291b;--soft:#655640;--line:#d8c8a8;--link:#7a3b0c;"
_CONTRAST: Final = "--paper:#000;--ink:#fff;--soft:#fff;--line:#fff;--link:#ff0;"
_LIGHT_TINT: Final = "--tint:#f2efe9"
_DARK_TINT: Final = "--tint:#242629"

_Rules = tuple[tuple[str, str], ...]
"""Selectors below the root, and their declarations."""


def _on(declarations: str, *below: str) -> _Rules:
    return tuple((place, declarations) for place in below or ("",))


_RULES: Final[Mapping[str, Mapping[str, _Rules]]] = MappingProxyType(
    {
        "size": {
            TextSize.SMALL: _on("font-size:87.5%"),
            TextSize.USUAL: _on("font-size:100%"),
            TextSize.LARGE: _on("font-size:120%"),
            TextSize.LARGER: _on("font-size:145%"),
            TextSize.HUGE: _on("font-size:190%"),
        },
        "width": {
            Width.NARROW: _on("max-width:33rem", " body"),
            Width.USUAL: _on("max-width:43rem", " body"),
            Width.WIDE: _on("max-width:58rem", " body"),
            Width.FULL: _on("max-width:none", " body"),
        },
        "spacing": {
            Spacing.CLOSE: _on("line-height:1.4", " body") + _on("--gap:.8em"),
            Spacing.USUAL: _on(
                "line-height:1.62;letter-spacing:normal;word-spacing:normal", " body"
            )
            + _on("--gap:1.1em"),
            Spacing.WIDE: _on("line-height:1.9;letter-spacing:.02em;word-spacing:.06em", " body"),
            Spacing.WIDEST: _on(_WIDEST, " body") + _on("--gap:2em"),
        },
        "typeface": {
            Typeface.SERIF: _on(f"font-family:{_SERIF}", " body"),
            Typeface.SANS: _on(f"font-family:{_SANS}", " body"),
            Typeface.LEGIBLE: _on(f"font-family:{_LEGIBLE}", " :is(body,header,footer,figcaption)"),
            Typeface.MONO: _on("font-family:ui-monospace,monospace", " body"),
        },
        "theme": {
            Theme.SYSTEM: _on(f"color-scheme:light dark;{_LIGHT}{_LIGHT_TINT}"),
            Theme.LIGHT: _on(f"color-scheme:light;{_LIGHT}{_LIGHT_TINT}"),
            Theme.SEPIA: _on(f"color-scheme:light;{_SEPIA}--tint:#ecdfc4"),
            Theme.DARK: _on(f"color-scheme:dark;{_DARK}{_DARK_TINT}"),
            Theme.CONTRAST: _on(f"color-scheme:dark;{_CONTRAST}--tint:#222"),
        },
    }
)
"""By field and value. Those of the defaults are what the page's own style sheet says."""


def css_of(appearance: Appearance) -> str:
    """The rules for the screen, not for print; "" where all is default."""
    found = "".join(
        _written("html:root", _RULES[name][getattr(appearance, name)])
        for name in _RULES
        if getattr(appearance, name) != getattr(AS_DELIVERED, name)
    )
    return f"@media screen{{{found}}}" if found else ""


def live_css() -> str:
    """The rules that hold while an option of the bar is chosen."""
    found = "".join(
        _live(name, value, rules) for name in IN_BAR for value, rules in _RULES[name].items()
    )
    return f"@media screen{{{found}}}"


def _live(name: str, value: str, rules: _Rules) -> str:
    root = f"html:has(#winnow-bar [name={name}] [value={value}]:checked)"
    found = _written(root, rules)
    if value == Theme.SYSTEM:
        dark = _written(root, _on(f"{_DARK}{_DARK_TINT}"))
        found += f"@media (prefers-color-scheme:dark){{{dark}}}"
    return found


def _written(root: str, rules: _Rules) -> str:
    return "".join(f"{root}{below}{{{declarations}}}" for below, declarations in rules)


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
    if len(parts) not in (len(CHOICES) - 1, len(CHOICES)):  # the last one is new
        return usual
    return read_fields(dict(zip(CHOICES, parts, strict=False)), usual)


def read_fields(fields: Mapping[str, str], usual: Appearance) -> Appearance:
    """The appearance in a form's fields; missing and invalid ones are as ``usual``."""
    found: dict[str, Any] = {}
    for name, kind in CHOICES.items():
        is_known = fields.get(name, "") in set(kind)
        found[name] = kind(fields[name]) if is_known else getattr(usual, name)
    return Appearance(**found)
