"""Requests to and responses of own pages, and the router that finds a page by its path."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import parse_qsl

from winnow.proxy.access.memory_account import Holding
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Field
from winnow.proxy.http.messages import Permit, RequestBody
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.problem_details import PROBLEM, asks_for_page, problem_document
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.errors.error_pages import error_page
from winnow.proxy.own.templates.errors.failures import NOTHING_FAILED
from winnow.proxy.server.requests.client_limits import UploadLimits, read_body, spool_body
from winnow.proxy.stores.store_errors import StoreError
from winnow.proxy.tls.tls_errors import AuthorityError

_LOG = logging.getLogger("winnow.own")
HTML = "text/html; charset=utf-8"
STRICT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of our own pages: no script anywhere."""


@dataclass(frozen=True)
class OwnRequest:
    """A request for an own page.

    ``base`` is Winnow's own address, with a slash at its end; ``permit`` says which addresses the
    page may fetch for this request; ``token`` goes into its forms, as a proof that they are ours.
    """

    head: RequestHead
    path: str
    query: Mapping[str, str]
    base: str
    upload: RequestBody | None = None
    permit: Permit = public_only
    token: str = ""
    upload_limits: UploadLimits = field(default_factory=UploadLimits)

    async def body(self, largest: int) -> bytes:
        """The request's body. Raises BodyTooLargeError beyond ``largest`` bytes.

        Raises ClientFaultError if it is incomplete, or slower than ``upload_limits`` allow.
        """
        if self.upload is None:
            return b""
        return await read_body(self.upload.chunks(), largest, self.upload_limits)

    async def spooled(self, largest: int, file: BinaryIO, held: Holding) -> None:
        """Write the request's body to a file instead, booked there. Raises as ``body`` does."""
        if self.upload is not None:
            await spool_body(self.upload.chunks(), largest, self.upload_limits, file, held)


@dataclass(frozen=True, slots=True)
class OwnResponse:
    """Status, media type, body and additional fields.

    ``rest``: what follows ``body`` as it comes; it raises nothing.
    """

    body: bytes
    media_type: str = HTML
    status: int = 200
    fields: tuple[Field, ...] = ()
    rest: AsyncIterator[bytes] | None = None


OwnPage = Callable[[OwnRequest], Awaitable[OwnResponse]]
"""Serves one path. A ProxyError that it raises becomes a page or a problem document."""


@dataclass(frozen=True)
class OwnPages:
    """Own pages by path; a page of ``below`` serves all paths that begin with its key."""

    pages: Mapping[str, OwnPage]
    below: Mapping[str, OwnPage] = field(default_factory=dict)

    def at(self, path: str) -> OwnPage | None:
        found = (page for start, page in self.below.items() if path.startswith(start))
        return self.pages.get(path) or next(found, None)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        page = self.at(request.path)
        if page is None:
            missing = ClientFaultError(
                says("Winnow has no page {path}.", path=request.path), 404, "not-found"
            )
            return _problem(missing, request)
        try:
            return await page(request)
        except ProxyError as error:
            warn_of(error)
            return _problem(error, request)


def warn_of(error: ProxyError) -> None:
    """A line of the log for what the operator must mend."""
    if isinstance(error, (StoreError, AuthorityError)):
        _LOG.warning("%s", error)


def _problem(error: ProxyError, request: OwnRequest) -> OwnResponse:
    """A page where a person opened the address, else a problem document."""
    if asks_for_page(request.head.headers):
        return shown(error_page(error, NOTHING_FAILED))
    return as_problem(error)


def as_problem(error: ProxyError) -> OwnResponse:
    fields, body = problem_document(error)
    return OwnResponse(body, PROBLEM, error.status, tuple(fields))


def read_query(query: str) -> dict[str, str]:
    """The parameters of a query, the last of each name."""
    return dict(parse_qsl(query, keep_blank_values=True))


def only(request: OwnRequest, *methods: str) -> None:
    """Raises ClientFaultError 405 for any other method."""
    if request.head.method not in methods:
        raise ClientFaultError(
            says("Use {methods} here.", methods=" or ".join(methods)), 405, "method"
        )


def shown(page: HtmlPage) -> OwnResponse:
    """A page of ``winnow.proxy.own.templates`` as a response."""
    fields = tuple(page.headers.items())
    return OwnResponse(page.body, page.headers["Content-Type"], page.status, fields)


def see_other(location: str) -> OwnResponse:
    """A redirect that is followed by GET (RFC 9110, section 15.4.4)."""
    return OwnResponse(b"", "text/plain; charset=utf-8", 303, (("Location", location),))


def moved_to(path: str) -> OwnPage:
    """A page that redirects to the address that it has now."""

    async def moved(request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        return see_other(path)

    return moved


def text(body: str, status: int = 200) -> OwnResponse:
    return OwnResponse(body.encode(), "text/plain; charset=utf-8", status)
