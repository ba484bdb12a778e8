"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from winnow.document.values import Recipe
from winnow.jobs.job_types import PageJob


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block to be marked: its text, the tag it stands in, the label it has now ("": none)."""

    text: str
    tag: str
    label: str


@dataclass(frozen=True, slots=True)
class Markable:
    """A page cut into blocks; ``more`` blocks at its end are not shown and stay unmarked."""

    title: str
    language: str
    blocks: tuple[ShownBlock, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Marked:
    """What marks make of a page. Ranges are start, end and label.

    ``spans`` lie in ``gold``, ``page_spans`` in the text of the page; offsets are code points.
    """

    title: str
    language: str
    encoding: str
    gold: str
    spans: tuple[tuple[int, int, str], ...]
    page_spans: tuple[tuple[int, int, str], ...]


class BlocksJob(PageJob[Markable], frozen=True):
    """The page's blocks, labelled by ``spans`` (start, end, label) if given."""

    done_by: ClassVar[str] = "winnow.features.annotate.annotation:markable"
    recipe: Recipe
    spans: Sequence[tuple[int, int, str]] | None


class LabelledJob(PageJob[Marked], frozen=True):
    """Gold text of the blocks with these labels, by their numbers."""

    done_by: ClassVar[str] = "winnow.features.annotate.annotation:marked"
    labels: Mapping[int, str]
