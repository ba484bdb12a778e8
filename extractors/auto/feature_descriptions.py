"""What each feature of ``auto`` measures, in words."""

from __future__ import annotations

import re
from typing import Final

_PHRASES: Final = tuple(
    (re.compile(pattern), phrase)
    for pattern, phrase in (
        (r"(alike|same path): ", "blocks marked up like it"),
        (r".* within \d+|.*, \d (before|after)", "the blocks next to it"),
        (r"(.* )?names?( say| around \d)?$", "the classes and ids around it"),
        (r"(inner )?element( around \d)?", "the kinds of elements around it"),
        (r"in ", "the kinds of elements it stands in"),
        (r".*title.*", "where it stands to the title"),
        (r".*heading.*", "the heading above it"),
        (r"times said|said before", "that the page says it more than once"),
        (r"links$", "how much of it is links"),
        (r"(card|deck) .*|cards|\w+ around \d", "what stands in the same boxes"),
        (r"text says|short says", "the words in it"),
        (r"depth.*", "how deep in the page it lies"),
        (r"position|(blocks|words|good) (before|after)", "where on the page it stands"),
        (r"hidden", "that parts of it are hidden"),
        (r"words|word length|capitals|marks|unspaced|stops|commas|stops a word|pieces",
         "how its text is written"),
    )
)  # fmt: skip
"""The first that fits the beginning of a feature's name; a later one may be more general."""


def description(feature: str) -> str:
    """What a feature measures; its own name where no pattern fits."""
    return next((phrase for pattern, phrase in _PHRASES if pattern.match(feature)), feature)


def descriptions() -> tuple[str, ...]:
    """All that ``description`` may return."""
    return tuple(phrase for _, phrase in _PHRASES)
