"""Forms, tables and the slider of Crunch's levels, as markup without script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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


def column(text: str, kind: str = "") -> Markup:
    """The head of a table's column."""
    named = Markup(' class="{}"').format(kind) if kind else ""
    return Markup('<th scope="col"{}>{}</th>').format(named, text) if text else Markup("<td></td>")


def row(head: Markup | str, *cells: Markup | str) -> Markup:
    """A row of a table; ``head`` names it."""
    rest = Markup("").join(Markup("<td>{}</td>").format(cell) for cell in cells)
    return Markup('<tr><th scope="row">{}</th>{}</tr>').format(head, rest)


def table(
    heads: Sequence[Markup | str], rows: Iterable[Markup], label: str = "", *, stacks: bool = False
) -> Markup:
    """A table; with ``label``, as a region of that name that scrolls sideways.

    ``stacks``: a phone shows the cells of a row below one another; what they are is seen there.
    """
    cells = Markup("").join(head if isinstance(head, Markup) else column(head) for head in heads)
    whole = Markup("<table{}>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody>\n</table>").format(
        Markup(' class="stacked"') if stacks else "", cells, Markup("\n").join(rows)
    )
    if not label:
        return whole
    return Markup('<div class="scroll" tabindex="0" role="region" aria-label="{}">{}</div>').format(
        label, whole
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
