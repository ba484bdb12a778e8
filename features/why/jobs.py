"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from msgspec import Struct

from winnow.document.values import Recipe
from winnow.jobs.job_types import PageJob


class RemovalReason(StrEnum):
    """Why a part of a page is left out, as a reader sees it.

    Each names a property of the part, not a step of the method (BlockReason has that).
    """

    RULE = "rule"
    NO_ARTICLE = "no-article"
    AD = "ad"
    COOKIES = "cookies"
    COMMENTS = "comments"
    SHARING = "sharing"
    SUBSCRIBING = "subscribing"
    RELATED = "related"
    MENU = "menu"
    FOOTER = "footer"
    FORM = "form"
    ABOUT = "about"
    LINKS = "links"
    BESIDE = "beside"
    HEADER = "header"
    BEFORE = "before"
    AFTER = "after"
    SHORT = "short"
    UNLIKE = "unlike"


@dataclass(frozen=True, slots=True)
class TextPassage:
    """One block of the page and what became of it.

    ``kept`` is the share of its words, 0..1; ``rule`` says why in a sentence; ``features`` are
    names and values; ``selector`` finds it again on the site ("": nothing does). ``score`` and
    ``threshold``: as in winnow.extractors.explanation. ``reason``: a RemovalReason, "" where
    something of it was kept. ``raised``: ranges of the text that stand above the line.
    """

    text: str
    kept: float
    heading: bool
    rule: str
    features: tuple[tuple[str, str], ...]
    selector: str
    score: float | None = None
    threshold: float | None = None
    reason: str = ""
    raised: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """The verdict of one method on one page, block by block; ``more`` blocks were left out.

    ``tidied``: the page keeps its own look, and the verdict is that of tidying.
    """

    title: str
    language: str
    extractor: str
    confidence: float
    reasons: tuple[str, ...]
    words_kept: int
    words_total: int
    passages: tuple[TextPassage, ...]
    more: int
    tidied: bool = False
    left_out: int = 0
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class PartChoice:
    """A selector for a part: its ``places`` on the page, and the ``words`` in them."""

    selector: str
    places: int
    words: int


@dataclass(frozen=True, slots=True)
class SmallerPart:
    """A part within a part: the ``place``-th that ``selector`` finds, and its first words."""

    selector: str
    place: int
    text: str


@dataclass(frozen=True, slots=True)
class ExplainedPart:
    """One part of a page. ``choices``: the part itself, then what is around it; ``smaller``: what
    is in it.

    ``sample``: words of it, for a test of the rule; ``rule`` as in TextPassage.
    """

    title: str
    language: str
    text: str
    sample: str
    reason: str
    rule: str
    choices: tuple[PartChoice, ...]
    smaller: tuple[SmallerPart, ...] = ()


class ExplainJob(PageJob[Explained], frozen=True):
    """What became of the page's blocks, and why."""

    done_by: ClassVar[str] = "winnow.features.why.explaining:explain"
    recipe: Recipe


class PartJob(PageJob[ExplainedPart], frozen=True):
    """The ``place``-th element that ``selector`` finds, and what is around it."""

    done_by: ClassVar[str] = "winnow.features.why.explaining:explained_part"
    recipe: Recipe
    selector: str
    place: int


FIRST: Final = "winnow-first"
"""The id of the mark at which a marked page is to be shown first."""


class MarkTexts(Struct, frozen=True):
    """What stands in a page with marks. ``gone``: why a part is left out, by RemovalReason.

    ``links``, ``images``, ``parts``: what stands before the address of a page, of a picture, and
    before the query about one part. ``stored``: the selector of a rule that was just stored.
    """

    gone: Mapping[str, str]
    kept: str
    keep: str
    drop: str
    links: str
    images: str
    parts: str
    stored: str = ""


class MarkedPageJob(PageJob[str], frozen=True):
    """The page with its parts marked, as markup; ``sheets``: style sheets by address."""

    done_by: ClassVar[str] = "winnow.features.why.marking:with_marks"
    recipe: Recipe
    texts: MarkTexts
    sheets: Mapping[str, str]
