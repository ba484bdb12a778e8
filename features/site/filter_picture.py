"""Crunch's levels, its filters by their names, and both as a picture. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from winnow.extractors.crunch.relax_levels import LEVELS, PRESETS, Filter, level
from winnow.features.site.crunch_options import CrunchLadder, LadderLevel
from winnow.features.site.parameter_names import VALUES
from winnow.proxy.own.translation import N_

FILTERS: Final[Mapping[str, str]] = {
    "cell-widths": N_("Widths of table cells"),
    "style-attributes": N_("Styles of single elements"),
    "div-styles": N_("Styles of <div> elements"),
    "ads": N_("Advertisements, by your lists"),
    "link-lists": N_("Lists of links"),
    "text-links": N_("Links of text"),
    "image-links": N_("Links of pictures"),
    "images": N_("Pictures"),
    "scripts": N_("Scripts"),
    "noscript": N_("Replacements for scripts"),
    "style-sheets": N_("Style sheets from elsewhere"),
    "styles": N_("Style sheets in the page"),
    "meta": N_("Metadata"),
    "forms": N_("Forms"),
    "inputs": N_("Input fields"),
    "buttons": N_("Buttons"),
    "selects": N_("Drop-down lists"),
    "frames": N_("Frames"),
    "embeds": N_("Embedded media"),
    "flash": N_("Flash"),
    "empty-tables": N_("Empty tables"),
}
"""What each filter removes."""
PRESET_NAMES: Final = {name: VALUES[name] for name in PRESETS}
_ROW, _COLUMN, _LEFT, _TOP = 18, 24, 210, 22


def crunch_ladder() -> CrunchLadder:
    """The levels that there are, in their order."""
    found = (level(number) for number in LEVELS)
    rungs = tuple(LadderLevel(frozenset(map(str, one.filters)), one.ratio) for one in found)
    return CrunchLadder(tuple(map(str, Filter)), rungs, PRESETS)


class Bar(NamedTuple):
    """A filter, over the levels at which it works."""

    name: str
    y: int
    width: int


class Picture(NamedTuple):
    """Of the ladder; ``heads``: where each level begins; ``here``: the frame of the one shown."""

    width: int
    height: int
    left: int
    here: int
    heads: Sequence[tuple[int, int]]
    bars: Sequence[Bar]


def picture_of(ladder: CrunchLadder, level: int) -> Picture:
    """The ladder, ``level`` framed."""
    bars = [
        Bar(name, _TOP + place * _ROW + 3, max(ladder.last_level(name) * _COLUMN - 4, 0))
        for place, name in enumerate(ladder.filters)
    ]
    heads = [(_LEFT + index * _COLUMN + 6, index + 1) for index in range(len(ladder.levels))]
    size = _LEFT + len(ladder.levels) * _COLUMN, _TOP + len(ladder.filters) * _ROW + 2
    return Picture(*size, _LEFT + 2, _LEFT + (level - 1) * _COLUMN + 1, heads, bars)
