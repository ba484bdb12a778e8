"""Which text is title, heading or body: in a gold text with labels, and in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from winnow.document.values import MEDIA, Label, Span
from winnow.evaluation.gold.packages import PackageEntry

LABELS: Final = tuple(label.value for label in Label)

Mark = tuple[int, int, str]
"""Start, end (half-open, code points of the text beside it) and label."""

_LINE = re.compile(r"[^\n]+")
_MARKED = re.compile(r"<([hpl])\d*/?>", re.IGNORECASE)
_CLEANEVAL: Final = {"h": Label.HEADING.value, "p": Label.BODY.value, "l": Label.BODY.value}


def text_and_marks(text: str, spans: Iterable[Span]) -> tuple[str, tuple[Mark, ...]]:
    """The text under the spans and where each label lies in it.

    What was left out between two spans leaves a line break, and each image or video a blank.
    """
    parts: list[str] = []
    marks: list[Mark] = []
    end = size = 0
    for span in spans:
        if parts and span.start > end:
            parts.append("\n")
            size += 1
        parts.append(text[span.start : span.end].replace(MEDIA, " "))
        marks.append((size, size + span.end - span.start, span.label.value))
        size, end = marks[-1][1], span.end
    return "".join(parts), tuple(marks)


def with_title(text: str, marks: Sequence[Mark], title: str) -> tuple[Mark, ...]:
    """The marks, the first heading that says the title being the title where there is none."""
    title_words = title.split()
    if not title_words or any(label == Label.TITLE for _, _, label in marks):
        return tuple(marks)
    for index, (start, end, label) in enumerate(marks):
        for line in _LINE.finditer(text, start, end) if label == Label.HEADING else ():
            if line[0].split() == title_words:
                cut = _cut(start, end, *line.span())
                return (*marks[:index], *cut, *marks[index + 1 :])
    return tuple(marks)


def _cut(start: int, end: int, first: int, last: int) -> Iterator[Mark]:
    """A heading's range, its part from ``first`` to ``last`` being the title."""
    parts = ((start, first, Label.HEADING), (first, last, Label.TITLE), (last, end, Label.HEADING))
    return ((low, high, label.value) for low, high, label in parts if low < high)


def by_label(text: str, marks: Iterable[Mark]) -> dict[str, str]:
    """All text of each label, one range a line."""
    found: dict[str, list[str]] = {label: [] for label in LABELS}
    for start, end, label in marks:
        found[label].append(text[start:end])
    return {label: "\n".join(parts) for label, parts in found.items()}


def gold_by_label(entry: PackageEntry) -> dict[str, str]:
    """The gold's text by label, without the labels that the package does not distinguish.

    From the notes: ``spans`` (ranges of the gold text), CleanEval's marks (``marked``; its
    headings are the title too, so that it has none), or the ``title`` alone.
    """
    spans, marked = entry.meta.get("spans"), entry.meta.get("marked")
    if isinstance(spans, list):
        return by_label(entry.gold, [(int(a), int(b), str(label)) for a, b, label in spans])
    if isinstance(marked, str):
        return _of_marks(marked)
    title = entry.meta.get("title")
    return {Label.TITLE.value: title} if isinstance(title, str) and title.strip() else {}


def answer_by_label(
    text: str, marks: Sequence[Mark], title: str, wanted: Mapping[str, str]
) -> dict[str, str]:
    """An answer's text by label, with the labels that the gold distinguishes."""
    found = by_label(text, marks)
    if Label.TITLE not in wanted:
        found[Label.HEADING] = f"{found[Label.TITLE]}\n{found[Label.HEADING]}"
    elif not found[Label.TITLE]:
        found[Label.TITLE] = title
    return {label: found[label] for label in wanted}


def _of_marks(marked: str) -> dict[str, str]:
    """CleanEval's annotated text: ``<h>`` before a heading, ``<p>`` and ``<l>`` before others."""
    found: dict[str, list[str]] = {Label.HEADING.value: [], Label.BODY.value: []}
    label, at = Label.BODY.value, 0
    for mark in _MARKED.finditer(marked):
        found[label].append(marked[at : mark.start()])
        label, at = _CLEANEVAL[mark[1].lower()], mark.end()
    found[label].append(marked[at:])
    return {name: "\n".join(parts) for name, parts in found.items()}
