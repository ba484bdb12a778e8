"""Forms and the slider of Crunch's levels, as markup without script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.proxy.http.headers import number
from winnow.proxy.own.translation import _

LEVELS: Final = range(1, 13)
_SCALE: Final = Markup(" ").join(Markup("<span>{}</span>").format(each) for each in LEVELS)
USUAL: Final = 5
"""The slider's position on pages of other methods: links and images are kept."""
_NUMBER: Final = re.compile(r"crunch:(?:(?:.*,)?level=)?(\d+)(?:,|\Z)")
_UNNAMED: Final = 2
"""The level of ``crunch`` without a number."""


def hidden(fields: Mapping[str, str]) -> Markup:
    """Hidden inputs."""
    return Markup("").join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value)
        for name, value in fields.items()
    )


def form(target: str, fields: Mapping[str, str], text: str, kind: str = "") -> Markup:
    """A form of hidden fields and one button; ``kind`` is the button's class.

    A ``late`` button cannot be pressed or focused in its first moment, while its text stands
    there dimmed: the text is visible in a hidden button, and lets clicks through.
    """
    label = Markup("<span>{}</span>").format(text) if "late" in kind.split() else text
    named = Markup(' class="{}"').format(kind) if kind else ""
    return Markup('<form method="post" action="{}">{}<button{}>{}</button></form>').format(
        target, hidden(fields), named, label
    )


def select(name: str, label: str, choices: Mapping[str, str], chosen: str) -> Markup:
    """A labelled list of choices: texts by value."""
    options = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            value, Markup(" selected") if value == chosen else "", text
        )
        for value, text in choices.items()
    )
    return Markup('<label for="{0}">{1}</label> <select id="{0}" name="{0}">{2}</select>').format(
        name, label, options
    )


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

    A scale below it names each position, without a script; beside it stands the one in force.

    ``post``: it acts at once; else it leads to a confirmation page.
    """
    (label, button), method = words, "post" if post else "get"
    now = _("now {level} of {levels}").format(level=level, levels=LEVELS[-1])
    return Markup(
        '<form method="{}" action="{}" class="winnow-slider">{}<label>{} <span>'
        '<input type="range" name="value" min="{}" max="{}" step="1" value="{}">'
        '<span aria-hidden="true">{}</span></span></label> <small>{}</small> '
        "<button>{}</button></form>"
    ).format(
        *(method, target, hidden(fields), label),
        *(LEVELS[0], LEVELS[-1], level, _SCALE, now, button),
    )
