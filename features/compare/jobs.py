"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.document.values import Recipe
from winnow.jobs.job_types import PageJob
from winnow.jobs.results import MethodParameter

CELLS = 160
"""How many stretches of equal length a strip divides a page's words into."""


@dataclass(frozen=True, slots=True)
class MethodTrial:
    """One method on one page. ``strip``: for each stretch of the page, 0 (gone) to 9 (all kept).

    ``words`` it kept; ``milliseconds`` of extraction, the faster of two runs; ``agreement``: mean
    F1 of its words with those of the others, 0..1; ``overlaps``: that F1 with each trial in order.
    ``failure`` says why there is no result, "" if there is.
    """

    method: str
    words: int = 0
    milliseconds: float = 0.0
    agreement: float = 0.0
    overlaps: tuple[float, ...] = ()
    strip: str = ""
    reasons: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class PageOutline:
    """What there is to compare: a page's title and the number of its words."""

    title: str
    words: int


@dataclass(frozen=True, slots=True)
class TriedMethod:
    """One method alone: ``spans`` of the text that it keeps, and why, in words, block by block."""

    trial: MethodTrial
    spans: tuple[tuple[int, int], ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MethodRow:
    """Neighbouring blocks of which every method says the same.

    ``verdicts``: one digit a trial, 0 (gone) to 9 (all kept). ``rules``: of each trial, why, by the
    first of the blocks; empty where all verdicts are the same.
    """

    text: str
    blocks: int
    words: int
    verdicts: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve in the unit square; ``areas`` are ranges of x that the method chose."""

    title: str
    caption: str
    points: tuple[tuple[float, float], ...]
    areas: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One block: its words, the share of them in links, the share that was kept."""

    words: int
    linked: float
    kept: float


@dataclass(frozen=True, slots=True)
class Compared:
    """Several methods on one page; ``more`` rows were left out at the end. ``parameters``: those
    that the compared methods declare."""

    title: str
    words: int
    trials: tuple[MethodTrial, ...]
    rows: tuple[MethodRow, ...]
    more: int
    curves: tuple[Curve, ...]
    bars: tuple[ChartBar, ...]
    parameters: tuple[MethodParameter, ...] = ()


class OutlineJob(PageJob[PageOutline], frozen=True):
    """What there is to compare of the page."""

    done_by: ClassVar[str] = "winnow.features.compare.comparing:outline"
    recipe: Recipe


class TryJob(PageJob[TriedMethod], frozen=True):
    """The method in place of the recipe's."""

    done_by: ClassVar[str] = "winnow.features.compare.comparing:try_method"
    method: str
    recipe: Recipe


class SideBySideJob(PageJob[Compared], frozen=True):
    """Methods that were tried on the page, compared."""

    done_by: ClassVar[str] = "winnow.features.compare.comparing:side_by_side"
    tried: tuple[TriedMethod, ...]
    recipe: Recipe
