"""Pages of each class of fault that ``auto`` had or has, and what it keeps of them.

A folder below ``faults`` holds ``source.html``. What is content is said by the page itself: the
text of elements with the attribute ``data-kept``; of ``h1`` and elements with ``data-either`` both
are right. Where exactly that is kept, ``expected.txt`` has it, else ``known-wrong.txt`` has what is
kept today: a fault that is known and not mended. ``python -m tests.pages`` writes these files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Recipe
from winnow.engine.net.completion import kept_pieces
from winnow.engine.pipeline import extracted

FOLDER = Path(__file__).parent / "faults"
RIGHT, WRONG = "expected.txt", "known-wrong.txt"
_LABELS = ("data-kept", "data-either")


@dataclass(frozen=True)
class Outcome:
    """What is kept of a page and what is content, a line a block."""

    kept: str
    content: str

    @property
    def file(self) -> str:
        """The name of the file that it is stored in."""
        return RIGHT if self.kept == self.content else WRONG


def names() -> list[str]:
    """The names of all pages."""
    return sorted(source.parent.name for source in FOLDER.glob("*/source.html"))


def outcome(name: str) -> Outcome:
    """A page extracted as a reader gets it, by a document that has no label of ours."""
    source = (FOLDER / name / "source.html").read_text("utf-8")
    labelled, bare = Document.from_html(source), Document.from_html(_unlabelled(source))
    assert labelled.text == bare.text
    kept = kept_pieces(bare, extracted(bare, Recipe())[1])
    counted = ~_inside(labelled, "data-either") & ~labelled.inside_tags("h1") & ~labelled.hidden
    content = _inside(labelled, "data-kept")
    return Outcome(_lines(bare, kept & counted), _lines(bare, content & counted))


def write() -> None:
    """Write what is kept of every page now."""
    for name in names():
        found = outcome(name)
        for file in (RIGHT, WRONG):
            (FOLDER / name / file).unlink(missing_ok=True)
        (FOLDER / name / found.file).write_text(found.kept, "utf-8")


def _unlabelled(source: str) -> str:
    for label in _LABELS:
        source = source.replace(f" {label}", "")
    return source


def _inside(document: Document, label: str) -> Mask:
    elements = range(len(document.elements))
    found = [index for index in elements if label in document.attributes_of(index)]
    return document.inside(np.array(found, dtype=np.int64))


def _lines(document: Document, pieces: Mask) -> str:
    """The words of some pieces, white space folded, a line for each block that has any."""
    return "".join(f"{line}\n" for line in _by_block(document, pieces) if line)


def _by_block(document: Document, pieces: Mask) -> Iterator[str]:
    blocks, found = blocks_of(document), document.pieces
    speaking = pieces & (document.piece_words > 0)
    for first, last in zip(blocks.first_piece.tolist(), blocks.last_piece.tolist(), strict=True):
        inside = first + np.flatnonzero(speaking[first:last])
        texts = (document.text[found.start[at] : found.end[at]] for at in inside.tolist())
        yield " ".join(" ".join(texts).split())
