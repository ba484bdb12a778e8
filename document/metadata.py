"""A page's own metadata: title, author, date, site, language.

Sources, the most explicit first: JSON-LD (schema.org), Open Graph and other ``<meta>``, microdata,
the markup's own words. Nothing is guessed from running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import urljoin

from winnow.document import linked_data, start_tags
from winnow.document.document import Document
from winnow.document.language import guess, is_language_tag
from winnow.document.values import MEDIA, Extraction, Label

_TITLE_PARTS: Final = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb\u203a:\\/-]{1,2}\s+")
_RTL_LANGUAGES: Final = frozenset("ar arc ckb dv fa he iw ks ku-arab ps sd syr ug ur yi".split())
_BYLINE_LIMIT: Final = 100
TITLE_LIMIT: Final = 250
"""Longer titles (characters) are a page's text swallowed by an unclosed element."""
PERMALINK_SIGNS: Final = "\u00b6#\u00a7\U0001f517\uf0c1"
"""What headings carry as links to themselves."""
_META: Final = frozenset({"content", "property", "name", "itemprop", "http-equiv"})
_META_TITLES: Final = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_META_AUTHORS: Final = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author",
    "parsely-author", "sailthru.author", "byl",
)  # fmt: skip
_META_DATES: Final = (
    "article:published_time", "datepublished", "date", "dc.date", "dcterms.created",
    "dcterms.date", "dc.date.issued", "citation_publication_date", "parsely-pub-date",
    "sailthru.date", "pubdate", "publish-date", "og:article:published_time",
)  # fmt: skip
_META_EXCERPTS: Final = ("og:description", "description", "twitter:description", "dc.description")
_META_IMAGES: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image")


@dataclass(frozen=True, slots=True)
class Metadata:
    """A page's metadata; "" where it declares nothing. Addresses are absolute if the page's is.

    ``published`` stands as the page wrote it; ``base`` is what relative addresses stand on.
    """

    title: str = ""
    byline: str = ""
    published: str = ""
    site: str = ""
    language: str = ""
    direction: str = ""
    excerpt: str = ""
    image: str = ""
    base: str = ""

    @property
    def english_attributes(self) -> str:
        """``lang`` and ``dir`` of English words that Winnow adds to a page in another language."""
        is_english = self.language.lower().split("-")[0] in {"", "en"}
        return "" if is_english else ' lang="en" dir="ltr"'


def describe(document: Document, extraction: Extraction) -> Metadata:
    """All metadata of a page; raises nothing, whatever the markup is."""
    metas = _metas(document)
    data = linked_data.read(document)
    base = base_of(document)
    language = language_of(document, metas)
    return Metadata(
        title=title_of(document, extraction, metas, data),
        byline=_byline(document, metas, data),
        published=data.published or _first_of(metas, _META_DATES) or _time(document),
        site=_first_of(metas, ("og:site_name", "application-name")) or data.site,
        language=language,
        direction=direction_of(document, language),
        excerpt=_first_of(metas, _META_EXCERPTS) or data.excerpt,
        image=_absolute(base, _first_of(metas, _META_IMAGES) or data.image),
        base=base,
    )


def base_of(document: Document) -> str:
    """What relative addresses stand on: the first ``<base href>`` (HTML, 4.2.3), or the URL."""
    for element in document.elements_named("base"):
        if href := document.attributes_of(element).get("href", "").strip():
            return _absolute(document.page.url or "", href)
    return document.page.url or ""


def title_of(
    document: Document,
    extraction: Extraction,
    metas: Mapping[str, str],
    data: linked_data.LinkedFacts,
) -> str:
    """The page's headline, without the site's name where that is recognised; one line."""
    return shortened(_headline(document, extraction, metas, data), TITLE_LIMIT)


def _headline(
    document: Document,
    extraction: Extraction,
    metas: Mapping[str, str],
    data: linked_data.LinkedFacts,
) -> str:
    extracted = " ".join((extraction.title or "").split())
    if extracted and extracted != document.title:
        return extracted
    labelled = " ".join(
        document.plain(span.start, span.end)
        for span in extraction.spans
        if span.label is Label.TITLE
    )
    if labelled := " ".join(labelled.split()):
        return labelled
    declared = data.title or _first_of(metas, _META_TITLES) or document.title
    heading = _matching_heading(document, declared) or _related_heading(document, declared)
    return (
        heading
        or _without_site(declared, metas.get("og:site_name") or data.site)
        or _only_heading(document)
    )


def language_of(document: Document, metas: Mapping[str, str]) -> str:
    """The language tag that the page declares (BCP 47), else what it is written in."""
    declared = document.language or metas.get("content-language", "") or metas.get("og:locale", "")
    tag = declared.split(",")[0].strip().replace("_", "-")
    return tag if is_language_tag(tag) else guess(document)


def direction_of(document: Document, language: str) -> str:
    """``ltr`` or ``rtl``: as the root or the body declares, else as the language is written."""
    for element in (0, *document.elements_named("body")):
        declared = document.attributes_of(element).get("dir", "").strip().lower()
        if declared in {"ltr", "rtl"}:
            return declared
    return "rtl" if language.lower().split("-")[0] in _RTL_LANGUAGES else "ltr"


def shortened(text: str, limit: int) -> str:
    """A text on one line, cut at a word where it is longer than ``limit`` characters."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return flat[:limit].rsplit(" ", 1)[0] + "\u2026"


def key_of(text: str) -> str:
    """A text's letters and digits in lower case: what two titles are compared by."""
    return "".join(filter(str.isalnum, text.casefold()))


def is_key_of(key: str, text: str) -> bool:
    """Whether ``key`` is ``key_of(text)``; for most texts their length decides."""
    return len(text.casefold()) >= len(key) and key_of(text) == key


def text_inside(document: Document, element: int) -> str:
    """The text of an element on one line, media left out."""
    first, behind = document.elements.first_piece[element], document.elements.last_piece[element]
    if first >= behind:
        return ""
    pieces = document.pieces
    start, end = int(pieces.start[first]), int(pieces.end[behind - 1])
    return " ".join(document.text[start:end].replace(MEDIA, " ").split())


def _metas(document: Document) -> dict[str, str]:
    """The content of each ``<meta>`` by its name in lower case; the first that is not empty."""
    found: dict[str, str] = {}
    for element in document.elements_named("meta"):
        attributes = document.attributes_of(element, _META)
        content = " ".join(attributes.pop("content", "").split())
        for key in attributes.values() if content else ():
            if name := key.strip().lower():
                found.setdefault(name, content)
    return found


def _first_of(metas: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((metas[name] for name in names if name in metas), "")


def _absolute(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip()) if address else ""
    except ValueError:  # e.g. "http://[broken": no address at all
        return ""


def _byline(document: Document, metas: Mapping[str, str], data: linked_data.LinkedFacts) -> str:
    declared = data.byline or next(
        (metas[name] for name in _META_AUTHORS if not _is_address(metas.get(name, "http:"))), ""
    )
    if declared:
        return declared
    return next((name for name in _marked_authors(document) if 0 < len(name) < _BYLINE_LIMIT), "")


def _is_address(value: str) -> bool:
    return value.startswith(("http:", "https:", "/", "@"))


def _marked_authors(document: Document) -> Iterator[str]:
    """The texts of elements that microdata, microformats or ``rel`` mark as the author.

    All the marks share a word, which is looked for first.
    """
    elements, markup = document.elements, document.markup
    offsets = [at for at in start_tags.standing(markup, "author", rare=1) if markup[at - 1] in '"-']
    if not offsets:
        return
    around = elements.open_start.searchsorted(offsets, side="right") - 1
    for element in dict.fromkeys(around.tolist()):
        if element < 0:
            continue
        if _author_mark().search(markup, elements.open_start[element], elements.open_end[element]):
            yield text_inside(document, element)


@cache
def _author_mark() -> re.Pattern[str]:
    return re.compile(r' (?:rel="author"|itemprop="author"|class="(?:[^"]* )?p-author(?: [^"]*)?")')


def _time(document: Document) -> str:
    """The first ``<time datetime>`` that microdata or the format marks as the publication's."""
    for element in document.elements_named("time"):
        attributes = document.attributes_of(element)
        marked = attributes.get("itemprop") == "datePublished" or "pubdate" in attributes
        if marked or "published" in attributes.get("class", ""):
            return attributes.get("datetime", "").strip()
    return ""


def _matching_heading(document: Document, title: str) -> str:
    """The ``<h1>`` (else ``<h2>``) that the page's title contains: the site's name is not in it."""
    key = key_of(title)
    for name in ("h1", "h2") if key else ():
        for element in document.elements_named(name):
            text = text_inside(document, element).rstrip(PERMALINK_SIGNS + " ")
            part = key_of(text)
            is_part = len(part) > 3 and part in key
            if is_part and (name == "h1" or 2 * len(part) >= len(key)):
                return text
    return ""


def _related_heading(document: Document, title: str) -> str:
    """The first ``<h1>`` half of whose words are in the title: titles are often reworded."""
    title_words = {key_of(word) for word in f"{title} {document.title}".split()}
    for element in document.elements_named("h1"):
        text = text_inside(document, element)
        heading_words = [key_of(word) for word in text.split()]
        if len(heading_words) > 1 and 2 * sum(word in title_words for word in heading_words) >= len(
            heading_words
        ):
            return text
    return ""


def _only_heading(document: Document) -> str:
    headings = [text_inside(document, element) for element in document.elements_named("h1")]
    return headings[0] if len(headings) == 1 else ""


def _without_site(title: str, site: str) -> str:
    """A title less the site's name; else its first part if it may be a headline."""
    parts = [part for part in _TITLE_PARTS.split(title) if part]
    if len(parts) < 2:
        return title
    if site:
        rest = [part for part in parts if key_of(part) != key_of(site)]
        if rest and rest != parts:
            return title[title.index(rest[0]) : title.rindex(rest[-1]) + len(rest[-1])]
    first, longest = parts[0], max(parts, key=len)
    is_headline = " " in first and 3 * len(first) > len(longest)
    return first if is_headline else longest
