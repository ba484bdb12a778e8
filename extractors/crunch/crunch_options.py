"""Every option of Crunch's settings as one value. Knows names and what is valid; no page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.document import tags
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


def names_in(text: str, known: tuple[str, ...], what: str) -> frozenset[str]:
    """The names in ``one+two``. Raises ValueError for one that is not known."""
    found = frozenset(filter(None, text.split("+")))
    if unknown := sorted(found - set(known)):
        raise ValueError(f"Crunch's {what} are {', '.join(known)}, not {', '.join(unknown)}")
    return found


def filters_of(number: int, take: str, keep: str) -> frozenset[Filter]:
    """The filters of a level, with those named in ``take`` and without those in ``keep``."""
    known = tuple(Filter)
    taken = {Filter(name) for name in names_in(take, known, "filters")}
    kept = {Filter(name) for name in names_in(keep, known, "filters")}
    return (level(number).filters | taken) - kept


def alts_of(number: int, told: str) -> tuple[bool, bool]:
    """Whether images and image links leave ALT texts: the level's say, unless it is ``told``."""
    if not told:
        return (level(number).alt_texts,) * 2
    known = ("none", "images", "links", "both")
    if told not in known:
        raise ValueError(f"Crunch's alts are {', '.join(known)}, not {told!r}")
    return told in {"images", "both"}, told in {"links", "both"}


def lists_of(told: str) -> tuple[bool, bool]:
    """Whether text links and image links make a link list."""
    known = ("both", "text", "images")
    if told not in known:
        raise ValueError(f"Crunch's lists are {', '.join(known)}, not {told!r}")
    return told in {"both", "text"}, told in {"both", "images"}
