"""``/-/small/``: pages for feature phones, old browsers and text browsers, split into parts.

Links stay inside the gateway. Passwords are not forwarded, and no cookies are stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import quote_plus

from winnow.features.small.small_article import NO_IMAGE, SmallArticles
from winnow.features.small.small_library import BOOKMARK_PURPOSE, RENDER_PURPOSE
from winnow.features.small.small_request import SmallRequest
from winnow.features.small.small_response import page_response
from winnow.features.small.templates import small_pages
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.access.credentials.image_signatures import without_signature
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.request_target import completed, quoted
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.devices import address_in, bounded, device, read_path, saved
from winnow.proxy.own.handlers.form_checks import posted
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other
from winnow.proxy.own.translation import _


def as_it_is(address: str) -> OwnResponse:
    """Instead of an image that cannot be made smaller: the browser gets what there is."""
    return OwnResponse(b"", "text/plain", HTTPStatus.FOUND, (("Location", address),))


@dataclass(frozen=True)
class SmallGateway:
    """The pages below ``/-/small/``; one for the process."""

    articles: SmallArticles

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        visit = self._visit(request)
        try:
            return await self._answer(visit)
        except ProxyError as error:
            url = address_in(visit.rest)
            if url and visit.shows_image and error.reason != NO_IMAGE:
                return as_it_is(url if visit.is_image else f"/{url}")
            page = small_pages.note_page(
                _("Something went wrong"), error.sentence, visit.frame, url
            )
            return await page_response(visit, page, error.status)

    def _visit(self, request: OwnRequest) -> SmallRequest:
        base = device(
            request.head.headers, self.articles.settings.usual, self.articles.policy().devices
        )
        _, _, path = quoted(request.head.target).partition(SMALL_PATH)
        signature, path = without_signature(path)
        options, rest = read_path(path, base)
        return SmallRequest(request, base, options, rest, bool(signature))

    async def _answer(self, visit: SmallRequest) -> OwnResponse:
        if not self.articles.policy().gateway:
            raise ClientFaultError(says("The gateway is switched off."), 403, "gateway-off")
        name = visit.rest.partition("?")[0]
        views = {"": self._home, "go": self._go, "search": self._search, "options": self._options}
        views |= {"bookmark": self._bookmark, "render": self._render, "jump": self._jump}
        if name in views:
            return await views[name](visit)
        url = address_in(visit.rest)
        if not url:
            raise ClientFaultError(says("Nothing is at {name}.", name=name), 404, "not-found")
        return await self.articles(visit, url)

    async def _home(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "GET", "HEAD")
        now = self.articles.library.store.now
        marks = [
            (entry, self.articles.library.mark_form(visit, entry, "remove"))
            for entry in now.bookmarks
            if entry.owner == visit.owner
        ]
        recent = [entry for entry in now.recent if entry.owner == visit.owner][:12]
        page = small_pages.home_page(visit.options, visit.frame, saved(now), marks, recent)
        return await page_response(visit, page)

    async def _go(self, visit: SmallRequest) -> OwnResponse:
        return see_other(visit.prefix + completed(visit.query.get("url", "")))

    async def _search(self, visit: SmallRequest) -> OwnResponse:
        if "%s" not in self.articles.settings.search:
            raise ClientFaultError(
                says("No search engine is chosen in the settings."), 404, "no-search"
            )
        words = quote_plus(visit.query.get("q", ""))
        return see_other(visit.prefix + self.articles.settings.search.replace("%s", words))

    async def _options(self, visit: SmallRequest) -> OwnResponse:
        read = {name: number(value) for name, value in visit.query.items()}
        values = {name: value for name, value in read.items() if value is not None}
        return see_other(SMALL_PATH + replace(bounded(values, visit.base), part=1).word(visit.base))

    async def _bookmark(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "POST")
        fields = await posted(visit.request, self.articles.library.tokens, BOOKMARK_PURPOSE)
        library = self.articles.library
        entry = library.entry(visit, fields["url"], fields.get("title", ""))
        if fields.get("do") == "remove":
            await library.store.change(lambda now: now.without_bookmark(entry))
        else:
            await library.store.change(lambda now: now.with_bookmark(entry))
        return see_other(visit.prefix)

    async def _jump(self, visit: SmallRequest) -> OwnResponse:
        """From the field for a page's number to that page."""
        part = number(visit.query.get("part", "").strip()) or 1
        word = bounded({"part": part}, visit.options).word(visit.base)
        return see_other(SMALL_PATH + word + completed(visit.query.get("url", "")))

    async def _render(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "POST")
        fields = await posted(visit.request, self.articles.library.tokens, RENDER_PURPOSE)
        url = completed(fields["url"])
        await self.articles.run_scripts(visit, url)
        return see_other(visit.prefix + url)
