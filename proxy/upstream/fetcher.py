"""Fetches documents for own pages and the API: follows redirects and limits sizes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Final

from winnow.document.values import Page
from winnow.jobs.answers import is_other_file
from winnow.proxy.access.private_addresses import permit_across
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import Field, Headers, media_type, parameter
from winnow.proxy.http.messages import OriginRequest, OriginResponse, Permit, Sender
from winnow.proxy.http.proxy_errors import BodyTooLargeError, ClientFaultError, OriginFaultError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import Target, absolute_url, parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.upstream.body import BufferedBody, buffer_body

REDIRECTS = frozenset({301, 302, 303, 307, 308})
HTML_FIRST = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"
PAGES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})
"""Media types of pages; "" where the origin names none."""
NOT_MODIFIED = 304
KEPT = frozenset({403, 404, 410, 451})
"""Statuses of the origin that are told as they are; others are a 502."""
FEEDS: Final = (
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, "
    "text/xml;q=0.9, text/html;q=0.5, */*;q=0.1"
)
"""Accept of a request for a feed."""
_TYPE: Final = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,80}\Z", re.ASCII)
"""A media type as those that are registered (RFC 6838, section 4.2), and no sentence."""


@dataclass(frozen=True, slots=True)
class FetchedResponse:
    """A complete response; ``url``: after redirects; ``raw``: bytes before decoding."""

    url: str
    status: int
    headers: Headers
    body: bytes
    raw: int = 0

    @property
    def page(self) -> Page:
        """The body as a page."""
        return Page(self.body, self.url, parameter(self.headers.get("content-type"), "charset"))


@dataclass(frozen=True)
class Fetcher:
    """Sends requests of Winnow's own by ``client``."""

    client: Sender
    policy: Callable[[], Policy]
    max_redirects: int = 10

    async def page(self, url: str, permit: Permit) -> Page:
        """The page at an address. Raises as ``document``."""
        return (await self.document(url, permit)).page

    async def document(
        self, url: str, permit: Permit, accept: str = HTML_FIRST, kinds: frozenset[str] = PAGES
    ) -> FetchedResponse:
        """What is at an address, of one of these media types.

        Raises ProxyError: ClientFaultError for one of ``KEPT`` and for another kind of file,
        OriginFaultError for any other status but 200.
        """
        fetched = await self.get(url, permit, accept)
        if fetched.status != 200:
            message = says("The origin answered with status {status}.", status=fetched.status)
            if fetched.status in KEPT:
                raise ClientFaultError(message, fetched.status, Reason.STATUS)
            raise OriginFaultError(message)
        kind = media_type(fetched.headers)
        if kind not in kinds or (kind in PAGES and is_other_file(fetched.body)):
            raise no_page(fetched.url, kind)
        return fetched

    async def get(
        self, url: str, permit: Permit, accept: str = HTML_FIRST, more: tuple[Field, ...] = ()
    ) -> FetchedResponse:
        """The response after redirects, of any status. Raises ProxyError.

        ``more``: further fields, such as conditions (RFC 9110, section 13.1).
        """
        return await self._follow(parse_url(url), permit, (("Accept", accept), *more))

    async def status(self, url: str, permit: Permit) -> int:
        """The status of the response to HEAD, redirects not followed. Raises ProxyError."""
        request = _request(parse_url(url), self.policy(), permit, (("Accept", "*/*"),))
        response = await self.client.send(replace(request, method="HEAD"))
        await response.aclose()
        return response.head.status

    async def post(self, url: str, permit: Permit, form: bytes) -> FetchedResponse:
        """The response to a posted form; redirects are followed by GET, as browsers do."""
        return await self._follow(parse_url(url), permit, (("Accept", HTML_FIRST),), form)

    async def _follow(
        self,
        target: Target,
        permit: Permit,
        fields: tuple[Field, ...],
        form: bytes | None = None,
    ) -> FetchedResponse:
        policy, first = self.policy(), target.origin.host
        for _ in range(self.max_redirects + 1):
            allowed = permit_across(permit, first, target.origin.host)
            request = _request(target, policy, allowed, fields, form)
            response = await self.client.send(request)
            form = None
            try:
                location = response.head.headers.get("location")
                if response.head.status not in REDIRECTS or not location:
                    return await _complete(response, target, policy)
                target = parse_url(absolute_url(target.url, location))
            finally:
                await response.aclose()
        raise OriginFaultError(
            says("More than {max_redirects} redirects.", max_redirects=self.max_redirects)
        )


def no_page(url: str, kind: str) -> ClientFaultError:
    """The error for what is no page: 415, with the type that it is said to have."""
    said = kind if _TYPE.match(kind) else "unknown"
    message = says("{url} is no page but a file of type {kind}.", url=url, kind=said)
    return ClientFaultError(message, 415, Reason.NOT_HTML)


def host_of(url: str) -> str:
    """The host that an address names. Raises ClientFaultError for anything but http and https."""
    return parse_url(url).origin.host


async def _complete(response: OriginResponse, target: Target, policy: Policy) -> FetchedResponse:
    status, headers = response.head.status, response.head.headers
    if status == NOT_MODIFIED:
        return FetchedResponse(target.url, status, headers, b"")
    buffered = await buffer_body(response.read, headers.items("content-encoding"), policy)
    raise_failure(buffered)
    return FetchedResponse(
        target.url, status, headers, buffered.body, sum(map(len, buffered.chunks))
    )


@dataclass
class _Form:
    """A posted form as the body of a request."""

    body: bytes
    started: bool = False
    trailers: Headers = field(default_factory=Headers)

    async def chunks(self) -> AsyncIterator[bytes]:
        self.started = True
        yield self.body


def _request(
    target: Target,
    policy: Policy,
    permit: Permit,
    fields: tuple[Field, ...],
    form: bytes | None = None,
) -> OriginRequest:
    fields = (
        *fields,
        ("Host", target.origin.authority),
        ("Accept-Encoding", ", ".join(sorted(DECODABLE - {"x-gzip"}))),
        ("User-Agent", "Mozilla/5.0 (compatible; Winnow)"),
        ("Via", f"1.1 {policy.name}"),
    )
    if form is None:
        return OriginRequest("GET", target, Headers(fields), None, permit)
    framing = (
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Content-Length", str(len(form))),
    )
    return OriginRequest("POST", target, Headers((*fields, *framing)), _Form(form), permit)


def raise_failure(buffered: BufferedBody) -> None:
    """Raises the ProxyError of a body that could not be buffered."""
    if buffered.failure is Reason.TOO_LARGE:
        raise BodyTooLargeError(says("The page, or what it decodes to, is larger than the limit."))
    if buffered.failure is Reason.CODING:
        raise ClientFaultError(
            says("The page’s content coding is unknown or broken."), 400, "coding"
        )
    if buffered.failure:
        raise OriginFaultError(
            says("The page could not be fetched whole: {failure}.", failure=buffered.failure)
        )
