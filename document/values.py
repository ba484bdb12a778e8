"""The values that travel between the rooms: Page, Span, Extraction, Recipe, Rendered.

They check what they hold. Nothing here imports a parser, so that the proxy may import it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from winnow.document.edits import Edit
from winnow.document.purposes import Purpose as Purpose  # noqa: PLC0414 - values like those below
from winnow.document.purposes import Treatment as Treatment  # noqa: PLC0414 - likewise
from winnow.document.purposes import Treatments as Treatments  # noqa: PLC0414 - likewise
from winnow.document.purposes import treated as treated  # noqa: PLC0414 - likewise
from winnow.document.render.formats import BodyKind as BodyKind  # noqa: PLC0414 - likewise
from winnow.document.render.formats import Format as Format  # noqa: PLC0414 - likewise
from winnow.document.spans import Label as Label  # noqa: PLC0414 - a value like those below
from winnow.document.spans import Record
from winnow.document.spans import Span as Span  # noqa: PLC0414 - likewise


@dataclass(frozen=True, slots=True)
class Page:
    """What the origin sent, freed of HTTP.

    ``charset`` is the one named by the Content-Type header (RFC 9110, section 8.3), if any.
    ``sheets``: the texts of its style sheets by address, for a method that lays it out.
    ``beside``: by name where these come from (``sheets``), and fields of the reader's request for a
    filter of a third party that declares them.
    """

    body: bytes
    url: str | None = None
    charset: str | None = None
    sheets: tuple[tuple[str, str], ...] = ()
    beside: tuple[tuple[str, str], ...] = ()


class Comments(StrEnum):
    """What is done with readers' comments on an article."""

    FOLD = "fold"
    KEEP = "keep"
    DROP = "drop"


class RenderMode(StrEnum):
    """Whether a browser runs a page's scripts first: where the page is empty without, or always."""

    NO = "no"
    WHEN_EMPTY = "when-empty"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Extraction:
    """An extractor's result: labelled spans, sorted and disjoint.

    ``confidence`` is in 0..1; ``reasons`` say in plain words why; ``page_type`` is one of the
    types of the test packages (article, forum, product, ...) where the method knows it. ``edited``:
    the edits name all elements that go, so that those without text stay in a pruned page.
    ``purpose``: what the page is for, where that was decided, and ``purpose_reason`` why.
    ``comments``: spans of readers' comments, which a reader page has folded.
    ``records``: posts, questions, answers, comments, reviews, in document order, comments apart
    from the text included.
    ``left_out``: words that the page alone would keep, left out since other pages of the site have
    them; ``of_site``: spans of what they have and the page does not keep. ``agreement``: of other
    methods, 0..1, where that was asked for. ``sure``: prose that the method, where it gives
    chances, is sure of.
    """

    extractor: str
    spans: tuple[Span, ...] = ()
    title: str | None = None
    confidence: float = 1.0
    page_type: str | None = None
    reasons: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    edited: bool = False
    next_page: str | None = None
    purpose: Purpose | None = None
    purpose_reason: str = ""
    comments: tuple[Span, ...] = ()
    records: tuple[Record, ...] = ()
    left_out: int = 0
    of_site: tuple[Span, ...] = ()
    agreement: float | None = None
    sure: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        for left, right in pairwise(self.spans):
            if left.end > right.start:
                raise ValueError("spans must be sorted and disjoint")


_NAMES: Final = tuple(each.name for each in fields(Extraction))
_VALUES: Final = attrgetter(*_NAMES)


def changed(extraction: Extraction, **changes: Any) -> Extraction:
    """``dataclasses.replace`` at a quarter of its cost: steps change one after the other."""
    return Extraction(**dict(zip(_NAMES, _VALUES(extraction), strict=True)) | changes)


class Detail(StrEnum):
    """What is given besides, where a request asks for it."""

    FRONT_MATTER = "front-matter"
    BLOCKS = "blocks"
    AGREEMENT = "agreement"


class Profile(StrEnum):
    """For whom a reader page is made."""

    READER = "reader"
    BASIC = "basic"
    VOICE = "voice"


@dataclass(frozen=True, slots=True)
class SiteKnowledge:
    """What was learned from other pages of a site, for the methods that can use it.

    ``memory`` is opaque here; ``key`` is this installation's secret, by which methods hash what
    they store. A memory counts from ``pages`` pages on. ``learn``: whether the memory of this page
    is to be returned (``Rendered.lesson``); ``rows``: its words as keyed hashes in their order too
    (``Rendered.row``). Neither changes what is shown.
    """

    memory: bytes = field(default=b"", repr=False)
    key: bytes = field(default=b"", repr=False)
    pages: int = 8
    learn: bool = False
    rows: bool = False


NO_KNOWLEDGE = SiteKnowledge()


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """What a request and the proxy set besides a method's own parameters; Crunch alone reads it.

    ``level``: 1 to 12. ``ads``: the path of a list of advertisements. ``inner``: a directory above
    the page does not answer, so it is no site's front page.
    """

    level: int | None = None
    ads: str = ""
    inner: bool = False


@dataclass(frozen=True, slots=True)
class PartLimits:
    """A part of a page in the basic profile: bytes (0: the whole page), images in it."""

    size: int = 0
    images: int = 0


DEFAULT_OPTIONS = MethodOptions()
WHOLE_PAGE = PartLimits()


class ImageSize(StrEnum):
    """How large images of a reader page are: as the site sends them, or made smaller by Winnow.

    The values are options of the gateway for small screens: pixels of width, kB an image.
    """

    AS_SENT = ""
    PHONE = "w828.b100"
    SAVING = "w400.b14"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which extractor and which form of output a request selects.

    ``link_prefix`` stands before every absolute link of the output: "" for the forward proxy,
    "http://HOST:PORT/" in the gateway, so that links stay inside it. ``keep`` and ``drop`` are the
    selectors (winnow.document.selectors) of a site's rule. ``live``: the output goes to a browser
    as a page of the origin that it came from. ``pages``: how many pages of an article are joined
    at most, of which this is the ``number``-th. ``treatments``: what is done with the page by its
    purpose, unless this very page was requested; then it is empty. ``records``: plain text says
    who wrote each post and when. ``render``: whether a browser runs the page's scripts first.
    ``blocked``: the path of a list of advertisements, named by its content; what it names is taken
    out of the page before any method sees it. ``images``: those of reader pages in a browser.
    ``only``: a selector; what it finds is all of the extraction, whatever the method decided.
    ``details``: what is given besides, in the order of Detail.
    """

    extractor: str = "auto"
    format: Format = Format.HTML
    profile: Profile = Profile.READER
    options: MethodOptions = DEFAULT_OPTIONS
    link_prefix: str = ""
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    knowledge: SiteKnowledge = NO_KNOWLEDGE
    live: bool = False
    pages: int = 1
    number: int = 1
    part: PartLimits = WHOLE_PAGE
    comments: Comments = Comments.FOLD
    records: bool = False
    treatments: Treatments = ()
    render: RenderMode = RenderMode.NO
    blocked: str = ""
    images: ImageSize = ImageSize.AS_SENT
    only: str = ""
    details: tuple[Detail, ...] = ()

    @property
    def ladder_level(self) -> int | None:
        """The level at which Crunch works, unless it is no Crunch or its parameters name one."""
        name, _, values = self.extractor.partition(":")
        if name != "crunch":
            return None
        keys = {pair.partition("=")[0].strip() if "=" in pair else "" for pair in values.split(",")}
        names_one = bool(values) and not keys.isdisjoint(("", "level", "preset"))
        return None if names_one else self.options.level

    @property
    def scripts(self) -> bool:
        """Whether the page's own scripts stay: Crunch's levels 11 and 12, on its own site."""
        return self.live and self.format.keeps_styles and (self.ladder_level or 0) >= SCRIPTS_FROM


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page shown: the bytes to send and their facts.

    ``body`` is UTF-8. An HTML body holds ``BAR_MARK`` once, where the proxy puts its bar.
    ``poor`` names, as a reason token, why a person should rather get the original ("" if not).
    ``next_page`` is the address of the next page of the same article, where that was looked for.
    ``lesson`` is the page's part of its site's memory, if requested: hashes and numbers alone.
    ``row`` is the page as a row of keyed hashes, if requested: it is never stored.
    ``purpose`` and ``purpose_reason``: as in Extraction. ``treatment``: what was done; with
    ORIGINAL there is no body, and ``poor`` names why; with TIDY ``instead`` names why it is not
    extracted. ``left_out``: as in Extraction.
    ``by_page_alone``: it follows from page and recipe; if not, the origin's ETag says little of it.
    """

    body: bytes
    media_type: str
    extractor: str
    title: str = ""
    language: str = ""
    words_kept: int = 0
    words_total: int = 0
    confidence: float = 1.0
    poor: str = ""
    reasons: tuple[str, ...] = field(default=())
    next_page: str = ""
    lesson: bytes = field(default=b"", repr=False)
    row: bytes = field(default=b"", repr=False)
    by_page_alone: bool = True
    purpose: Purpose | None = None
    purpose_reason: str = ""
    treatment: Treatment = Treatment.EXTRACT
    instead: str = ""
    left_out: int = 0
    agreement: float | None = None


SCRIPTS_FROM = 11
"""The first of Crunch's levels that keeps a page's scripts."""
BAR_MARK = b"<!--winnow:bar-->"
MEDIA = "\ufffc"
"""Stands in ``Document.text`` for an image, video, object, SVG or formula; no word."""
