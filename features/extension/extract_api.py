"""``/-/api/extract``: extraction for programs; every error is a problem document."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from msgspec import to_builtins

from winnow.document.values import NO_KNOWLEDGE, Format, Page, Recipe, Rendered
from winnow.features.extension.text_changes import changes
from winnow.jobs.answers import Fallback, is_other_file
from winnow.proxy.access.credentials.extension_pairing import is_let_in
from winnow.proxy.decisions.page_answer import answered, in_part
from winnow.proxy.decisions.policy import NO_RULE, Policy, Transform
from winnow.proxy.decisions.request.preferences import Preferences, from_query
from winnow.proxy.decisions.request.query_names import check_parameters
from winnow.proxy.decisions.request.recipe_choice import recipe_for
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import media_type, parameter
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.http.reasons import Reason, WinnowAction
from winnow.proxy.http.sentences import says
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.stores.paired_extensions import Paired
from winnow.proxy.upstream.body import buffer_body
from winnow.proxy.upstream.fetcher import HTML_FIRST, PAGES, Fetcher, no_page, raise_failure

_OTHER_FILES: Final = ("image/", "audio/", "video/", "application/json", "application/pdf")
Earlier = Callable[[str, str, str], Awaitable[tuple[str, str] | None]]
"""The text of a page that an owner saved, and when; by its number, or as ``saved`` and address."""
_INERT: Final = (("Content-Security-Policy", "sandbox; default-src 'none'"),)
"""A stranger's page at our own address: nothing of it runs or loads."""


@dataclass(frozen=True)
class ExtractApi:
    """Serves POST with a page as its body, and GET with the address of one."""

    client: Sender
    transform: Transform
    policy: Callable[[], Policy]
    max_redirects: int = 10
    paired: Callable[[], Paired] = tuple
    """The browser extensions that are paired now."""
    earlier: Earlier | None = None
    """What a reader saved (``since``)."""

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "POST")
        check_parameters(request.query, "since")
        preferences = from_query(request.query, replace(self.policy().recipe, format=Format.JSON))
        if request.head.method == "POST":
            return await self._answer(await self._posted(request), request, preferences)
        if not request.query.get("url"):
            raise ClientFaultError(says("Missing page address: ?url=https://..."), 400, "no-url")
        return await self._fetched(request, preferences)

    async def _fetched(self, request: OwnRequest, preferences: Preferences) -> OwnResponse:
        """The page at an address; as Markdown its site's own, where it has that, as by proxy."""
        fetcher = Fetcher(self.client, self.policy, self.max_redirects)
        wanted = preferences.recipe.format.media_type
        is_markdown = wanted == Format.MARKDOWN.media_type
        found = await fetcher.document(
            request.query["url"],
            request.permit,
            f"{wanted}, {HTML_FIRST}" if is_markdown else HTML_FIRST,
            PAGES | {wanted} if is_markdown else PAGES,
        )
        if media_type(found.headers) != Format.MARKDOWN.media_type:
            return await self._answer(found.page, request, preferences)
        own = Rendered(found.body, found.headers.get("content-type"), "")
        shown, more = in_part(own, Format.MARKDOWN, preferences, found.url)
        fields = (*outcome_fields(WinnowAction.ORIGINAL, Reason.NOT_HTML), *more)
        return OwnResponse(shown.body, shown.media_type, 200, fields)

    async def _posted(self, request: OwnRequest) -> Page:
        headers, url = request.head.headers, request.query.get("url") or None
        body = await request.body(self.policy().largest_body)
        codings = headers.items("content-encoding")
        if codings:
            body = await _decoded(body, codings, self.policy())
        kind = media_type(headers)
        if kind.startswith(_OTHER_FILES) or is_other_file(body):
            raise no_page(url or "This", kind)
        return Page(body, url, parameter(headers.get("content-type"), "charset"))

    async def _answer(
        self, page: Page, request: OwnRequest, preferences: Preferences
    ) -> OwnResponse:
        recipe = self._recipe(page.url, request.head.owner, preferences)
        if not self._may_know(request):
            recipe = replace(recipe, knowledge=NO_KNOWLEDGE)
        try:
            rendered = await answered(self.transform, page, recipe, preferences.fallback)
        except TransformError as error:
            if preferences.fallback is not Fallback.ORIGINAL:
                raise
            kind = f"text/html; charset={page.charset}" if page.charset else "text/html"
            fields = (*outcome_fields(WinnowAction.ORIGINAL, error.reason), *_INERT)
            return OwnResponse(page.body, kind, 200, fields)
        reason = rendered.poor or Reason.REQUESTED
        fields = outcome_fields(WinnowAction.EXTRACTED, reason, rendered.extractor)
        shown, more = in_part(rendered, recipe.format, preferences, page.url)
        if since := request.query.get("since"):
            if recipe.format is not Format.JSON or self.earlier is None:
                said = says("Changes can be asked of JSON alone.")
                raise ClientFaultError(said, 400, "bad-since")
            before = await self.earlier(request.head.owner, since, page.url or "")
            shown = _with_changes(shown, before)
        return OwnResponse(shown.body, shown.media_type, 200, (*fields, *more))

    def _may_know(self, request: OwnRequest) -> bool:
        """Whether what the page's site taught counts: not for a page that a program posts.

        What is left out of it would tell what others read. A paired extension posts what its own
        reader sees.
        """
        head = request.head
        return head.method != "POST" or is_let_in(head, request.path, self.paired())

    def _recipe(self, url: str | None, owner: str, preferences: Preferences) -> Recipe:
        """As the owner's proxy shows the site; what a program sends teaches nothing."""
        try:
            rule = self.policy().rule_at(url or "", owner)
        except ClientFaultError:  # the address of a posted page may be anything
            rule = NO_RULE
        recipe = recipe_for(preferences, rule, self.policy())
        knowledge = replace(rule.knowledge, learn=False, rows=False)
        return replace(recipe, knowledge=knowledge, pages=1)


def _with_changes(shown: Rendered, before: tuple[str, str] | None) -> Rendered:
    """The JSON with what changed since its reader saved the page: its text then, and when."""
    if before is None:
        raise ClientFaultError(says("You have not saved this page."), 404, "not-saved")
    record = json.loads(shown.body)
    found = to_builtins(changes(before[0], record["textContent"], before[1]))
    return replace(
        shown, body=json.dumps({**record, "changes": found}, ensure_ascii=False).encode()
    )


async def _decoded(body: bytes, codings: tuple[str, ...], policy: Policy) -> bytes:
    pieces = iter((body, b""))

    async def read() -> bytes:
        return next(pieces)

    gathered = await buffer_body(read, codings, policy)
    raise_failure(gathered)
    return gathered.body
