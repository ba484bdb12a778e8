"""The slider of Crunch's levels, as a small form that needs no script. Knows markup; no page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.proxy.http.headers import number

LEVELS: Final = range(1, 13)
USUAL: Final = 5
"""Where the slider stands on a page that Crunch did not make: links and pictures stay."""
_NUMBER: Final = re.compile(r"crunch:(?:(?:.*,)?level=)?(\d+)(?:,|\Z)")
_UNNAMED: Final = 2
"""The level of a specification that names none."""


def level_told(extractor: str) -> int:
    """The level at which a page was made, by its extractor's name; the usual one for another's."""
    if extractor.partition(":")[0] != "crunch":
        return USUAL
    found = _NUMBER.match(extractor)
    level = number(found[1]) if found else None
    return _UNNAMED if level is None or level not in LEVELS else level


def slider(
    target: str, fields: Mapping[str, str], level: int, words: tuple[str, str], *, post: bool
) -> Markup:
    """A form with the slider at ``level``; ``words`` are its label and its button's text.

    It is posted where it may act at once; by GET it leads to the page that asks.
    """
    hidden = Markup("").join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value)
        for name, value in fields.items()
    )
    label, button = words
    return Markup(
        '<form method="{}" action="{}" class="winnow-slider">{}<label>{} '
        '<input type="range" name="value" min="{}" max="{}" step="1" value="{}"></label> '
        "<button>{}</button></form>"
    ).format("post" if post else "get", target, hidden, label, LEVELS[0], LEVELS[-1], level, button)
