"""``/-/small/``: pages for feature phones, old browsers and text browsers, split into parts.

Links stay inside the gateway. Passwords are not forwarded, and no cookies are stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import quote_plus

from markupsafe import Markup

from winnow.document.values import Format, Page, Profile, Recipe
from winnow.jobs.results import SmallPart
from winnow.jobs.small_gateway import SMALL_PATH, size_text
from winnow.proxy.access.image_signatures import without_signature
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http import content_coding
from winnow.proxy.http.headers import number
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError, TransformError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import completed, quoted
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.devices import (
    CHARSETS,
    address_in,
    as_html,
    asks_for_secret,
    bounded,
    device,
    encoded,
    images_within,
    read_path,
    room,
    saved,
)
from winnow.proxy.own.handlers.form_checks import (
    LARGEST_FORM,
    form_token,
    posted,
    refuse_cross_site,
)
from winnow.proxy.own.handlers.page_parameters import recipe_at
from winnow.proxy.own.handlers.small_rendering import RENDER_PURPOSE, DrawnPages
from winnow.proxy.own.handlers.small_request import SmallRequest, SmallSettings
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other
from winnow.proxy.own.templates import small_pages
from winnow.proxy.own.templates.small_pages import POLICY
from winnow.proxy.own.translation import _
from winnow.proxy.stores.library import Library, LibraryEntry, LibraryStore
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.upstream.fetcher import FetchedResponse, Fetcher

BOOKMARK_PURPOSE: Final = "bookmark {url}"
MARGINS: Final = 16
"""Pixels of the margins that browsers add."""
_LOG: Final = logging.getLogger("winnow.engine.split_page")


class Shrinker(Protocol):
    """Splits pages and shrinks images. Raises TransformError."""

    async def small(
        self, page: Page, recipe: Recipe, measure: dict[str, int], image_prefix: str
    ) -> SmallPart: ...

    async def shrink(
        self, body: bytes, width: int, largest: int, *, webp: bool
    ) -> tuple[bytes, str]: ...


@dataclass(frozen=True)
class SmallGateway:
    """The pages below ``/-/small/``; one for the process."""

    fetcher: Fetcher
    shrinker: Shrinker
    policy: Callable[[], Policy]
    library: LibraryStore
    tokens: FormTokens
    settings: SmallSettings = field(default_factory=SmallSettings)
    drawn: DrawnPages | None = None

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        visit = self._visit(request)
        try:
            return await self._answer(visit)
        except ProxyError as error:
            url = address_in(visit.rest)
            page = small_pages.note_page(
                _("Something went wrong"), error.sentence, visit.frame, url
            )
            return await self._page(visit, page, error.status)

    def _visit(self, request: OwnRequest) -> SmallRequest:
        base = device(request.head.headers, self.settings.usual)
        _, _, path = quoted(request.head.target).partition(SMALL_PATH)
        signature, path = without_signature(path)
        options, rest = read_path(path, base)
        return SmallRequest(request, base, options, rest, bool(signature))

    async def _answer(self, visit: SmallRequest) -> OwnResponse:
        if not self.policy().gateway:
            raise ClientFaultError(says("The gateway is switched off."), 403, "gateway-off")
        name = visit.rest.partition("?")[0]
        views = {"": self._home, "go": self._go, "search": self._search, "options": self._options}
        views |= {"bookmark": self._bookmark, "render": self._render}
        if name in views:
            return await views[name](visit)
        url = address_in(visit.rest)
        if not url:
            raise ClientFaultError(says("Nothing is at {name}.", name=name), 404, "not-found")
        return await self._read(visit, url)

    async def _home(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "GET", "HEAD")
        now = self.library.now
        marks = [
            (entry, self._mark_form(visit, entry, "remove"))
            for entry in now.bookmarks
            if entry.owner == visit.owner
        ]
        recent = [entry for entry in now.recent if entry.owner == visit.owner][:12]
        page = small_pages.home_page(visit.options, visit.frame, saved(now), marks, recent)
        return await self._page(visit, page)

    async def _go(self, visit: SmallRequest) -> OwnResponse:
        return see_other(visit.prefix + completed(visit.query.get("url", "")))

    async def _search(self, visit: SmallRequest) -> OwnResponse:
        if "%s" not in self.settings.search:
            raise ClientFaultError(
                says("No search engine is set (gateway.search)."), 404, "no-search"
            )
        words = quote_plus(visit.query.get("q", ""))
        return see_other(visit.prefix + self.settings.search.replace("%s", words))

    async def _options(self, visit: SmallRequest) -> OwnResponse:
        read = {name: number(value) for name, value in visit.query.items()}
        values = {name: value for name, value in read.items() if value is not None}
        return see_other(SMALL_PATH + replace(bounded(values, visit.base), part=1).word(visit.base))

    async def _bookmark(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "POST")
        fields = await posted(visit.request, self.tokens, BOOKMARK_PURPOSE)
        entry = LibraryEntry(fields["url"], fields.get("title", "")[:200], visit.owner)
        if fields.get("do") == "remove":
            await self.library.change(lambda now: now.without_bookmark(entry))
        else:
            await self.library.change(lambda now: now.with_bookmark(entry))
        return see_other(visit.prefix)

    def _mark_form(self, visit: SmallRequest, entry: LibraryEntry, do: str) -> Markup:
        fields = {"url": entry.url, "title": entry.title, "do": do}
        text = _("Remove") if do == "remove" else _("Bookmark this page")
        token = form_token(self.tokens, visit.owner, BOOKMARK_PURPOSE, fields)
        return small_pages.button(f"{visit.prefix}bookmark", {**fields, "token": token}, text)

    async def _read(self, visit: SmallRequest, url: str) -> OwnResponse:
        """The page or image at an address, reduced for the device."""
        permit = visit.request.permit
        fetched = await self._fetched(visit, url, permit)
        kind = fetched.headers.get("content-type").partition(";")[0].strip().lower()
        if fetched.status != 200 and not kind.endswith("html"):
            raise ClientFaultError(
                says("The site answered with status {status}.", status=fetched.status), 502
            )
        if kind.startswith("image/"):
            return await self._image(visit, fetched)
        if visit.is_image:
            raise ClientFaultError(says("There is no image at this address."), 415, "no-image")
        if kind == "text/plain":
            return await self._article(visit, fetched, as_html(fetched))
        if kind in ("text/html", "application/xhtml+xml", ""):
            return await self._article(visit, fetched, fetched.page)
        about = _("This is a file of the kind {kind}, {size} large.")
        text = about.format(kind=kind, size=size_text(len(fetched.body)))
        page = small_pages.note_page(_("A file"), text, visit.frame, fetched.url)
        return await self._page(visit, page)

    async def _fetched(self, visit: SmallRequest, url: str, permit: Permit) -> FetchedResponse:
        only(visit.request, "GET", "HEAD", "POST")
        if visit.request.head.method != "POST":
            return await self.fetcher.get(url, permit)
        headers = visit.request.head.headers
        refuse_cross_site(visit.request)
        form = await visit.request.body(LARGEST_FORM)
        if "multipart" in headers.get("content-type").lower():
            raise ClientFaultError(says("File uploads are not supported."), 415, "upload")
        if asks_for_secret(form):
            message = says("Winnow does not forward passwords. Open the original page.")
            raise ClientFaultError(message, 403, "log-in")
        return await self.fetcher.post(url, permit, form)

    async def _article(
        self, visit: SmallRequest, fetched: FetchedResponse, page: Page
    ) -> OwnResponse:
        options, recipe = visit.options, self._recipe(visit, fetched.url)
        measure = {
            "part": options.part,
            "size": room(options),
            "images": images_within(options, self.settings.budget),
        }
        try:
            part = await self.shrinker.small(page, recipe, measure, recipe.link_prefix)
        except TransformError as error:
            drawn = await self._drawn(visit, fetched.url, recipe, error)
            if drawn is None:
                return await self._shell(visit, fetched.url)
            part = await self.shrinker.small(drawn, recipe, measure, recipe.link_prefix)
        entry = LibraryEntry(fetched.url, part.title[:200], visit.owner)
        await self._note(entry, fetched, part)
        summary = (
            _("{sent} instead of {received}.").format(
                sent=size_text(len(part.markup.encode())), received=size_text(fetched.raw)
            )
            + f" {saved(self.library.now)}"
        )
        mark = self._mark_form(visit, entry, "add")
        shown = small_pages.article_page(fetched.url, part, visit.frame, summary, mark)
        return await self._page(visit, shown)

    def _recipe(self, visit: SmallRequest, url: str) -> Recipe:
        return replace(
            recipe_at({}, url, visit.owner, self.policy()),
            format=Format.HTML,
            profile=Profile.BASIC,
            link_prefix=visit.request.base.rstrip("/") + visit.prefix,
        )

    async def _drawn(
        self, visit: SmallRequest, url: str, recipe: Recipe, error: TransformError
    ) -> Page | None:
        """A page that scripts write as a browser drew it, None if it must be asked for.

        Raises ``error`` again for any other page.
        """
        if error.reason != Reason.SCRIPT_SHELL:
            raise error
        return await self.drawn.wanted(visit.owner, url, recipe) if self.drawn else None

    async def _shell(self, visit: SmallRequest, url: str) -> OwnResponse:
        """Instead of a page that scripts write: a button that has them run."""
        token = form_token(self.tokens, visit.owner, RENDER_PURPOSE, {"url": url})
        run = small_pages.button(
            f"{visit.prefix}render", {"url": url, "token": token}, _("Run scripts and read")
        )
        page = small_pages.script_page(run, visit.frame, url)
        return await self._page(visit, page, HTTPStatus.UNPROCESSABLE_ENTITY)

    async def _render(self, visit: SmallRequest) -> OwnResponse:
        only(visit.request, "POST")
        fields = await posted(visit.request, self.tokens, RENDER_PURPOSE)
        url = completed(fields["url"])
        if self.drawn is None:
            raise ClientFaultError("No scripts are run here.", 404, "not-found")
        await self.drawn.now(visit.owner, url, self._recipe(visit, url))
        return see_other(visit.prefix + url)

    async def _note(self, entry: LibraryEntry, fetched: FetchedResponse, part: SmallPart) -> None:
        """Add the page to the history; an error of the library is only logged."""
        sent = len(part.markup.encode())

        def step(now: Library) -> Library:
            if part.part > 1 or not self.settings.history:
                return now.with_bytes(fetched.raw if part.part == 1 else 0, sent)
            return now.with_read(entry, fetched.raw, sent)

        await self._changed(step)

    async def _changed(self, step: Callable[[Library], Library]) -> None:
        try:
            await self.library.change(step)
        except StoreError as error:
            _LOG.warning("the library was not saved: %s", error)

    async def _image(self, visit: SmallRequest, fetched: FetchedResponse) -> OwnResponse:
        options = visit.options
        webp = "image/webp" in visit.request.head.headers.joined("accept")
        largest = options.image_kilobytes * 1000
        width = options.width - MARGINS
        body, kind = await self.shrinker.shrink(fetched.body, width, largest, webp=webp)
        await self._changed(lambda now: now.with_bytes(len(fetched.body), len(body)))
        fields = (("Vary", "Accept"), ("Cache-Control", "private, max-age=86400"))
        return OwnResponse(body, kind, 200, fields)

    async def _page(self, visit: SmallRequest, page: str, status: int = 200) -> OwnResponse:
        body = encoded(page, visit.options.text)
        headers = visit.request.head.headers
        accepted = headers.joined("accept-encoding") if "accept-encoding" in headers else None
        chosen = content_coding.choose_coding(accepted, len(body))
        fields: tuple[tuple[str, str], ...] = (
            ("Content-Security-Policy", POLICY),
            ("Vary", "Accept-Encoding, Accept-Charset, Viewport-Width"),
        )
        if chosen != "identity":
            body = await asyncio.to_thread(content_coding.encode, chosen, body)
            fields += (("Content-Encoding", chosen),)
        kind = f"text/html; charset={CHARSETS[visit.options.text]}"
        return OwnResponse(body, kind, status, fields)
