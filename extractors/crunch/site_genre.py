"""Of what kind a site is, by the words of its page; and whether a page is a site's front page.

The genre is that of the nearest pre-classified site: counts of key words, as shares that sum to 1,
compared by Manhattan distance (Gupta et al. 2005; Euclidean was found equal).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.addresses import parts_of
from winnow.document.document import Document

Shares = npt.NDArray[np.float64]
FARTHEST: Final = 1.9
"""A page farther than this from every site is of no genre; two pages without a key
word in common are 2 apart."""
UNKNOWN: Final = ""
UNKNOWN_LEVEL: Final = 12
FRONT_LEVEL: Final = 6
UNRELIABLE: Final = frozenset({"government", "link-heavy"})
"""Kinds that words tell too badly (17 % and 7 % of sites, docs/crunch.md): such a page is unknown,
and next to nothing is taken from it."""
AUTO_LEVELS: Final[Mapping[str, int]] = {
    "news": 2,
    "shopping": 6,
    "education": 6,
    "text-heavy": 2,
    UNKNOWN: UNKNOWN_LEVEL,
}
"""Where the slider stands by itself: Crunch's automatic mode for news, shopping and the unknown,
else the preset's stop."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_FRONT: Final = re.compile(r"(?:index|default|~)", re.IGNORECASE)
_NOT_FOUND: Final = frozenset({401, 403, 404})


@dataclass(frozen=True, eq=False)
class GenreSites:
    """Pre-classified sites: ``words`` are the key words, ``counts`` has the shape (sites, words).

    ``genres`` names that of each site.
    """

    words: tuple[str, ...]
    genres: tuple[str, ...]
    counts: npt.NDArray[np.integer]

    def genre(self, text: str) -> str:
        """The genre of the nearest site; UNKNOWN where none is near. O(sites x words)."""
        mine = shares(self.word_counts(text)[None, :])[0]
        if not mine.any() or not len(self.genres):
            return UNKNOWN
        distances = np.abs(shares(self.counts) - mine).sum(axis=1)
        nearest = int(distances.argmin())
        return self.genres[nearest] if distances[nearest] < FARTHEST else UNKNOWN

    def word_counts(self, text: str) -> npt.NDArray[np.int64]:
        """How often each key word stands in a text; shape (words,)."""
        found = Counter(words_of(text))
        return np.array([found[word] for word in self.words], dtype=np.int64)


def words_of(text: str) -> list[str]:
    """The words of a text that may be key words: letters alone, three or more, in lower case."""
    return _WORD.findall(text.lower())


def shares(counts: npt.NDArray[np.integer]) -> Shares:
    """Each row as shares that sum to 1; a row of zeros stays one."""
    found: Shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return found


@cache
def shipped() -> GenreSites:
    """The sites that come with Winnow."""
    with files("winnow.extractors").joinpath("models/genre/sites.npz").open("rb") as file:
        arrays = np.load(file, allow_pickle=False)
        return GenreSites(
            tuple(arrays["words"].tolist()), tuple(arrays["genres"].tolist()), arrays["counts"]
        )


def auto_level(
    document: Document, sites: GenreSites | None = None, *, inner: bool = False
) -> tuple[int, str]:
    """Where the slider stands by itself for a page, and why, in plain words.

    ``inner``: it is no front page, whatever its address looks like.
    """
    shown = document.pieces.start[~document.hidden], document.pieces.end[~document.hidden]
    text = " ".join(
        document.text[start:end]
        for start, end in zip(shown[0].tolist(), shown[1].tolist(), strict=True)
    )
    nearest = (sites or shipped()).genre(text)
    genre = UNKNOWN if nearest in UNRELIABLE else nearest
    if genre == "news" and not inner and is_front(document.page.url or ""):
        return FRONT_LEVEL, "the words are those of news, and the page is the site's front page"
    named = f"the words are those of a site of the kind {genre}" if genre else "the kind is unknown"
    return AUTO_LEVELS[genre], named


def is_front(url: str, parents: Mapping[str, int] | None = None) -> bool:
    """Whether an address is a site's front page: a bare host, or index, default or ~ at its end.

    ``parents``: the status with which each directory above answers, where these were requested; one
    that is 401, 403 or 404 says that the page is none (Crunch 3).
    """
    parts = parts_of(url)
    last = parts.path.rpartition("/")[2]
    bare = parts.path.strip("/") == ""
    if not parts.hostname or not (bare or _FRONT.match(last)):
        return False
    return not any(status in _NOT_FOUND for status in (parents or {}).values())


def parents_of(url: str) -> Sequence[str]:
    """The directories above an address, nearest first; the addresses to probe for the front page's
    test."""
    parts = parts_of(url)
    folders, base = parts.path.split("/")[1:-1], f"{parts.scheme}://{parts.netloc}/"
    return [
        base + "".join(f"{folder}/" for folder in folders[:size])
        for size in range(len(folders), -1, -1)
    ]
