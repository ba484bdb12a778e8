"""The response for a page: transformed, with bar and coding, or the original with a notice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from aiohttp import web

from winnow.document.values import BAR_MARK, Format, Page, Purpose, Recipe, Rendered, Treatment
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.eligibility import Extract, may_have_notice, shows_html
from winnow.proxy.decisions.page_answer import answered, in_part
from winnow.proxy.decisions.plan import has_own_images, is_basic
from winnow.proxy.decisions.policy import (
    BarLook,
    BarRenderer,
    ImageSigner,
    NoticeRenderer,
    Transform,
)
from winnow.proxy.forwarding.finished_pages import Fill, PageFinisher, finish
from winnow.proxy.forwarding.known_pages import FinishedPage
from winnow.proxy.forwarding.multi_page import joined, page_of
from winnow.proxy.forwarding.notice import allows_style, with_line
from winnow.proxy.forwarding.transaction import Transaction
from winnow.proxy.http.headers import Headers, parameter
from winnow.proxy.http.messages import OriginResponse, Sender
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.learning.teaching import may_teach
from winnow.proxy.own.problem_details import problem_document, problem_of
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.upstream.body import BufferedBody, buffer_body, page_failure

_SILENT: Final = frozenset({Reason.NOT_FOR_READING})
"""Reasons that need no notice: nothing went wrong."""


@dataclass(frozen=True)
class PageResponder:
    """Answers requests for pages; one per process. ``sheets``: links a reader page's style, which
    stands in the page without."""

    client: Sender
    transform: Transform
    bars: BarRenderer
    finisher: PageFinisher
    images: ImageSigner | None = None
    notices: NoticeRenderer | None = None
    sheets: Fill | None = None

    async def __call__(
        self, transaction: Transaction, reply: OriginResponse, decision: Extract
    ) -> web.StreamResponse:
        """Buffer a page, transform it and send the result."""
        buffered = await _buffered(transaction, reply)
        if buffered.failure:
            return await transaction.stream(reply, buffered.failure, buffered)
        charset = parameter(reply.head.headers.get("content-type"), "charset")
        transaction.exchange.page_size = sum(map(len, buffered.chunks))
        page = Page(buffered.body, transaction.url, charset)
        try:
            recipe = _teaching(transaction, reply, decision.recipe)
            fallback = transaction.preferences.fallback
            rendered = await answered(self.transform, page, recipe, fallback)
        except TransformError as error:
            return await self._failed(transaction, reply, buffered, error)
        transaction.exchange.purpose = rendered.purpose or ""
        transaction.exchange.words = rendered.words_kept
        if rendered.next_page:
            rendered = await self._joined(transaction, reply, rendered, page, decision)
        if transaction.gives_way(rendered):
            if rendered.poor in _SILENT or rendered.purpose in (Purpose.FORM, Purpose.APPLICATION):
                return await transaction.stream(reply, rendered.poor, buffered)
            return await self._original(transaction, reply, buffered, rendered.poor)
        try:
            rendered, fields = in_part(
                rendered, transaction.recipe.format, transaction.preferences, transaction.url
            )
        except TransformError as error:
            return await transaction.exchange.send(error.status, *problem_document(error))
        finished = await self._finish(transaction, reply, rendered)
        return await transaction.transformed(reply, rendered, finished, decision, fields)

    async def _failed(
        self,
        transaction: Transaction,
        reply: OriginResponse,
        buffered: BufferedBody,
        error: TransformError,
    ) -> web.StreamResponse:
        """What stands for a page that cannot be given: for data an error, else the original.

        A page that its scripts write: they run in a browser behind the proxy, in no gateway.
        """
        exchange = transaction.exchange
        if transaction.recipe.format.is_data and not transaction.takes_original:
            return await exchange.send(error.status, *problem_document(error))
        if error.reason != Reason.SCRIPT_SHELL:
            return await self._original(transaction, reply, buffered, error.reason)
        exchange.purpose = Purpose.APPLICATION
        prefix, head = transaction.recipe.link_prefix, exchange.head
        if not prefix:
            return await transaction.stream(reply, error.reason, buffered)
        failed = FailedRequest.of_page(transaction.url, head.target, prefix)
        return await exchange.send(error.status, *problem_of(error, head.headers, failed))

    def _may_have_notice(self, transaction: Transaction, reply: OriginResponse) -> bool:
        """Whether the original may have a notice, as far as the heads tell."""
        wanted = self.notices and transaction.preferences.bar and shows_html(transaction.recipe)
        return bool(wanted) and may_have_notice(transaction.plan.case(reply.head))

    async def original(
        self, transaction: Transaction, reply: OriginResponse, reason: str
    ) -> web.StreamResponse:
        """The original that a person chose, with a notice where it may have one."""
        if not self._may_have_notice(transaction, reply):
            return await transaction.stream(reply, reason)
        buffered = await _buffered(transaction, reply)
        return await self._original(transaction, reply, buffered, reason)

    async def _original(
        self, transaction: Transaction, reply: OriginResponse, buffered: BufferedBody, reason: str
    ) -> web.StreamResponse:
        """The original page with a notice that says why, or without where none fits."""
        if buffered.failure or not self.notices or not self._may_have_notice(transaction, reply):
            return await transaction.stream(reply, buffered.failure or reason, buffered)
        headers, head = transaction.head(reply, reason), transaction.exchange.head
        styled, prefix = allows_style(headers, buffered.body), transaction.recipe.link_prefix
        line = self.notices(head, transaction.url, reason, prefix, styled=styled)
        body = with_line(buffered.body, line, headers)
        if body is None:
            return await transaction.stream(reply, reason, buffered)
        finished = await finish(body, _accepted(head.headers))
        return await transaction.annotated(reply, headers, finished)

    async def _joined(
        self,
        transaction: Transaction,
        reply: OriginResponse,
        first: Rendered,
        page: Page,
        decision: Extract,
    ) -> Rendered:
        """The rendering with the pages after it, requested as the client requested the first."""

        async def fetch(url: str) -> Page | None:
            target = parse_url(url)
            if target.origin != transaction.forward.target.origin:
                return None
            request = transaction.request_to(target)
            headers = request.headers.without(etags.CONDITIONS)
            following = await self.client.send(replace(request, headers=headers))
            try:
                return await page_of(following, transaction.policy, url)
            finally:
                await following.aclose()

        recipe = _teaching(transaction, reply, decision.recipe)
        return await joined(first, page, recipe, self.transform, fetch)

    async def _finish(
        self, transaction: Transaction, reply: OriginResponse, rendered: Rendered
    ) -> FinishedPage:
        head, prefix = transaction.exchange.head, transaction.recipe.link_prefix
        if self.images and has_own_images(transaction.recipe):
            rendered = replace(rendered, body=self.images(rendered.body, head.owner))
        accepted = _accepted(head.headers)
        style = transaction.plan.style if rendered.treatment is Treatment.EXTRACT else b""
        if not transaction.preferences.bar:
            return await self.finisher(
                rendered,
                lambda body: body.replace(BAR_MARK, style, 1),
                transaction.variant,
                accepted,
            )

        # Behind another program's front a request for the style sheet may not come here.
        is_linked = self.sheets is not None and transaction.exchange.front is None
        look = _look(transaction, reply, rendered, is_linked=is_linked)

        def filled(body: bytes) -> bytes:
            bar = self.bars(head, transaction.url, rendered, prefix, look=look)
            body = self.sheets(body) if self.sheets and look is BarLook.LINKED else body
            return body.replace(BAR_MARK, style + bar, 1)

        variant = f"{transaction.variant} {prefix} {transaction.url} {look}"
        return await self.finisher(rendered, filled, variant, accepted)


def _look(
    transaction: Transaction, reply: OriginResponse, rendered: Rendered, *, is_linked: bool = False
) -> BarLook:
    """What the bar may look like in this page."""
    recipe = transaction.recipe
    if rendered.treatment is Treatment.EXTRACT and recipe.format is Format.HTML:
        reader = BarLook.LINKED if is_linked else BarLook.READER
        return BarLook.BASIC if is_basic(recipe) else reader
    is_own = rendered.treatment is not Treatment.TIDY or not recipe.live
    styled = is_own or allows_style(reply.head.headers, rendered.body)
    return BarLook.STYLED if styled else BarLook.UNSTYLED


def _accepted(headers: Headers) -> str | None:
    """The client's Accept-Encoding, None without one."""
    return headers.joined("accept-encoding") if "accept-encoding" in headers else None


async def _buffered(transaction: Transaction, reply: OriginResponse) -> BufferedBody:
    """The body of what may be a page; ``failure`` says why it is none."""
    codings = reply.head.headers.items("content-encoding")
    buffered = await buffer_body(reply.read, codings, transaction.policy)
    buffered.failure = buffered.failure or page_failure(buffered.body)
    return buffered


def _teaching(transaction: Transaction, reply: OriginResponse, recipe: Recipe) -> Recipe:
    """The recipe, not learning from a page that is personal."""
    if not recipe.knowledge.learn or may_teach(
        transaction.exchange.head.headers, reply.head.headers
    ):
        return recipe
    return replace(recipe, knowledge=replace(recipe.knowledge, learn=False))
