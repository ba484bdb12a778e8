"""``/-/api/extract``: a page in, its extraction out; for programs, so errors are never hidden.

Here nothing fails open: a page that cannot be extracted is a problem document.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from winnow.document.values import Format, Page, Rendered
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.decisions.preferences import Preferences, from_query
from winnow.proxy.decisions.response_headers import said
from winnow.proxy.http.headers import parameter
from winnow.proxy.http.origin_messages import Sender
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError, TransformError
from winnow.proxy.http.reasons import Reason, WinnowAction
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.upstream.body import gather
from winnow.proxy.upstream.fetcher import Fetcher, raise_failure

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

    client: Sender
    transform: Transform
    policy: Policy
    max_redirects: int = 10

    async def __call__(self, asked: OwnRequest) -> OwnResponse:
        only(asked, "GET", "POST")
        wish = from_query(asked.query, replace(self.policy.recipe, format=Format.JSON))
        if asked.head.method == "POST":
            page = await self._posted(asked)
        else:
            page = await self._fetched(asked)
        return await self._extracted(page, wish)

    async def _posted(self, asked: OwnRequest) -> Page:
        headers = asked.head.headers
        body = await asked.body(self.policy.largest_body)
        codings = headers.items("content-encoding")
        if codings:
            body = await _decoded(body, codings, self.policy)
        charset = parameter(headers.get("content-type"), "charset")
        return Page(body, asked.query.get("url") or None, charset)

    async def _fetched(self, asked: OwnRequest) -> Page:
        if not asked.query.get("url"):
            raise ClientFaultError("Missing page address: ?url=https://...", 400, "no-url")
        fetcher = Fetcher(self.client, lambda: self.policy, self.max_redirects)
        return await fetcher.page(asked.query["url"], asked.permit)

    async def _extracted(self, page: Page, wish: Preferences) -> OwnResponse:
        try:
            rendered = await self.transform(page, wish.recipe)
        except TransformError as error:
            raise as_answer(error) from error
        return OwnResponse(rendered.body, rendered.media_type, 200, _told(rendered))


def as_answer(error: TransformError) -> ProxyError:
    """The same error with the status that a program should see."""
    status = _FAULTS.get(error.reason, 500)
    return ClientFaultError(str(error) or "The page cannot be extracted.", status, error.reason)


def _told(rendered: Rendered) -> tuple[tuple[str, str], ...]:
    return said(WinnowAction.EXTRACTED, rendered.poor or Reason.ASKED, rendered.extractor)


async def _decoded(body: bytes, codings: tuple[str, ...], policy: Policy) -> bytes:
    pieces = iter((body, b""))

    async def read() -> bytes:
        return next(pieces)

    gathered = await gather(read, codings, policy)
    raise_failure(gathered)
    return gathered.body
