"""A page's own metadata: title, authors, dates, site, language, licence.

Declared facts (JSON-LD of schema.org, Open Graph, other ``<meta>``, microdata, classes) are ranked
by how far they agree with what stands near the headline (docs/formats.md, "Where metadata comes
from"). Nothing is guessed from running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from winnow.document.addresses import joined, parts_of
from winnow.document.document import Document, once
from winnow.document.metadata import linked_data
from winnow.document.metadata.bylines import byline_of
from winnow.document.metadata.headline import (
    LinesAround,
    end_of_text,
    lines_before,
    lines_behind,
)
from winnow.document.metadata.language import guess, is_language_tag
from winnow.document.metadata.linked_data import LinkedFacts
from winnow.document.metadata.meta_elements import metas_of
from winnow.document.metadata.publication_date import (
    DeclaredDates,
    Publication,
    confirmed_of,
    labelled_date,
    marked_dates,
    publication_of,
)
from winnow.document.metadata.titles import headline_of
from winnow.document.parsing.signature import needs
from winnow.document.spans import posts_of
from winnow.document.texts.page_words import PageWords
from winnow.document.values import Extraction, Purpose

_RTL_LANGUAGES: Final = frozenset("ar arc ckb dv fa he iw ks ku-arab ps sd syr ug ur yi".split())
_AUTHORS: Final = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author",
    "parsely-author", "sailthru.author", "byl",
)  # fmt: skip
_DATES: Final = (
    "article:published_time", "datepublished", "date", "dc.date", "dcterms.created",
    "dcterms.date", "dc.date.issued", "citation_publication_date", "parsely-pub-date",
    "sailthru.date", "pubdate", "publish-date", "og:article:published_time", "datecreated",
    "og:publish_date", "published-date", "publication_date", "cxenseparse:publishtime",
    "citation_online_date", "dc.date.created", "ms.date",
)  # fmt: skip
_MODIFIED: Final = ("article:modified_time", "datemodified", "og:updated_time", "dcterms.modified")
_EXCERPTS: Final = ("og:description", "description", "twitter:description", "dc.description")
_IMAGES: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image")
_DAY_IN_URL: Final = re.compile(r"/((?:19|20)\d\d/\d\d?/\d\d?)/")
_OFFERS: Final = re.compile(
    r"/(?:[\w-]+-)?(?:services?|solutions?|products?|pricing|compare|category|categories|genres?|tags?"
    r"|collections?|shop|store|features?|sections?)(?:/|-|$|\?)"
)
"""Addresses of what a site offers or lists: days that are only declared are its database's."""
_FOOTER: Final = 24
"""The last links of a page, among which that to its licence stands."""
_LICENCES: Final = ("dcterms.license", "dc.rights", "dcterms.rights", "license")
_WRITTEN_BY: Final = frozenset(
    (
        "written by", "author", "verfasst von", "geschrieben von", "écrit par", "escrito por",
        "scritto da", "geschreven door", "skriven av", "skrevet af", "napisane przez", "автор",
    )
)  # fmt: skip
"""What WordPress writes in ``twitter:label1`` before an author."""
_WITHOUT_AUTHOR: Final = frozenset(
    {Purpose.INDEX, Purpose.PRODUCT, Purpose.APPLICATION, Purpose.ERROR}
)
"""What nobody signs: the names and dates on such pages are those of other things."""
_OFFERING: Final = frozenset({"listing", "collection", "product", "service"})
"""Types of pages (winnow.extractors.auto) that offer or list things."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """A page's metadata; "" where nothing says it. Addresses are absolute if the page's is.

    ``published``, ``modified``: a day or a moment in ISO 8601. ``base`` is what relative addresses
    stand on. ``licence``: an address, or what the page says of its rights.
    """

    title: str = ""
    byline: str = ""
    published: str = ""
    modified: str = ""
    site: str = ""
    language: str = ""
    direction: str = ""
    excerpt: str = ""
    image: str = ""
    licence: str = ""
    base: str = ""

    @property
    def date(self) -> str:
        """The day that readers look for: that of publication, else of the change that is shown."""
        return (self.published or self.modified)[:10]

    @property
    def words(self) -> PageWords:
        """Those that Winnow adds to the page's text."""
        return PageWords(self.language)


def describe(document: Document, extraction: Extraction) -> Metadata:
    """All metadata of a page; raises nothing, whatever the markup is."""
    metas, data = _head(document)
    base, language = base_of(document), language_of(document, metas)
    headline = headline_of(document, extraction, metas, data)
    site = _first_of(metas, ("og:site_name", "application-name")) or data.site
    byline, dates, licence = "", Publication(), _licence(document, data, base)
    if extraction.purpose not in _WITHOUT_AUTHOR and not _is_front(document.page.url):
        around = _around(document, extraction, headline.element)
        names = list(_named_authors(metas, data))
        byline = byline_of(document, around, names, site, language)
        dates = _publication(document, extraction, around, _dates(document, metas, data), language)
    return Metadata(
        title=headline.title,
        byline=byline,
        published=dates.published,
        modified=dates.modified,
        site=site,
        language=language,
        direction=direction_of(document, language),
        excerpt=_first_of(metas, _EXCERPTS) or data.excerpt,
        image=_absolute(base, _first_of(metas, _IMAGES) or data.image),
        licence=data.licence or _first_of(metas, _LICENCES) if licence is None else licence,
        base=base,
    )


def title_of(document: Document, extraction: Extraction) -> str:
    """The title that ``describe`` says, alone."""
    return headline_of(document, extraction, *_head(document)).title


def excerpt_of(document: Document) -> str:
    """What the page declares as its description."""
    metas, data = _head(document)
    return _first_of(metas, _EXCERPTS) or data.excerpt


def base_of(document: Document) -> str:
    """What relative addresses stand on: the first ``<base href>`` (HTML, 4.2.3), or the URL."""
    for element in document.elements_named("base"):
        if href := document.attributes_of(element).get("href", "").strip():
            return _absolute(document.page.url or "", href)
    return document.page.url or ""


def language_of(document: Document, metas: Mapping[str, str]) -> str:
    """The language tag that the page declares (BCP 47), else what it is written in: this too where
    it says English, as templates do by default, and has no "the" in 2,000 characters."""
    declared = document.language or metas.get("content-language", "") or metas.get("og:locale", "")
    tag = declared.split(",")[0].strip().replace("_", "-")
    said, text = is_language_tag(tag), document.text
    doubtful = not said or (tag.lower().startswith("en") and text.count(" the ") < len(text) / 2000)
    return (doubtful and guess(document)) or (tag if said else "")


def direction_of(document: Document, language: str) -> str:
    """``ltr`` or ``rtl``: as the root or the body declares, else as the language is written."""
    written = "rtl" if language.lower().split("-")[0] in _RTL_LANGUAGES else "ltr"
    return next(_declared_directions(document), written)


@needs(' dir="', absent=iter(()))
def _declared_directions(document: Document) -> Iterator[str]:
    for element in (0, *document.elements_named("body")):
        declared = document.attributes_of(element).get("dir", "").strip().lower()
        if declared in {"ltr", "rtl"}:
            yield declared


@once
def _head(document: Document) -> tuple[Mapping[str, str], LinkedFacts]:
    """What ``<meta>`` and JSON-LD say."""
    return metas_of(document), linked_data.read(document)


def _first_of(metas: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next(filter(None, map(metas.get, names)), "")


def _absolute(base: str, address: str) -> str:
    return joined(base, address.strip()) if address else ""


def _around(document: Document, extraction: Extraction, headline: int) -> LinesAround:
    """The lines around the headline; without one, those where the text begins."""
    if headline < 0:
        headline = next(iter(document.elements_named("h1")), -1)
    if headline >= 0:
        elements = document.elements
        first, behind = int(elements.first_piece[headline]), int(elements.last_piece[headline])
    elif extraction.spans:
        start = extraction.spans[0].start
        first = behind = max(int(document.pieces.start.searchsorted(start, side="right")) - 1, 0)
    else:
        return LinesAround()
    lines = lines_behind(document, behind, first)
    if extraction.comments:  # those who wrote them are no authors
        end = end_of_text(extraction)
        lines = [line for line in lines if document.pieces.start[line.first] < end]
    return LinesAround(lines_before(document, first), lines)


def _named_authors(metas: Mapping[str, str], data: LinkedFacts) -> Iterator[str]:
    """The authors as metadata names them; addresses name nobody."""
    yield from filter(None, (data.byline, metas.get("citation_author", "")))
    if metas.get("twitter:label1", "").casefold().rstrip(" :") in _WRITTEN_BY:
        yield metas.get("twitter:data1", "")
    for name in _AUTHORS:
        if name in metas and not metas[name].startswith(("http:", "https:", "/", "@")):
            yield metas[name]


def _dates(document: Document, metas: Mapping[str, str], data: LinkedFacts) -> DeclaredDates:
    """The declared dates. What calls itself no work (a ``WebPage``) has the day of its database
    entry, which counts where the page shows it."""
    is_work = data.is_work or metas.get("og:type", "").lower() in {"", "article"}
    is_work |= "og:article:section" in metas
    stated = [metas[name] for name in _DATES if name in metas] if is_work else []
    published = [data.published] if data.is_work else []
    marked = [*dict.fromkeys(marked_dates(document))] if not (published or stated) else []
    several = len(marked) > 1  # those of several things on the page
    return DeclaredDates(
        published=[*published, *stated, *marked * (not several)]
        or _DAY_IN_URL.findall(document.page.url or "")[:1],
        entries=[*([] if data.is_work else filter(None, [data.published])), *marked * several],
        modified=[text for text in (data.modified, *map(metas.get, _MODIFIED)) if text],
    )


def _publication(
    document: Document,
    extraction: Extraction,
    around: LinesAround,
    declared: DeclaredDates,
    language: str,
) -> Publication:
    """When the page was published and changed.

    On pages that offer or list things most dates are those of the things.
    """
    if extraction.page_type in _OFFERING:
        return confirmed_of(around, declared, language)
    if extraction.purpose is Purpose.DOCUMENTATION or _OFFERS.search(document.page.url or ""):
        declared = declared.where_shown()
    is_thread = bool(posts_of(extraction.records))
    dates = publication_of(around, declared, language, is_thread=is_thread)
    return dates if any(dates) else Publication(labelled_date(document, language))


def _is_front(url: str | None) -> bool:
    """Whether an address is that of a site's front page, which nobody signs."""
    parts = parts_of(url or "")
    return bool(parts.netloc) and parts.path in {"", "/"} and not parts.query


@needs("license", absent=None)
def _licence(document: Document, data: LinkedFacts, base: str) -> str | None:
    """The address of the licence by ``rel="license"``; None if no link has it."""
    starts, ends = document.elements.open_start.data, document.elements.open_end.data
    links = document.elements_named("a")[-_FOOTER:] if not data.licence else []
    for element in (*document.elements_named("link"), *links):
        if document.markup.find("license", starts[element], ends[element]) < 0:
            continue
        attributes = document.attributes_of(element, {"rel", "href"})
        if "license" in attributes.get("rel", "").lower().split():
            return _absolute(base, attributes.get("href", ""))
    return None
