"""What each step behind a method takes of a page's gold text: recall before it and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.evaluation.measuring.measures import word_f1
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.subjects.subject import text_of_spans

MUCH: Final = 0.15
"""A loss of recall that is counted."""
_COMMENTS: Final = "the gold has readers' comments"
_FEW: Final = "comments, whose common words the short gold has too"
EXPLAINED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("canola 713", "canola 736", "canola 890", "cleaneval-dev 57"), _COMMENTS),
    **dict.fromkeys(("dragnet-third 369", "dragnet-third R709"), _COMMENTS),
    **dict.fromkeys(("dragnet-third 233", "dragnet-third R35"), _FEW),
}
"""The pages, by package and name, from which a step takes MUCH and rightly, with the reason."""

Stages = Sequence[tuple[str, Extraction]]
"""The steps in their order, each with the extraction behind it; the method is the first."""


def lost_recall(document: Document, stages: Stages, gold: str) -> dict[str, float]:
    """By how much each step lowers the share of the gold text's words that are kept; below 0
    where it adds some."""
    recalls = [
        word_f1(text_of_spans(document.text, extraction), gold).recall for _, extraction in stages
    ]
    names = (name for name, _ in stages[1:])
    return {
        name: before - after
        for name, before, after in zip(names, recalls, recalls[1:], strict=False)
    }


def steps_table(losses: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """A line for each step of each package: mean loss, pages that lose anything, that lose MUCH,
    those of these that are not EXPLAINED.

    ``losses``: by package, page and step.
    """
    counted = ("pages", "recall lost", "lose any", f"lose > {MUCH}", "unexplained")
    return aligned(("package", "step", *counted), [*_lines(losses)], 2)


def _lines(losses: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[list[str]]:
    for package, pages in losses.items():
        for step in dict.fromkeys(step for page in pages.values() for step in page):
            lost = [page[step] for page in pages.values()]
            much = [name for name, page in pages.items() if page[step] > MUCH]
            unexplained = [name for name in much if f"{package} {name}" not in EXPLAINED]
            counts = (sum(loss > 1e-9 for loss in lost), len(much), len(unexplained))
            mean = sum(lost) / max(len(lost), 1)
            yield [package, step, str(len(lost)), f"{mean:+.4f}", *map(str, counts)]


def that_lose_much(losses: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    """A line for each page and step that loses MUCH, with the reason if one is known."""
    for package, pages in losses.items():
        for page, steps in pages.items():
            for step, loss in steps.items():
                if loss > MUCH:
                    reason = EXPLAINED.get(f"{package} {page}", "unexplained")
                    yield f"{package}\t{page}\t{step}\t{loss:.3f}\t{reason}"
