"""An annotator's labels without the pages' text: ranges counted in the letters of each page.

A letter is any code point that is no white space: so a block's label stays in its place when a
change of ours only moves blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.labels import Mark
from winnow.evaluation.gold.packages import PackageEntry

DATA: Final = Path(__file__).parent
ANNOTATORS: Final = ("anna", "ben")
_SPACES = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """``digest`` is SHA-256 of the page's bytes; ``letters``: how many its text has."""

    name: str
    digest: str
    page_type: str
    letters: int
    marks: tuple[Mark, ...]


def read(path: Path) -> list[AnnotatedPage]:
    """The pages of one annotator's file."""
    return [
        AnnotatedPage(
            one["name"], one["digest"], one["type"], one["letters"], tuple(map(tuple, one["marks"]))
        )
        for one in json.loads(path.read_bytes())
    ]


def marked(page: AnnotatedPage, entry: PackageEntry) -> PackageEntry:
    """The entry with this annotator's gold and ``page_spans``.

    Raises PackageError where its bytes are others, or where its text has more or fewer letters.
    """
    if sha256(entry.body).hexdigest() != page.digest:
        raise PackageError(f"{entry.id}: the page is not the one that was annotated.")
    text = text_of(entry)
    letters = letters_before(text)
    if letters[-1] != page.letters:
        raise PackageError(f"{entry.id}: {letters[-1]} letters; {page.letters} were annotated.")
    spans = [
        (int(np.searchsorted(letters, a, "right")) - 1, int(np.searchsorted(letters, b)), label)
        for a, b, label in page.marks
    ]
    gold = "\n".join(text[a:b] for a, b, _ in spans)
    notes: Mapping[str, object] = {**entry.meta, "page_type": page.page_type, "page_spans": spans}
    return PackageEntry(entry.id, entry.body, gold, notes)


def text_of(entry: PackageEntry) -> str:
    """The text that an annotator was shown, all of it."""
    encoding = entry.meta.get("encoding_used")
    return Document.parse(Page(entry.body, entry.url, str(encoding or "") or None)).text


def letters_before(text: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many letters stand before each code point, and at the end; shape (characters + 1,)."""
    is_letter = np.ones(len(text) + 1, dtype=np.int64)
    is_letter[-1] = 0
    is_letter[[found.start() for found in _SPACES.finditer(text)]] = 0
    return np.concatenate([[0], np.cumsum(is_letter[:-1])])
