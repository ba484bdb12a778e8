"""``/-/api/extract``: a page in, its extraction out; for programs, so errors are never hidden.

Here nothing fails open: a page that cannot be extracted is a problem document.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urljoin

from document.values import Format, Page, Rendered
from proxy.coding import DECODABLE
from proxy.errors import (
    BodyTooLargeError,
    ClientFaultError,
    OriginFaultError,
    ProxyError,
    TransformError,
)
from proxy.gather import Gathered, gather
from proxy.headers import Headers, parameter
from proxy.incoming import said
from proxy.own import Asked, Shown, only
from proxy.reasons import Action, Reason
from proxy.upstream.client import Client, Order, Reply
from proxy.upstream.connect import Permit
from proxy.upstream.origins import Target, parse_url
from proxy.values import Policy, Transform
from proxy.wishes import Wish, from_query

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FAULTS = {
    "too-large": 413,
    "unsupported-format": 400,
    "unknown-extractor": 400,
    "bad-extractor": 400,
    "deadline": 504,
    "busy": 503,
}
"""The status of a TransformError by its reason; 500 for any other."""


@dataclass(frozen=True)
class ExtractApi:
    """Serves POST with a page as its body, and GET with the address of one."""

    client: Client
    transform: Transform
    policy: Policy
    max_redirects: int = 10

    async def __call__(self, asked: Asked) -> Shown:
        only(asked, "GET", "POST")
        wish = from_query(asked.query, replace(self.policy.recipe, format=Format.JSON))
        if asked.head.method == "POST":
            page = await self._posted(asked)
        else:
            page = await self._fetched(asked)
        return await self._extracted(page, wish)

    async def _posted(self, asked: Asked) -> Page:
        headers = asked.head.headers
        body = await asked.body(self.policy.largest_body)
        codings = headers.items("content-encoding")
        if codings:
            body = await _decoded(body, codings, self.policy)
        charset = parameter(headers.get("content-type"), "charset")
        return Page(body, asked.query.get("url") or None, charset)

    async def _fetched(self, asked: Asked) -> Page:
        if not asked.query.get("url"):
            raise ClientFaultError("Name the page: ?url=https://...", 400, "no-url")
        target = parse_url(asked.query["url"])
        permit = self.policy.permit_for(asked.head.client)
        for _ in range(self.max_redirects + 1):
            reply = await self.client.send(_order(target, self.policy, permit))
            try:
                location = reply.head.headers.get("location")
                if reply.head.status not in _REDIRECTS or not location:
                    return await self._page_of(reply, target)
                target = parse_url(urljoin(target.url, location))
            finally:
                await reply.aclose()
        raise OriginFaultError(f"More than {self.max_redirects} redirects.")

    async def _page_of(self, reply: Reply, target: Target) -> Page:
        if reply.head.status != 200:
            raise OriginFaultError(f"The origin answered with status {reply.head.status}.")
        gathered = await gather(
            reply.read, reply.head.headers.items("content-encoding"), self.policy
        )
        _raise_failure(gathered)
        charset = parameter(reply.head.headers.get("content-type"), "charset")
        return Page(gathered.body, target.url, charset)

    async def _extracted(self, page: Page, wish: Wish) -> Shown:
        try:
            rendered = await self.transform(page, wish.recipe)
        except TransformError as error:
            raise as_answer(error) from error
        return Shown(rendered.body, rendered.media_type, 200, _told(rendered))


def as_answer(error: TransformError) -> ProxyError:
    """The same error with the status that a program should see."""
    status = _FAULTS.get(error.reason, 500)
    return ClientFaultError(str(error) or "The page cannot be extracted.", status, error.reason)


def _told(rendered: Rendered) -> tuple[tuple[str, str], ...]:
    return said(Action.EXTRACTED, rendered.poor or Reason.ASKED, rendered.extractor)


def _order(target: Target, policy: Policy, permit: Permit) -> Order:
    fields = (
        ("Host", target.origin.authority),
        ("Accept", "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"),
        ("Accept-Encoding", ", ".join(sorted(DECODABLE - {"x-gzip"}))),
        ("User-Agent", "Mozilla/5.0 (compatible; Winnow)"),
        ("Via", f"1.1 {policy.name}"),
    )
    return Order("GET", target, Headers(fields), None, permit)


async def _decoded(body: bytes, codings: tuple[str, ...], policy: Policy) -> bytes:
    pieces = iter((body, b""))

    async def read() -> bytes:
        return next(pieces)

    gathered = await gather(read, codings, policy)
    _raise_failure(gathered)
    return gathered.body


def _raise_failure(gathered: Gathered) -> None:
    if gathered.failure is Reason.TOO_LARGE:
        raise BodyTooLargeError("The page, or what it decodes to, is larger than the limit.")
    if gathered.failure is Reason.CODING:
        raise ClientFaultError("The page's content coding is unknown or broken.", 400, "coding")
    if gathered.failure:
        raise OriginFaultError(f"The page could not be fetched whole: {gathered.failure}.")
