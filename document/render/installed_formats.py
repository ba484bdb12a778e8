"""Third parties' formats: entry points of the group ``winnow.renderers``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Final

RENDERERS: Final = "winnow.renderers"


@cache
def installed_formats() -> tuple[tuple[str, str], ...]:
    """Names, each with the version of its package; looked for once."""
    points = entry_points(group=RENDERERS)
    return tuple((each.name, each.dist.version if each.dist else "") for each in points)
