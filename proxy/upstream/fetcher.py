"""Fetches a page for our own pages and the API, follows redirects, bounds it; transforms nothing.

Knows the client that everything goes through, so that one place decides what may be reached.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from winnow.document.values import Page
from winnow.proxy.access.ip_addresses import permit_across
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import Field, Headers, parameter
from winnow.proxy.http.messages import OriginRequest, OriginResponse, Permit, Sender
from winnow.proxy.http.origins import Target, absolute_url, parse_url
from winnow.proxy.http.proxy_errors import BodyTooLargeError, ClientFaultError, OriginFaultError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.upstream.body import GatheredBody, gather

REDIRECTS = frozenset({301, 302, 303, 307, 308})
HTML_FIRST = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"
PAGES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})
"""Media types of what can be looked at as a page; "" where the origin names none."""
NOT_MODIFIED = 304


@dataclass(frozen=True, slots=True)
class FetchedResponse:
    """A reply read whole: ``url`` is the one that it came from in the end; ``raw`` its size."""

    url: str
    status: int
    headers: Headers
    body: bytes
    raw: int = 0

    @property
    def page(self) -> Page:
        """The body freed of HTTP."""
        return Page(self.body, self.url, parameter(self.headers.get("content-type"), "charset"))


@dataclass(frozen=True)
class Fetcher:
    """Gets what an address leads to, as one of this process's own requests."""

    client: Sender
    policy: Callable[[], Policy]
    max_redirects: int = 10

    async def page(self, url: str, permit: Permit) -> Page:
        """The page at an address.

        Raises ProxyError: OriginFaultError for any status but 200, ClientFaultError for what is no
        page but a file.
        """
        fetched = await self.get(url, permit)
        if fetched.status != 200:
            raise OriginFaultError(f"The origin answered with status {fetched.status}.")
        kind = fetched.headers.get("content-type").partition(";")[0].strip().lower()
        if kind not in PAGES:
            message = f"{fetched.url} is no page but a file of the kind {kind}."
            raise ClientFaultError(message, 422, Reason.NOT_HTML)
        return fetched.page

    async def get(
        self, url: str, permit: Permit, accept: str = HTML_FIRST, more: tuple[Field, ...] = ()
    ) -> FetchedResponse:
        """The last reply behind redirects, whatever its status. Raises ProxyError.

        ``more``: further fields, such as conditions (RFC 9110, section 13.1).
        """
        return await self._followed(parse_url(url), permit, accept, None, more)

    async def status(self, url: str, permit: Permit) -> int:
        """The status with which the origin itself answers a HEAD. Raises ProxyError."""
        order = _order(parse_url(url), self.policy(), permit, "*/*", None)
        reply = await self.client.send(replace(order, method="HEAD"))
        await reply.aclose()
        return reply.head.status

    async def post(self, url: str, permit: Permit, form: bytes) -> FetchedResponse:
        """The same for a form that is posted; redirects are followed by GET, as browsers do."""
        return await self._followed(parse_url(url), permit, HTML_FIRST, form)

    async def _followed(
        self,
        target: Target,
        permit: Permit,
        accept: str,
        form: bytes | None,
        more: tuple[Field, ...] = (),
    ) -> FetchedResponse:
        policy, first = self.policy(), target.origin.host
        for _ in range(self.max_redirects + 1):
            there = permit_across(permit, first, target.origin.host)
            order = _order(target, policy, there, accept, form)
            reply = await self.client.send(replace(order, headers=order.headers.plus(*more)))
            form = None
            try:
                location = reply.head.headers.get("location")
                if reply.head.status not in REDIRECTS or not location:
                    return await _whole(reply, target, policy)
                target = parse_url(absolute_url(target.url, location))
            finally:
                await reply.aclose()
        raise OriginFaultError(f"More than {self.max_redirects} redirects.")


def host_of(url: str) -> str:
    """The host that an address names. Raises ClientFaultError for anything but http and https."""
    return parse_url(url).origin.host


async def _whole(reply: OriginResponse, target: Target, policy: Policy) -> FetchedResponse:
    headers = reply.head.headers
    if reply.head.status == NOT_MODIFIED:
        return FetchedResponse(target.url, reply.head.status, headers, b"")
    gathered = await gather(reply.read, headers.items("content-encoding"), policy)
    raise_failure(gathered)
    size = sum(map(len, gathered.chunks))
    return FetchedResponse(target.url, reply.head.status, headers, gathered.body, size)


@dataclass
class _Form:
    """A posted form as the body of a request."""

    body: bytes
    started: bool = False

    async def chunks(self) -> AsyncIterator[bytes]:
        self.started = True
        yield self.body


def _order(
    target: Target, policy: Policy, permit: Permit, accept: str, form: bytes | None
) -> OriginRequest:
    common = (
        ("Accept", accept),
        ("Host", target.origin.authority),
        ("Accept-Encoding", ", ".join(sorted(DECODABLE - {"x-gzip"}))),
        ("User-Agent", "Mozilla/5.0 (compatible; Winnow)"),
        ("Via", f"1.1 {policy.name}"),
    )
    if form is None:
        return OriginRequest("GET", target, Headers(common), None, permit)
    framed = (
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Content-Length", str(len(form))),
    )
    return OriginRequest("POST", target, Headers((*common, *framed)), _Form(form), permit)


def raise_failure(gathered: GatheredBody) -> None:
    """Raise what a program should see where something could not be gathered whole."""
    if gathered.failure is Reason.TOO_LARGE:
        raise BodyTooLargeError("The page, or what it decodes to, is larger than the limit.")
    if gathered.failure is Reason.CODING:
        raise ClientFaultError("The page's content coding is unknown or broken.", 400, "coding")
    if gathered.failure:
        raise OriginFaultError(f"The page could not be fetched whole: {gathered.failure}.")
