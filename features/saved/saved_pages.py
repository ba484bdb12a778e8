"""``/-/saved`` and below: a reader's saved pages, found by words and tags, with notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from winnow.features.books.book import book_response
from winnow.features.books.jobs import BindJob
from winnow.features.listen.audio import EPUB, SpokenArticles
from winnow.features.listen.templates.audio_links import audio_path
from winnow.features.listen.templates.listen_page import listen_page
from winnow.features.saved.save_page import now, record_of
from winnow.features.saved.saved_page_list import list_page, query_of
from winnow.features.saved.stores.saved_page import LONGEST_NOTE, Note, SavedPage
from winnow.features.saved.stores.saved_page_store import Images, SavedPageStore
from winnow.features.saved.templates.saved_article import SavedArticleView, article_page
from winnow.jobs.job_types import Workers
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.downloads import in_ranges
from winnow.proxy.own.handlers.form_checks import form_token, posted, refuse_strange_name
from winnow.proxy.own.handlers.page_parameters import looks_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import says
from winnow.speech.values import AudioFormat

PURPOSE: Final = "saved page {number}"
_PATH: Final = re.compile(
    r"/-/saved/([0-9]{1,15})(?:/(book\.epub|listen|audio\.(?:opus|mp3)|spoken\.epub|image/([0-9]{1,4})))?\Z"
)


@dataclass(frozen=True)
class SavedPages:
    """All of it belongs to one owner: another's number is no page."""

    store: SavedPageStore
    tokens: FormTokens
    workers: Workers
    spoken: SpokenArticles

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        refuse_strange_name(request)
        if request.path == SAVED_PAGES:
            only(request, "GET", "HEAD")
            return await self._list(request)
        found = _PATH.match(request.path)
        if found is None:
            raise _missing()
        number = int(found[1])
        if request.head.method == "POST" and not found[2]:
            return await self._changed(request, number)
        only(request, "GET", "HEAD", *(() if found[2] else ("POST",)))
        if found[3]:
            return await self._image(request, number, int(found[3]))
        shows = {
            "book.epub": self._book,
            "listen": self._listen,
            "spoken.epub": self._spoken,
            **dict.fromkeys(map("audio.{}".format, AudioFormat), self._spoken),
        }
        return await shows.get(found[2] or "", self._page)(request, number)

    async def _list(self, request: OwnRequest) -> OwnResponse:
        owner, query = request.head.owner, query_of(request)
        if url := request.query.get("url"):
            if number := await self.store.number_of(owner, url):
                return see_other(f"{SAVED_PAGES}/{number}")
            raise ClientFaultError(says("You have not saved this page."), 404, "not-saved")
        entries = await self.store.find(owner, replace(query, limit=query.limit + 1))
        tags = await self.store.tags(owner)
        more = len(entries) > query.limit
        return shown(list_page(entries[: query.limit], tags, query, more=more))

    async def _page(self, request: OwnRequest, number: int) -> OwnResponse:
        owner = request.head.owner
        page = await self._found(owner, number)
        token = form_token(self.tokens, owner, PURPOSE, {"number": str(number)})
        images, is_new = await self.store.images(owner, number), "saved" in request.query
        looks, files = looks_of(request), self._files(number)
        view = SavedArticleView(number, token, looks, files, is_new)
        return shown(article_page(page, images, view))

    def _files(self, number: int) -> Mapping[str, str]:
        """Where the page is as an audio file, by kind."""
        return {kind: audio_path(number, kind) for kind in self.spoken.kinds}

    async def _image(self, request: OwnRequest, number: int, place: int) -> OwnResponse:
        image = await self.store.image(request.head.owner, number, place)
        if image is None:
            raise _missing()
        stays = ("Cache-Control", "private, max-age=3600")
        return OwnResponse(image[0], image[1], 200, (stays,))

    async def _listen(self, request: OwnRequest, number: int) -> OwnResponse:
        page = await self._found(request.head.owner, number)
        files, looks = self._files(number), looks_of(request)
        return shown(listen_page(record_of(page), page.url, looks, files))

    async def _spoken(self, request: OwnRequest, number: int) -> OwnResponse:
        only(request, "GET")
        owner, kind = request.head.owner, request.path.rpartition(".")[2]
        page = await self._found(owner, number)
        images = await images_of(self.store, owner, number) if kind == EPUB else {}
        file = await self.spoken.file(owner, record_of(page), kind, images)
        return in_ranges(file, request.head.headers)

    async def _book(self, request: OwnRequest, number: int) -> OwnResponse:
        page = await self._found(request.head.owner, number)
        images = await images_of(self.store, request.head.owner, number)
        book = await self.workers.run(BindJob([record_of(page)], "", images))
        return book_response(book, page.title or f"winnow-{number}")

    async def _changed(self, request: OwnRequest, number: int) -> OwnResponse:
        fields = await posted(request, self.tokens, PURPOSE)
        if fields.get("number") != str(number):
            raise ClientFaultError(says("This form is of another page."), 400, "bad-form")
        owner, here = request.head.owner, f"{SAVED_PAGES}/{number}"
        match fields.get("do"):
            case "tags":
                await self.store.label(owner, number, fields.get("tags", "").split(","))
            case "note":
                await self.store.add_note(owner, number, _note(fields))
                here += "#notes"
            case "remove note":
                note = Note(*_texts(fields, "quote", "remark", "made"))
                await self.store.remove_note(owner, number, note)
                here += "#notes"
            case "delete":
                await self.store.remove(owner, number)
                here = SAVED_PAGES
            case _:
                raise ClientFaultError(says("There is no such change."), 400, "bad-form")
        return see_other(here)

    async def _found(self, owner: str, number: int) -> SavedPage:
        page = await self.store.page(owner, number)
        if page is None:
            raise _missing()
        return page


async def images_of(store: SavedPageStore, owner: str, number: int) -> Images:
    """All stored images of a page by their addresses."""
    found = {}
    for place, url in enumerate(await store.images(owner, number)):
        if image := await store.image(owner, number, place):
            found[url] = image
    return found


def _note(fields: Mapping[str, str]) -> Note:
    """Raises ClientFaultError for an empty note."""
    quote, remark = _texts(fields, "quote", "remark")
    if not quote and not remark:
        raise ClientFaultError(says("Enter words to highlight, or a note."), 400, "bad-form")
    return Note(quote, remark, now())


def _texts(fields: Mapping[str, str], *names: str) -> list[str]:
    """Fields with plain line ends: forms are sent with CRLF (HTML, 4.10.21.8)."""
    texts = (fields.get(name, "").replace("\r\n", "\n").strip() for name in names)
    return [text[:LONGEST_NOTE] for text in texts]


def _missing() -> ClientFaultError:
    return ClientFaultError(says("There is no such saved page."), 404, "not-found")
