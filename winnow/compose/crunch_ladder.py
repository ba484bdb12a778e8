"""Crunch's levels for our own pages, which know no extractor."""

from __future__ import annotations

from winnow.extractors.crunch.relax_levels import LEVELS, PRESETS, Filter, level
from winnow.proxy.own.crunch_options import CrunchLadder, LadderLevel


def crunch_ladder() -> CrunchLadder:
    """The levels that there are, in their order."""
    found = (level(number) for number in LEVELS)
    rungs = tuple(LadderLevel(frozenset(map(str, one.filters)), one.ratio) for one in found)
    return CrunchLadder(tuple(map(str, Filter)), rungs, PRESETS)
