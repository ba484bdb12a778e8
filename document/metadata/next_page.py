"""The pages before and after this one, where a text, a thread or a list is split over several.

Crunch took a link whose text begins with "next", or is the number of the page to come. Here a link
that says ``rel=next`` goes before both, and every one must lead to the same host, and to an address
made of this one: else the next story, or the next post of a weblog, would be read as the next page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import SplitResult

import numpy as np

from winnow.document.addresses import joined, parts_of
from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import text_inside

_NEXT: Final = re.compile(
    r"(?:next|weiter|nächste|suivant|page suivante|siguiente|próxim|avanti|successiv|volgende"
    r"|nästa|neste|næste|seuraava|dalej|następn|další|далее|следующ|sonraki|下一[页頁]|次へ|次の|다음)",
    re.IGNORECASE,
)
_PREVIOUS: Final = re.compile(
    r"(?:prev|zurück|vorherige|précédent|page précédente|anterior|precedente|vorige|föregående"
    r"|forrige|edellinen|poprzedni|předchozí|назад|предыдущ|önceki|上一[页頁]|前へ|前の|이전)",
    re.IGNORECASE,
)
_PAGING: Final = re.compile(
    r"(?:[/_.,-]?(?:p|pg|page|seite|part)?[/_.,=-]?(?<!\d)\d{1,3})?/?$", re.IGNORECASE
)
_EXTENSION: Final = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_PARAMETER: Final = re.compile(r"[^&;]+")
_SESSION: Final = re.compile(r"(?:sid|s|phpsessid|ref|utm_\w+|\w+clid)=", re.IGNORECASE)
_COUNTING: Final = re.compile(
    r"(?:\w*page\w*|pg?|pn|start|st|offset|seite|pagina)=\d{1,6}", re.IGNORECASE
)
"""A parameter that names a page, or the first entry on it."""
_NEW: Final = re.compile(r"\w+=\d{1,6}")
_ENTRY: Final = re.compile(r"p=\d{3}")
"""WordPress's number of an entry, where it alone is asked for."""
_COUNT: Final = re.compile(r"(?<=[.,_-])\d{1,5}$")
"""The number of a page, or of its first entry, at a value's end."""
_ARROWS: Final = " \t«‹←»›→>[]()"
_MOST: Final = 200
"""Links that are looked at."""
_MOST_DIGITS: Final = 4
_TAIL: Final = 20
_SHORT: Final = 3
"""Letters of a path's last part that other words end with, too."""
_MARKS: Final = "/?&;_.,-="
"""What stands behind a path's stem in other pages' addresses."""
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_READ: Final = frozenset({"href", "rel", "aria-label", "title"})


class Turning(NamedTuple):
    """The addresses of the page before and of that behind this one, "" where there is none; this
    one's number and how many there are, 0 where the page does not say."""

    previous: str = ""
    following: str = ""
    number: int = 0
    total: int = 0


class _Link(NamedTuple):
    address: str
    rel: Sequence[str]
    text: str


def next_page(document: Document, number: int = 1) -> str:
    """The address of the page after this one, which is the ``number``-th; "" if there is none."""
    links = _links(document)
    return _first(links, "next", _NEXT) or _numbered(links).get(number + 1, "")


@needs("a", "link", absent=Turning())
def turning_of(document: Document) -> Turning:
    """Where to turn from this page, as its links say. O(links)."""
    links = _links(document)
    if not links:
        return Turning()
    numbers = _numbered(links)
    following, previous = _first(links, "next", _NEXT), _first(links, "prev", _PREVIOUS)
    counts = {address: number for number, address in numbers.items()}
    number = counts.get(following, 0) - 1 if following in counts else counts.get(previous, -1) + 1
    last = max(number, *numbers, 0)
    if not number:  # the first without a link, before another, is this page's
        number = next((at for at in range(1, last) if at not in numbers), 0)
    previous = previous if previous != following else ""
    if number:
        following = following or numbers.get(number + 1, "")
        previous = previous or numbers.get(number - 1, "")
    is_known = number and (previous or following)
    return Turning(previous, following, *(number, last) if is_known else ())


def _first(links: Sequence[_Link], rel: str, text: re.Pattern[str]) -> str:
    """The address of the link that says what it is, else of the first whose text does."""
    stated = (link.address for link in links if rel in link.rel)
    named = (link.address for link in links if text.match(link.text))
    return next(stated, "") or next(named, "")


def _numbered(links: Sequence[_Link]) -> dict[int, str]:
    """The addresses of the pages that links call by their number."""
    found: dict[int, str] = {}
    for link in links:
        if link.text.isdecimal() and len(link.text) <= _MOST_DIGITS:
            found.setdefault(int(link.text), link.address)
    return found


def _links(document: Document) -> Sequence[_Link]:
    """The links to other pages of the text at this address: they hold the stem of its path, or
    begin with what they ask for."""
    here, elements, found = parts_of(document.page.url or ""), document.elements, list[_Link]()
    stem, base = _stem(here.path), base_of(document)
    last, is_later = stem.rpartition("/")[2], here.query or stem != here.path.rstrip("/")
    marks = f'{_MARKS}"' if is_later else _MARKS
    begins = ("/", '"') if 0 < len(last) <= _SHORT and last.isascii() else ("",)
    ending = _NOT_ASCII.split(last or "page")[-1]  # the compiled loop looks for ASCII alone
    words = (' href="?', *[f"{each}{ending}{mark}" for mark in marks for each in begins])
    for name in ("link", "a") if here.netloc else ():
        among = np.array(document.elements_named(name), dtype=np.int32)
        starts, ends = elements.open_start[among], elements.open_end[among]
        holding = start_tags.holding(document.markup, starts, ends, words)
        for element in among[holding[:_MOST]].tolist():
            attributes = document.attributes_of(element, _READ)
            there = parts_of(joined(base, attributes.get("href", "").strip()))
            if _is_part(here, there, stem):
                whole = there._replace(fragment="").geturl()
                said = text_inside(document, element).strip(_ARROWS)
                said = said or attributes.get("aria-label", "") or attributes.get("title", "")
                found.append(_Link(whole, attributes.get("rel", "").lower().split(), said))
    return found


def _is_part(here: SplitResult, there: SplitResult, stem: str) -> bool:
    """Whether an address is another page of the text at ``here``: same host, same stem, and
    nothing else asked for."""
    if (there.path, there.query) == (here.path, here.query) or not there.path.startswith(stem):
        return False
    if there.scheme not in ("http", "https") or there.netloc.lower() != here.netloc.lower():
        return False
    if _stem(there.path) != stem:
        return False
    before, after = (_asked(parts.query) for parts in (here, there))
    new, gone = after - before, before - after
    if there.path != here.path:
        return not new
    there_is, here_is = "&".join(new), "&".join(gone)
    if new and len(before) == 1 and here.path[-1:] == "/" and _ENTRY.match(here_is):
        return False
    return len(new) < 2 and len(gone) < 2 and _turns(there_is, here_is)


def _turns(new: str, gone: str) -> bool:
    """Whether a parameter that another address has in place of one of this names another page."""
    if new and gone:
        is_named = _COUNTING.fullmatch(new) and new.partition("=")[0] == gone.partition("=")[0]
        is_path = "/" in new and _stem(new) == _stem(gone)
        return is_path or bool(is_named) or _COUNT.sub("", new) == _COUNT.sub("", gone)
    return bool(_NEW.fullmatch(new) or _COUNTING.fullmatch(gone))


def _asked(query: str) -> frozenset[str]:
    """The parameters of a query, each with its value, but for a session's and visits'."""
    return frozenset(each for each in _PARAMETER.findall(query) if not _SESSION.match(each))


def _stem(path: str) -> str:
    """A path without its ending and the number of its page, which stand among its last letters."""
    whole = path.rstrip("/")
    tail = _EXTENSION.sub("", whole[-_TAIL:])
    return whole[:-_TAIL] + _PAGING.sub("", tail)
