"""What this feature asks of a worker, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.document.values import Recipe
from winnow.jobs.job_types import PageJob
from winnow.jobs.small_gateway import Measure


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


class SmallPartJob(PageJob[SmallPart], frozen=True):
    """A part of the page for a small screen."""

    done_by: ClassVar[str] = "winnow.features.small.split_page:small_part"
    recipe: Recipe
    measure: Measure
    image_prefix: str
