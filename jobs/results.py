"""Results of jobs: methods compared, a decision explained, a page cut up. Values only.

Made in a worker by ``winnow.engine``, drawn by ``winnow.proxy.own.templates``.
"""

from __future__ import annotations

from dataclasses import dataclass

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
class MethodParameter:
    """A parameter of a compared method (winnow.extractors.parameters.DeclaredParameter)."""

    method: str
    name: str
    default: str
    choices: tuple[str, ...]
    least: float
    most: float
    whole: bool


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


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """``parts``: runs of text, each with its language ("": that of the article). ``chapter``: the
    title of the chapter that begins here, or ""."""

    parts: tuple[tuple[str, str], ...]
    chapter: str = ""


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


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: ``kind`` is text, area, hidden, select, checkbox, radio or password.

    ``choices``: value and text of each. ``chosen``: ticked as the page has it.
    """

    name: str
    kind: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class PageForm:
    """A form of a page that may be passed on: ``method`` is get or post.

    ``submit``: what its button says.
    """

    action: str
    method: str
    fields: tuple[Field, ...]
    submit: str = ""


@dataclass(frozen=True, slots=True)
class PartHeading:
    """A heading of a page in parts: its level, 2 to 6, its part, its ``id`` there."""

    text: str
    level: int
    part: int
    anchor: str


@dataclass(frozen=True, slots=True)
class SmallPart:
    """One of ``parts`` parts of a page for small screens.

    ``facts`` and ``markup`` are clean, plain HTML: author, day and reading time; the part's text.
    """

    title: str
    language: str
    direction: str
    facts: str
    markup: str
    part: int
    parts: int
    words: int
    extractor: str
    forms: tuple[PageForm, ...]
    has_password: bool
    headings: tuple[PartHeading, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenArticle:
    """An article's sanitised HTML, and the same as plain text."""

    content: str
    text: str
