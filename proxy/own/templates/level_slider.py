"""The slider of Crunch's levels: a form without script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.proxy.http.headers import number
from winnow.proxy.own.templates.elements import hidden

LEVELS: Final = range(1, 13)
USUAL: Final = 5
"""The slider's position on pages of other methods: links and images are kept."""
_NUMBER: Final = re.compile(r"crunch:(?:(?:.*,)?level=)?(\d+)(?:,|\Z)")
_UNNAMED: Final = 2
"""The level of ``crunch`` without a number."""


def level_of(extractor: str) -> int:
    """The level in an extractor's name; ``USUAL`` for other methods."""
    if extractor.partition(":")[0] != "crunch":
        return USUAL
    found = _NUMBER.match(extractor)
    level = number(found[1]) if found else None
    return _UNNAMED if level is None or level not in LEVELS else level


def slider(
    target: str, fields: Mapping[str, str], level: int, words: tuple[str, str], *, post: bool
) -> Markup:
    """A form with the slider at ``level``; ``words`` are its label and its button's text.

    ``post``: it acts at once; else it leads to a confirmation page.
    """
    (label, button), method = words, "post" if post else "get"
    return Markup(
        '<form method="{}" action="{}" class="winnow-slider">{}<label>{} '
        '<input type="range" name="value" min="{}" max="{}" step="1" value="{}"></label> '
        "<button>{}</button></form>"
    ).format(method, target, hidden(fields), label, LEVELS[0], LEVELS[-1], level, button)
