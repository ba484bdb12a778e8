"""The headings of a page that is cut into parts: each with an anchor, and the part it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lxml import etree

from winnow.document.texts.short_texts import shortened
from winnow.features.small.jobs import PartHeading

MOST: Final = 200
LONGEST: Final = 80
"""Characters of a heading's text."""
_LEVELS: Final = {f"h{level}": level for level in range(2, 7)}


def numbered(body: etree._Element) -> list[PartHeading]:
    """The headings of ``body``, which get an ``id`` where they have none; part 1 of each."""
    found: list[PartHeading] = []
    for element in body.iter(*_LEVELS):
        text = shortened("".join(map(str, element.itertext())), LONGEST)
        if text and len(found) < MOST:
            anchor = element.get("id") or f"part-{len(found) + 1}"
            element.set("id", anchor)
            found.append(PartHeading(text, _LEVELS[str(element.tag)], 1, anchor))
    return found


def placed(headings: Sequence[PartHeading], parts: Sequence[str]) -> tuple[PartHeading, ...]:
    """The headings, each with the number of the part that has its anchor."""
    at = 0
    shown = []
    for heading in headings:
        mark = f'id="{heading.anchor}"'
        at = next((place for place in range(at, len(parts)) if mark in parts[place]), at)
        shown.append(replace(heading, part=at + 1))
    return tuple(shown)
