"""A page's headline: its topic, without the site's name and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from winnow.document.addresses import parts_of
from winnow.document.document import Document
from winnow.document.metadata.linked_data import LinkedFacts
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import PERMALINK_SIGNS, key_of, shortened, text_inside
from winnow.document.values import MEDIA, Extraction, Label

_TITLE_PARTS: Final = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb\u203a:\\/-]{1,2}\s+")
TITLE_LIMIT: Final = 250
"""Longer titles (characters) are a page's text swallowed by an unclosed element."""
META_TITLES: Final = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_BESIDE: Final = re.compile(
    r"(?:^|[ _-])(?:label|prefix|badge|flair|descriptor)(?:$|[ _-])", re.IGNORECASE
)
"""Classes of what stands in a headline beside the topic: a thread's kind, "Title:"."""
_SHORT: Final = 3
"""Letters of a host's label, or of a heading, that say too little."""
_SHARES: Final = {"h1": 4, "h2": 2}
"""A heading that is a smaller share of the title than one in so many is one of its words."""
_FRONTS: Final = frozenset("home homepage frontpage index startseite accueil inicio".split())
"""What a site's front page is called by any site."""
_SERVICE: Final = "service"
_WORDS: Final = (2, 14)
"""Words of a title that names what a page offers."""
_CHAPTER: Final = re.compile(
    r"\d|chapter|part|lesson|kapitel|teil|chapitre|partie|capítulo|capitolo"
)
"""How the key of a chapter's heading begins."""
_SIGNS: Final = " |\u2013\u2014\u00b7\u00bb\u203a:\\/-"
"""What stands between the parts of titles."""
_TIME: Final = tags.CODES["time"]
_LINK: Final = tags.CODES["a"]


class Headline(NamedTuple):
    """A title and the heading that shows it, -1 where none does."""

    title: str
    element: int = -1


def headline_of(
    document: Document, extraction: Extraction, metas: Mapping[str, str], data: LinkedFacts
) -> Headline:
    """The page's headline, without the site's name where that is recognised; one line.

    It is found once: an extraction that has its title already has this headline.
    """
    known: Headline | None = document.found.get(Headline)
    if known and known.title == extraction.title:
        return known
    declared = data.title or next(filter(None, map(metas.get, META_TITLES)), "")
    site = metas.get("og:site_name") or data.site
    if headline_of not in document.found:
        document.found[headline_of] = _shown(document, declared or document.title, site)
    found: Headline = document.found[headline_of]
    if stated := _stated(document, extraction):
        element = found.element if key_of(found.title) == key_of(stated) else -1
        found = Headline(stated, element)
    if extraction.page_type == _SERVICE and document.title:
        found = _named_by_title(document, found, site)
    if not found.title:
        found = Headline(_without_site(declared or document.title, site))
    if not found.title:
        found = _only_heading(document)
    found = Headline(shortened(found.title, TITLE_LIMIT), found.element)
    document.found[Headline] = found
    return found


def _stated(document: Document, extraction: Extraction) -> str:
    """The title that the extractor found; what ``<title>`` says is none of its own."""
    title = " ".join(extraction.title.split()) if extraction.title else ""
    if title and title != document.title:
        return title
    spans = [span for span in extraction.spans if span.label is Label.TITLE]
    texts = [document.plain(span.start, span.end) for span in spans] if spans else ()
    return " ".join(" ".join(texts).split()) if texts else ""


@needs("h1", "h2", absent=Headline(""))
def _shown(document: Document, declared: str, site: str) -> Headline:
    """The heading that shows the declared title; one of the site's name where nothing else is
    declared."""
    whole = Headline("")
    for item in chain(_matching(document, declared), _related(document, declared)):
        if not _is_site(document, item, site):
            return item
        if not whole.title and key_of(item.title) == key_of(declared):
            whole = item
    return whole


def _named_by_title(document: Document, found: Headline, site: str) -> Headline:
    """What a page that offers something calls itself: its heading is a slogan as often as not."""
    title, parts = _without_site(document.title, site), _TITLE_PARTS.split(document.title)
    if title == document.title and len(parts) > 1:
        title = title[: -len(parts[-1])].rstrip(_SIGNS)
    is_part = key_of(found.title) in map(key_of, (title, *parts))
    if is_part or not _WORDS[0] <= len(title.split()) <= _WORDS[1]:
        return found
    return Headline(title)


def _matching(document: Document, title: str) -> Iterator[Headline]:
    """The headings that the page's title contains: the site's name is not in them."""
    key = key_of(title)
    parts = [key_of(part) for part in _TITLE_PARTS.split(title)]
    for name in ("h1", "h2") if key else ():
        for element in document.elements_named(name):
            text = _topic_in(document, element)
            part = key_of(text)
            if len(part) > _SHORT and part in key:
                if name == "h1" and part == parts[-1] and len(parts) > 1:
                    yield from _first_part(document, parts[0])
                if name == "h1" and key.startswith(part):
                    yield from _chapter(document, key[len(part) :])
                most = key if name == "h2" else next((one for one in parts if part in one), "")
                if _SHARES[name] * len(part) >= len(most):
                    yield Headline(text, element)


def _first_part(document: Document, part: str) -> Iterator[Headline]:
    """The heading that is the first part of a title whose last is a book's or a site's name."""
    for element in document.elements_named("h2"):
        if key_of(text := _topic_in(document, element)) == part:
            yield Headline(text, element)


def _chapter(document: Document, rest: str) -> Iterator[Headline]:
    """The numbered heading that a title goes on with behind the name of a book."""
    for element in document.elements_named("h2") if _CHAPTER.match(rest) else ():
        key = key_of(text := _topic_in(document, element))
        if len(key) > _SHORT and rest.startswith(key):
            yield Headline(text, element)


def _related(document: Document, title: str) -> Iterator[Headline]:
    """The ``<h1>`` half of whose words are in the title: titles are often reworded."""
    title_words = {key_of(word) for word in f"{title} {document.title}".split()}
    for element in document.elements_named("h1"):
        text = _topic_in(document, element)
        words = [key_of(word) for word in text.split()]
        if len(words) > 1 and 2 * sum(word in title_words for word in words) >= len(words):
            yield Headline(text, element)


def _only_heading(document: Document) -> Headline:
    found = document.elements_named("h1")
    return Headline(_topic_in(document, found[0]), found[0]) if len(found) == 1 else Headline("")


def _topic_in(document: Document, heading: int) -> str:
    """A heading's text without dates, labels and the link to itself; whole if nothing is left."""
    elements, pieces = document.elements, document.pieces
    beside = [
        element
        for element in range(heading + 1, int(elements.last[heading]))
        if elements.tag[element] == _TIME
        or _BESIDE.search(document.attributes_of(element, {"class"}).get("class", ""))
    ]
    whole = text_inside(document, heading).rstrip(PERMALINK_SIGNS + " ")
    if not beside:
        return whole
    dropped = {
        piece
        for element in beside
        for piece in range(elements.first_piece[element], elements.last_piece[element])
    }
    parts = (
        tags.SEPARATORS[pieces.gap[piece]] + document.text[pieces.start[piece] : pieces.end[piece]]
        for piece in range(elements.first_piece[heading], elements.last_piece[heading])
        if piece not in dropped
    )
    rest = " ".join("".join(parts).replace(MEDIA, " ").split()).strip(PERMALINK_SIGNS + " -:|")
    return rest or whole


def _is_site(document: Document, headline: Headline, site: str) -> bool:
    """Whether a heading names the site: by its words, or because it leads to the front page."""
    key = key_of(headline.title)
    if key in _FRONTS:
        return True
    if (site and key == key_of(site)) or key in _names_of_host(document.page.url):
        return True
    elements, element = document.elements, headline.element
    around = (int(elements.parent[element]), *range(element, int(elements.last[element])))
    return any(
        elements.tag[link] == _LINK and _is_front(document, link) for link in around if link >= 0
    )


def _names_of_host(url: str | None) -> set[str]:
    """What a host calls itself: ``virtualbox.org``, ``virtualbox``; none on its front page."""
    parts = parts_of(url or "")
    host = (parts.hostname or "").removeprefix("www.")
    labels = host.split(".")[:-1] if parts.path.strip("/") else []
    return {key_of(label) for label in labels if len(label) > _SHORT} | {key_of(host)} - {""}


def _is_front(document: Document, link: int) -> bool:
    href = document.attributes_of(link, {"href"}).get("href", "").strip()
    here, there = parts_of(document.page.url or ""), parts_of(href)
    is_here = there.netloc in {"", here.netloc}
    return bool(href) and is_here and there.path in {"/", "./", "."} and not there.query


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
