"""Every option of Crunch's settings as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.document.parsing import tags
from winnow.extractors.crunch.relax_levels import Filter, level

SUBSTANCE: Final = ("img", "a", "iframe", "input", "button", "textarea", "select", "form")
"""What may be ticked as making a table more than empty."""
MODERN_CELLS: Final = tags.codes_of("div section ul nav aside")
"""What cells are on pages of today; exact Crunch looks at TD alone."""
LETTERS_PER_WORD: Final = 5
"""A word's length in Crunch's papers; a comment in its code says 4."""


@dataclass(frozen=True, slots=True)
class CrunchOptions:
    """What is filtered and how; defaults are those of Crunch's shipped profiles.

    ``ratio``: most links per word outside links in a cell. ``image_alts``, ``link_alts``: whether a
    removed image, or image link, leaves its ALT text. ``list_texts``, ``list_images``: which links
    make a link list. ``only_links``: a list loses links and text, not images and forms.
    ``substance``: tag codes of what makes a table more than empty; ``least_text``: as many
    characters do, too. ``retain``: removed links stand at the page's end. ``hollow``, which is
    ours: a cell that filters left with nothing to show goes where empty tables go.
    """

    filters: frozenset[Filter]
    ratio: float = 0.25
    image_alts: bool = False
    link_alts: bool = False
    list_texts: bool = True
    list_images: bool = True
    only_links: bool = True
    letters: int = LETTERS_PER_WORD
    cells: frozenset[int] = tags.codes_of("td")
    substance: frozenset[int] = tags.codes_of(" ".join(SUBSTANCE))
    least_text: int = 12
    retain: bool = False
    hollow: bool = False


def names_in(text: str, valid: tuple[str, ...], what: str) -> frozenset[str]:
    """The names in ``one+two``. Raises ValueError for any other."""
    found = frozenset(filter(None, text.split("+")))
    if unknown := sorted(found - set(valid)):
        raise ValueError(f"Crunch's {what} are {', '.join(valid)}, not {', '.join(unknown)}")
    return found


def filters_of(number: int, take: str, keep: str) -> frozenset[Filter]:
    """The filters of a level, with those named in ``take`` and without those in ``keep``."""
    valid = tuple(Filter)
    taken = {Filter(name) for name in names_in(take, valid, "filters")}
    off = {Filter(name) for name in names_in(keep, valid, "filters")}
    return (level(number).filters | taken) - off


def alts_of(number: int, value: str) -> tuple[bool, bool]:
    """Whether images and image links leave ALT texts: by the level, unless ``value`` is given."""
    if not value:
        return (level(number).alt_texts,) * 2
    return value in {"images", "both"}, value in {"links", "both"}


def lists_of(value: str) -> tuple[bool, bool]:
    """Whether text links and image links make a link list."""
    return value in {"both", "text"}, value in {"both", "images"}
