"""A request for a page for small screens, with the options that its address names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.features.small.templates.small_pages import SmallPageFrame
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.access.own_faces import is_opened_here
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.devices import CHARSETS, DEFAULT, SmallOptions, asks_for_secret
from winnow.proxy.own.handlers.form_checks import LARGEST_FORM, refuse_cross_site
from winnow.proxy.own.router import OwnRequest, read_query


@dataclass(frozen=True, slots=True)
class SmallSettings:
    """``search``: an address with %s for the words; ``budget``: kB of a page with its images."""

    usual: SmallOptions = DEFAULT
    search: str = ""
    budget: int = 60


@dataclass(frozen=True)
class SmallRequest:
    """One request with its options."""

    request: OwnRequest
    base: SmallOptions
    options: SmallOptions
    rest: str
    is_image: bool = False
    """A signed address, which serves images only."""

    @property
    def prefix(self) -> str:
        return SMALL_PATH + replace(self.options, part=1, headings=0).word(self.base)

    @property
    def frame(self) -> SmallPageFrame:
        options = self.options
        return SmallPageFrame(self.prefix, CHARSETS[options.text], bool(options.old))

    @property
    def is_from_here(self) -> bool:
        """Whether one of our pages led here, or a program asks: another site's link is none."""
        return is_opened_here(self.request.head.headers, self.request.base.rstrip("/"))

    @property
    def shows_image(self) -> bool:
        """Whether a page shows what is requested as an image."""
        return self.is_image or self.request.head.headers.get("sec-fetch-dest") == "image"

    @property
    def owner(self) -> str:
        return self.request.head.owner

    async def form(self) -> bytes:
        """What a form of a page sends to its site. Raises ClientFaultError."""
        refuse_cross_site(self.request)
        form = await self.request.body(LARGEST_FORM)
        if "multipart" in self.request.head.headers.get("content-type").lower():
            raise ClientFaultError(says("File uploads are not supported."), 415, "upload")
        if asks_for_secret(form):
            message = says("Winnow does not forward passwords. Open the original page.")
            raise ClientFaultError(message, 403, "log-in")
        return form

    @property
    def query(self) -> dict[str, str]:
        return read_query(self.rest.partition("?")[2])
