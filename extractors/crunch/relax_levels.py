"""What each relax level and preset filters.

Levels are cumulative: a filter works up to the level before the one from which it is off.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Filter(StrEnum):
    """Crunch's filters by the name of what each takes away, in the order in which they work.

    The first three edit attributes, the rest delete; of those the first that matches takes an
    element. ``noscript`` takes what stands in for a script; where it is off and ``scripts`` is on,
    that stays without its tags. The table is looked at when all that it holds is filtered.
    """

    CELL_WIDTHS = "cell-widths"
    STYLE_ATTRIBUTES = "style-attributes"
    DIV_STYLES = "div-styles"
    ADS = "ads"
    LINK_LISTS = "link-lists"
    TEXT_LINKS = "text-links"
    IMAGE_LINKS = "image-links"
    IMAGES = "images"
    SCRIPTS = "scripts"
    NOSCRIPT = "noscript"
    SHEETS = "style-sheets"
    STYLES = "styles"
    META = "meta"
    FORMS = "forms"
    INPUTS = "inputs"
    BUTTONS = "buttons"
    SELECTS = "selects"
    FRAMES = "frames"
    EMBEDS = "embeds"
    FLASH = "flash"
    EMPTY_TABLES = "empty-tables"


OFF_FROM: Final = MappingProxyType(
    {
        Filter.SHEETS: 3,
        Filter.STYLES: 3,
        Filter.STYLE_ATTRIBUTES: 3,
        Filter.DIV_STYLES: 3,
        Filter.IMAGES: 4,
        Filter.IMAGE_LINKS: 4,
        Filter.TEXT_LINKS: 4,
        Filter.FORMS: 5,
        Filter.BUTTONS: 5,
        Filter.EMPTY_TABLES: 8,
        Filter.LINK_LISTS: 9,
        Filter.FRAMES: 10,
        Filter.EMBEDS: 10,
        Filter.INPUTS: 10,
        Filter.SELECTS: 10,
        Filter.META: 11,
        Filter.FLASH: 11,
        Filter.SCRIPTS: 11,
        Filter.CELL_WIDTHS: 11,
        Filter.ADS: 12,
    }
)
"""The level from which a filter is off. ``noscript`` is never off."""

ALT_TEXTS_FROM: Final = 2
"""From here on a removed image, or image link, leaves its ALT text."""

RATIOS: Final = ((7, 0.75), (6, 0.5), (1, 0.25))
"""The link/text removal ratio from each level on, highest first."""

LEVELS: Final = range(1, 13)

PRESETS: Final = MappingProxyType(
    {
        "news": 2,
        "shopping": 7,
        "government": 5,
        "education": 6,
        "text-heavy": 2,
        "link-heavy": 10,
    }
)
"""Where the slider stands for each kind of site."""


@dataclass(frozen=True, slots=True)
class RelaxLevel:
    """One rung: what is filtered and how."""

    filters: frozenset[Filter]
    ratio: float
    alt_texts: bool


def level(number: int) -> RelaxLevel:
    """The rung of a number in 1..12. Raises ValueError for another."""
    if number not in LEVELS:
        raise ValueError(f"Crunch's level is 1 to 12, not {number}")
    return RelaxLevel(
        filters=frozenset(name for name in Filter if number < OFF_FROM.get(name, 13)),
        ratio=next(ratio for first, ratio in RATIOS if number >= first),
        alt_texts=number >= ALT_TEXTS_FROM,
    )


def level_of(preset: str) -> int:
    """Where the slider stands for a preset. Raises ValueError for another name."""
    if preset not in PRESETS:
        raise ValueError(f"Crunch's presets are {', '.join(PRESETS)}, not {preset!r}")
    return PRESETS[preset]
