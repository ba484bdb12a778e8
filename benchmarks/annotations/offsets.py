"""An annotator's labels without the pages' text: ranges counted in the letters of each page.

A letter is any code point that is no white space: so a block's label stays in its place when a
change of ours only moves blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.labels import Mark
from winnow.evaluation.packages import PackageEntry

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


def write(path: Path, pages: Iterable[AnnotatedPage]) -> None:
    """A line for each page."""
    lines = (
        json.dumps(
            {
                "name": page.name,
                "digest": page.digest,
                "type": page.page_type,
                "letters": page.letters,
                "marks": page.marks,
            },
            separators=(",", ":"),
        )
        for page in pages
    )
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def annotated(name: str, entry: PackageEntry) -> AnnotatedPage:
    """An entry that ``/-/annotate`` saved, as the page ``name`` of the package that it is from."""
    text = text_of(entry)
    letters = letters_before(text)
    spans = entry.meta.get("page_spans")
    found = spans if isinstance(spans, list) else []
    marks = joined((int(letters[a]), int(letters[b]), str(label)) for a, b, label in found)
    kind = entry.page_type or ""
    return AnnotatedPage(name, digest_of(entry.body), kind, int(letters[-1]), tuple(marks))


def joined(marks: Iterable[Mark]) -> list[Mark]:
    """Ranges of one label that touch are one; empty ones go."""
    found: list[Mark] = []
    for start, end, label in sorted(mark for mark in marks if mark[0] < mark[1]):
        if found and found[-1][1] >= start and found[-1][2] == label:
            found[-1] = (found[-1][0], max(found[-1][1], end), label)
        else:
            found.append((start, end, label))
    return found


def marked(page: AnnotatedPage, entry: PackageEntry) -> PackageEntry:
    """The entry with this annotator's gold and ``page_spans``.

    Raises PackageError where its bytes are others, or where its text has more or fewer letters.
    """
    if digest_of(entry.body) != page.digest:
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


def digest_of(body: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(body).hexdigest()
