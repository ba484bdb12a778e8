"""``/-/saved/NUMBER``: one saved page with its tags and notes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from winnow.features.books.saved_markup import highlighted, with_images
from winnow.features.listen.templates.audio_links import audio_files
from winnow.features.listen.templates.tools import Tool, tool, tools_of
from winnow.features.saved.saved_page_list import SAVE, SAVED_STYLE, saved_day
from winnow.features.saved.stores.saved_page import SavedPage
from winnow.proxy.own.checked_values import Address, own_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of, reading_style
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import _

_TEMPLATE: Final = page_template(__package__, "saved_article.html")


@dataclass(frozen=True, slots=True)
class SavedArticleView:
    """``token``: of the forms for the page of this number. ``looks``: where Aa leads.

    ``files``: addresses of audio files by their kind. ``is_new``: it has just been saved.
    """

    number: int
    token: str
    looks: Address
    files: Mapping[str, str]
    is_new: bool = False

    @property
    def path(self) -> str:
        return f"{SAVED_PAGES}/{self.number}"


def article_page(page: SavedPage, images: Sequence[str], view: SavedArticleView) -> HtmlPage:
    """The article as it was saved, without script; images from our own store alone."""
    places = {url: f"{view.path}/image/{place}" for place, url in enumerate(images)}
    quotes = [note.quote for note in page.notes]
    return page_of(
        _TEMPLATE,
        style=reading_style(SAVED_STYLE),
        kind="reading",
        title=page.title or page.url,
        page=page,
        content=highlighted(with_images(page.content, places), quotes),
        lang=page.language,
        dir=page.direction,
        tools=_tools(page, view),
        facts=list(filter(None, _facts(page))),
        files=audio_files(view.files) if page.content else (),
        here=own_address(view.path),
        number=str(view.number),
        token=view.token,
        is_new=view.is_new,
    )


def _facts(page: SavedPage) -> Iterator[str]:
    yield from (page.byline, page.site, saved_day(page.published))
    yield _("saved {day}").format(day=saved_day(page.saved))


def _tools(page: SavedPage, view: SavedArticleView) -> tuple[Tool, ...]:
    fetch = f"{SAVE}?{urlencode({'url': page.url})}"
    if not page.content:
        return tools_of(page.url, view.looks, tool(_("Fetch the text"), fetch), None)
    return tools_of(
        page.url,
        view.looks,
        Tool(_("Saved"), None),
        tool(_("Listen"), f"{view.path}/listen"),
        tool(_("Download EPUB, for e-readers"), f"{view.path}/book.epub"),
        tool(_("Fetch again"), fetch),
    )
