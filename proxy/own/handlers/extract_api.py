"""``/-/api/extract``: extraction for programs; every error is a problem document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from winnow.document.values import (
    NO_KNOWLEDGE,
    Format,
    Page,
    Recipe,
    Rendered,
    SiteKnowledge,
)
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.decisions.preferences import from_query
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import parameter
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError, TransformError
from winnow.proxy.http.reasons import Reason, WinnowAction
from winnow.proxy.http.sentences import says
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.upstream.body import buffer_body
from winnow.proxy.upstream.fetcher import Fetcher, raise_failure

_FAULTS = {
    "too-large": 413,
    "unsupported-format": 400,
    "unknown-extractor": 400,
    "bad-form": 400,
    "bad-parameter": 400,
    "script-shell": 422,
    "no-browser": 501,
    "no-sandbox": 501,
    "render-failed": 502,
    "deadline": 504,
    "busy": 503,
    "starting": 503,
}
"""The status of a TransformError by its reason; 500 for any other."""


@dataclass(frozen=True)
class ExtractApi:
    """Serves POST with a page as its body, and GET with the address of one."""

    client: Sender
    transform: Transform
    policy: Callable[[], Policy]
    max_redirects: int = 10

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "POST")
        preferences = from_query(request.query, replace(self.policy().recipe, format=Format.JSON))
        if request.head.method == "POST":
            page = await self._posted(request)
        else:
            page = await self._fetched(request)
        knowledge = self._knowledge(page.url, request.head.owner)
        return await self._extracted(page, replace(preferences.recipe, knowledge=knowledge))

    def _knowledge(self, url: str | None, owner: str) -> SiteKnowledge:
        """What was learned of the page's site while serving; what a program sends teaches
        nothing."""
        try:
            found = self.policy().rule_at(url or "", owner).knowledge
        except ClientFaultError:  # the address of a posted page may be anything
            return NO_KNOWLEDGE
        return replace(found, learn=False, rows=False)

    async def _posted(self, request: OwnRequest) -> Page:
        headers = request.head.headers
        body = await request.body(self.policy().largest_body)
        codings = headers.items("content-encoding")
        if codings:
            body = await _decoded(body, codings, self.policy())
        charset = parameter(headers.get("content-type"), "charset")
        return Page(body, request.query.get("url") or None, charset)

    async def _fetched(self, request: OwnRequest) -> Page:
        if not request.query.get("url"):
            raise ClientFaultError(says("Missing page address: ?url=https://..."), 400, "no-url")
        fetcher = Fetcher(self.client, self.policy, self.max_redirects)
        return await fetcher.page(request.query["url"], request.permit)

    async def _extracted(self, page: Page, recipe: Recipe) -> OwnResponse:
        try:
            rendered = await self.transform(page, recipe)
        except TransformError as error:
            raise as_answer(error) from error
        return OwnResponse(rendered.body, rendered.media_type, 200, _outcome_fields(rendered))


def as_answer(error: TransformError) -> ProxyError:
    """The error with its status for a program."""
    status = _FAULTS.get(error.reason, 500)
    return ClientFaultError(
        error.sentence or says("The page cannot be extracted."), status, error.reason
    )


def _outcome_fields(rendered: Rendered) -> tuple[tuple[str, str], ...]:
    return outcome_fields(
        WinnowAction.EXTRACTED, rendered.poor or Reason.REQUESTED, rendered.extractor
    )


async def _decoded(body: bytes, codings: tuple[str, ...], policy: Policy) -> bytes:
    pieces = iter((body, b""))

    async def read() -> bytes:
        return next(pieces)

    gathered = await buffer_body(read, codings, policy)
    raise_failure(gathered)
    return gathered.body
