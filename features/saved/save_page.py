"""``/-/save?url=``: fetches a page's article and images and stores them for its reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from winnow.features.saved.saved_page_list import save_form
from winnow.features.saved.stores.saved_page import SavedPage, tags_of
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.messages import Permit
from winnow.proxy.own.handlers.article_fetch import ArticleFetch, Record, within
from winnow.proxy.own.handlers.form_checks import form_token, posted, refuse_strange_name
from winnow.proxy.own.handlers.page_parameters import address_of, is_vouched, seen_at
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.in_page.looks_panel import LATER
from winnow.proxy.own.templates.navigation import SAVED_PAGES

PURPOSE: Final = "save {url}"
_NEW: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class PageSaver:
    """``image_space``: bytes of the images of one page."""

    articles: ArticleFetch
    store: SavedPageStore
    image_space: int

    async def save(self, owner: str, page: SavedPage, permit: Permit) -> int:
        """Store a page with its images; its number."""
        wanted = [(page.url, record_of(page))] if self.image_space else []
        images = await self.articles.images(wanted, permit)
        return await self.store.save(owner, page, within(images, self.image_space))


@dataclass(frozen=True)
class SavePage:
    """GET shows a form, POST saves: what a page links to saves nothing, unless a person clicks
    *Read later* in the page itself (``now``), which another click takes back (``undo``)."""

    saver: PageSaver
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        url, owner = address_of(request), request.head.owner
        if request.head.method == "POST":
            fields = await posted(request, self.tokens, PURPOSE)
            number = await self._saved(request, url, fields.get("tags", ""))
            return see_other(f"{SAVED_PAGES}/{number}?saved=1")
        token = form_token(self.tokens, owner, PURPOSE, {"url": url})
        store = self.saver.store
        at = await store.number_of(owner, url)
        old = await store.page(owner, at) if at is not None else None
        if is_vouched(request, url):
            if "now" in request.query:
                if old is None:
                    await self._saved(request, url, "")
                return see_other(f"{seen_at(request, url)}#{LATER}")
            if at is not None and old and is_new(old) and "undo" in request.query:
                await store.remove(owner, at)
                return see_other(seen_at(request, url))
        return shown(save_form(url, token, await store.tags(owner), old))

    async def _saved(self, request: OwnRequest, url: str, tags: str) -> int:
        record = await self.saver.articles.record(url, request)
        page = page_of(record, url, tags)
        return await self.saver.save(request.head.owner, page, request.permit)


def is_new(page: SavedPage) -> bool:
    """Whether it was saved minutes ago, and nothing was done with it since."""
    age = datetime.now(UTC) - datetime.fromisoformat(page.saved)
    return age < _NEW and not page.tags and not page.notes


def page_of(record: Record, url: str, tags: str) -> SavedPage:
    """An extraction's JSON as a page that is saved now."""
    return SavedPage(
        url=url,
        title=_text(record, "title"),
        content=_text(record, "content"),
        text=_text(record, "textContent"),
        byline=_text(record, "byline"),
        site=_text(record, "siteName"),
        language=_text(record, "lang"),
        direction=_text(record, "dir"),
        published=_text(record, "publishedTime"),
        excerpt=_text(record, "excerpt"),
        saved=now(),
        tags=tags_of(tags.split(",")),
    )


def record_of(page: SavedPage) -> Mapping[str, str]:
    """The fields of an extraction's JSON that a book needs; the inverse of ``page_of``."""
    return {
        "title": page.title or page.url,
        "siteName": page.site,
        "content": page.content,
        "url": page.url,
        "byline": page.byline,
        "publishedTime": page.published,
        "lang": page.language,
        "dir": page.direction,
    }


def now() -> str:
    """The time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _text(record: Record, name: str) -> str:
    return str(record[name] or "")
