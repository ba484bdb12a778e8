"""``/-/saved``: the list of saved pages, and the form that saves one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from winnow.document.addresses import parts_of
from winnow.features.saved.stores.saved_page import PageQuery, SavedEntry, SavedPage
from winnow.proxy.http.headers import number as number_in
from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import _, day, ngettext

SAVE: Final = "/-/save"
SAVED_STYLE: Final = own_file(__package__, "saved.css")
STYLE: Final = FRAME_STYLE + SAVED_STYLE
MOST_LISTED: Final = 10_000
"""Saved pages that can be reached by turning the pages of a list."""
_LIST: Final = page_template(__package__, "saved_list.html")
_SAVE: Final = page_template(__package__, "save.html")


def place(path: str, query: PageQuery, **more: str) -> Address:
    """The address of a list with the same words and tag."""
    fields = {"q": query.words, "tag": query.tag, **more}
    written = urlencode({name: value for name, value in fields.items() if value})
    return own_address(f"{path}?{written}" if written else path)


def list_page(
    entries: Sequence[SavedEntry], tags: Mapping[str, int], query: PageQuery, *, more: bool
) -> HtmlPage:
    """``more``: whether entries follow behind these."""
    number = query.offset // query.limit + 1
    return page_of(
        _LIST,
        style=STYLE,
        entries=entries,
        tags=tags,
        query=query,
        before=place(SAVED_PAGES, query, page=str(number - 1)) if number > 1 else None,
        behind=place(SAVED_PAGES, query, page=str(number + 1)) if more else None,
        facts_of=_facts,
        place=lambda path, tag: place(path, PageQuery(tag=tag)),
    )


def save_form(
    url: str, token: str, tags: Mapping[str, int], old: SavedPage | None = None
) -> HtmlPage:
    """Saves one page when the reader says so: no link of a page can.

    ``old``: what is saved of it.
    """
    return page_of(_SAVE, style=STYLE, page=web_address(url), token=token, tags=tags, old=old)


def _facts(entry: SavedEntry) -> Iterator[str]:
    """Site, day, notes, and whether there is but an address."""
    page = entry.page
    yield from filter(None, (page.site or parts_of(page.url).netloc, saved_day(page.saved)))
    if page.notes:
        yield ngettext("{number} note", "{number} notes", len(page.notes))
    if not entry.is_fetched:
        yield _("address only")


def saved_day(text: str) -> str:
    """The day of a date as it is stored; what is none stays."""
    try:
        return day(datetime.fromisoformat(text[:10]))
    except ValueError:
        return text[:10]


def query_of(request: OwnRequest) -> PageQuery:
    """What a list shows, by the request's parameters."""
    query = PageQuery(request.query.get("q", "")[:1000], request.query.get("tag", ""))
    page = number_in(request.query.get("page", "")) or 1
    return replace(query, offset=min((page - 1) * query.limit, MOST_LISTED))
