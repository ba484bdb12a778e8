"""A page or an image at an address, reduced for a small screen: text in parts, forms, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from winnow.document.values import Format, Page, Profile, Recipe
from winnow.features.small.jobs import SmallPartJob
from winnow.features.small.small_library import SmallLibrary
from winnow.features.small.small_rendering import DrawnPages
from winnow.features.small.small_request import SmallRequest, SmallSettings
from winnow.features.small.small_response import page_response
from winnow.features.small.templates import small_pages
from winnow.features.small.templates.small_part_pages import article_page, headings_page
from winnow.jobs.job_types import Workers
from winnow.jobs.page_jobs import ShrinkJob
from winnow.jobs.small_gateway import Measure, size_text
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.devices import as_html, images_within, room, saved
from winnow.proxy.own.handlers.page_parameters import recipe_at
from winnow.proxy.own.router import OwnResponse, only
from winnow.proxy.own.translation import _
from winnow.proxy.upstream.fetcher import FetchedResponse, Fetcher

MARGINS: Final = 16
"""Pixels of the margins that browsers add."""
NO_IMAGE: Final = "no-image"
"""The reason of what is sent for no signed address: anything but an image."""


@dataclass(frozen=True)
class SmallArticles:
    """Reads addresses for ``SmallGateway``."""

    fetcher: Fetcher
    workers: Workers
    policy: Callable[[], Policy]
    library: SmallLibrary
    settings: SmallSettings
    drawn: DrawnPages | None

    async def __call__(self, visit: SmallRequest, url: str) -> OwnResponse:
        """The page or image at an address, reduced for the device."""
        fetched = await self._fetched(visit, url)
        kind = fetched.headers.get("content-type").partition(";")[0].strip().lower()
        if fetched.status != 200 and not kind.endswith("html"):
            raise ClientFaultError(
                says("The site answered with status {status}.", status=fetched.status), 502
            )
        if kind.startswith("image/"):
            return await self._image(visit, fetched)
        if visit.is_image:
            raise ClientFaultError(says("There is no image at this address."), 415, NO_IMAGE)
        if kind == "text/plain":
            return await self._article(visit, fetched, as_html(fetched))
        if kind in ("text/html", "application/xhtml+xml", ""):
            return await self._article(visit, fetched, fetched.page)
        about = _("This is a file of the kind {kind}, {size} large.")
        text = about.format(kind=kind, size=size_text(len(fetched.body)))
        page = small_pages.note_page(_("A file"), text, visit.frame, fetched.url)
        return await page_response(visit, page)

    async def _fetched(self, visit: SmallRequest, url: str) -> FetchedResponse:
        only(visit.request, "GET", "HEAD", "POST")
        if visit.request.head.method != "POST":
            return await self.fetcher.get(url, visit.request.permit)
        return await self.fetcher.post(url, visit.request.permit, await visit.form())

    async def _article(
        self, visit: SmallRequest, fetched: FetchedResponse, page: Page
    ) -> OwnResponse:
        options, recipe = visit.options, self._recipe(visit, fetched.url)
        images = images_within(options, self.settings.budget)
        measure = Measure(options.part, room(options), images)
        try:
            part = await self.workers.run(SmallPartJob(page, recipe, measure, recipe.link_prefix))
        except TransformError as error:
            drawn = await self._drawn(visit, fetched.url, recipe, error)
            if drawn is None:
                return await self._shell(visit, fetched.url)
            job = SmallPartJob(drawn, recipe, measure, recipe.link_prefix)
            part = await self.workers.run(job)
        entry = self.library.entry(visit, fetched.url, part.title)
        sent, first = len(part.markup.encode()), part.part == 1 and not options.headings
        await self.library.note(visit, entry, fetched.raw, sent, first=first)
        if options.headings:
            return await page_response(visit, headings_page(fetched.url, part, visit.frame))
        summary = (
            _("{sent} instead of {received}.").format(
                sent=size_text(sent), received=size_text(fetched.raw)
            )
            + f" {saved(self.library.store.now)}"
        )
        mark = self.library.mark_form(visit, entry, "add")
        shown = article_page(fetched.url, part, visit.frame, summary, mark)
        return await page_response(visit, shown)

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
        if error.reason != Reason.SCRIPT_SHELL or self.drawn is None:
            raise error
        return await self.drawn.wanted(visit.owner, url, recipe)

    async def run_scripts(self, visit: SmallRequest, url: str) -> None:
        """Have a browser draw a page. Raises TransformError."""
        if self.drawn is None:
            raise ClientFaultError("No scripts are run here.", 404, "not-found")
        await self.drawn.now(visit.owner, url, self._recipe(visit, url))

    async def _shell(self, visit: SmallRequest, url: str) -> OwnResponse:
        """Instead of a page that scripts write: a button that has them run."""
        page = small_pages.script_page(self.library.run_form(visit, url), visit.frame, url)
        return await page_response(visit, page, HTTPStatus.UNPROCESSABLE_ENTITY)

    async def _image(self, visit: SmallRequest, fetched: FetchedResponse) -> OwnResponse:
        options = visit.options
        webp = "image/webp" in visit.request.head.headers.joined("accept")
        kind = "GIF" if options.old else "WEBP" if webp else "JPEG"
        largest = options.image_kilobytes * 1000
        width = options.width - MARGINS
        job = ShrinkJob(fetched.body, width, largest, kind)
        body, kind = await self.workers.run(job)
        sizes = len(fetched.body), len(body)
        await self.library.changed(visit, lambda now: now.with_bytes(*sizes))
        fields = (("Vary", "Accept"), ("Cache-Control", "private, max-age=86400"))
        return OwnResponse(body, kind, 200, fields)
