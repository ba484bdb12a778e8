"""The options of a small screen as a word in the path, so that no cookie is needed. Pure.

``w240.k12.i2.t1.b12.p3``: width in pixels, kB a part, images (1 when tapped, 2 in the text),
text (0 UTF-8, 1 Latin-1, 2 ASCII), kB an image, part. Missing letters have defaults.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

_LETTERS: Final[Mapping[str, str]] = {
    "w": "width",
    "k": "kilobytes",
    "i": "images",
    "t": "text",
    "b": "image_kilobytes",
    "p": "part",
}
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "width": (64, 1600),
    "kilobytes": (2, 500),
    "images": (1, 2),
    "text": (0, 2),
    "image_kilobytes": (1, 2000),
    "part": (1, 10_000),
}
_WORD: Final = re.compile(r"[wkitbp][0-9]{1,5}")
_ADDRESS: Final = re.compile(r"(https?):/{1,2}(.+)\Z", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SmallOptions:
    """``kilobytes`` bounds a part's text, ``image_kilobytes`` one image of it; kB of 1000 bytes."""

    width: int = 240
    kilobytes: int = 12
    images: int = 1
    text: int = 0
    image_kilobytes: int = 11
    part: int = 1

    def word(self, base: SmallOptions) -> str:
        """The options as a path segment with its slash; "" where all are those of ``base``."""
        word = ".".join(
            f"{letter}{getattr(self, name)}"
            for letter, name in _LETTERS.items()
            if getattr(self, name) != getattr(base, name)
        )
        return f"{word}/" if word else ""


DEFAULT: Final = SmallOptions()


def read_path(path: str, base: SmallOptions) -> tuple[SmallOptions, str]:
    """The options at the beginning of a path behind ``/-/small/``, and the rest of it."""
    head, _, rest = path.partition("/")
    words = head.split(".")
    if all(map(_WORD.fullmatch, words)):
        values = {_LETTERS[word[0]]: int(word[1:]) for word in words}
        return bounded(values, base), rest
    return base, path


def bounded(values: Mapping[str, int], base: SmallOptions) -> SmallOptions:
    """The options with ``values``, limited to their ranges."""
    names = {item.name for item in fields(SmallOptions)}
    within = {
        name: min(max(value, _BOUNDS[name][0]), _BOUNDS[name][1])
        for name, value in values.items()
        if name in names
    }
    return replace(base, **within)


def address_in(text: str) -> str:
    """The address in a path, in which a browser may have merged slashes; "" for none."""
    match = _ADDRESS.match(text)
    return f"{match[1].lower()}://{match[2]}" if match else ""
