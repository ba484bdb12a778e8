"""What each relax level filters. Knows the ladder of Crunch's shipped profiles; no document.

Levels are cumulative: a filter works up to the level before the one where its matter is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Filter(StrEnum):
    """Crunch's filters, by the name of what each takes away."""

    STYLES = "styles"
    IMAGES = "images"
    IMAGE_LINKS = "image links"
    TEXT_LINKS = "text links"
    FORMS = "forms"
    BUTTONS = "buttons"
    EMPTY_TABLES = "empty tables"
    LINK_LISTS = "link lists"
    FRAMES = "inline frames"
    EMBEDS = "embedded objects"
    INPUTS = "input fields"
    SELECTS = "selection lists"
    META = "meta"
    FLASH = "flash"
    SCRIPTS = "scripts"
    NOSCRIPT = "noscript"
    CELL_WIDTHS = "cell widths"
    ADS = "ads"


KEPT_FROM: Final = MappingProxyType(
    {
        Filter.STYLES: 3,
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
        # The profiles do not say; without its script an element's substitute belongs with it.
        Filter.NOSCRIPT: 11,
        Filter.CELL_WIDTHS: 11,
        Filter.ADS: 12,
    }
)
"""The level from which a filter is off."""

ALT_TEXTS_FROM: Final = 2
"""From here on a removed image leaves its ALT text."""

RATIOS: Final = ((7, 0.75), (6, 0.5), (1, 0.25))
"""The link/text removal ratio from each level on, highest first."""

LEVELS: Final = range(1, 13)


@dataclass(frozen=True, slots=True)
class Level:
    """One rung: what is filtered and how."""

    filters: frozenset[Filter]
    ratio: float
    alt_texts: bool


def level(number: int) -> Level:
    """The rung of a number in 1..12. Raises ValueError for another."""
    if number not in LEVELS:
        raise ValueError(f"Crunch's level is 1 to 12, not {number}")
    return Level(
        filters=frozenset(name for name, first in KEPT_FROM.items() if number < first),
        ratio=next(ratio for first, ratio in RATIOS if number >= first),
        alt_texts=number >= ALT_TEXTS_FROM,
    )
