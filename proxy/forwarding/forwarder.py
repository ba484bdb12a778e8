"""Fetches for a client and decides, reply by reply, which way it is answered; writes no head."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from aiohttp import web

from winnow.document.values import Page, Purpose, Recipe, Rendered, Treatment
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.eligibility import (
    HTML_TYPES,
    Extract,
    may_have_notice,
    shows_html,
    verdict,
)
from winnow.proxy.decisions.plan import Planner, has_own_images
from winnow.proxy.decisions.policy import (
    NO_BARS,
    AppearanceStyle,
    BarRenderer,
    ImageSigner,
    NoticeRenderer,
    Policy,
    Transform,
    as_usual,
)
from winnow.proxy.decisions.preferences import Preferences
from winnow.proxy.decisions.routing import Face, ForwardRoute
from winnow.proxy.forwarding.finishing import FinishedPage, PageFinisher, finish
from winnow.proxy.forwarding.multi_page import joined
from winnow.proxy.forwarding.notice import allows_style, with_line
from winnow.proxy.forwarding.transaction import Transaction
from winnow.proxy.forwarding.tunnel import relay_upgrade
from winnow.proxy.http.headers import Headers, media_type, parameter
from winnow.proxy.http.messages import OriginResponse, Permit, Sender, anywhere
from winnow.proxy.http.origins import Target, absolute_url, parse_url, quoted
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    ClientFaultError,
    OriginFaultError,
    TransformError,
)
from winnow.proxy.http.reasons import Reason
from winnow.proxy.learning.service import may_teach
from winnow.proxy.own.problem_details import problem_of
from winnow.proxy.server.client_limits import TunnelLimits
from winnow.proxy.server.exchange import Exchange
from winnow.proxy.upstream.body import BufferedBody, buffer_body, page_failure
from winnow.proxy.upstream.origin_client import Http1Response

_SILENT = frozenset({Reason.NOT_FOR_READING})
"""Reasons that need no line: nothing went wrong."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class Forwarder:
    """What forwarding needs; one for the whole process."""

    client: Sender
    transform: Transform
    bars: BarRenderer = NO_BARS
    finisher: PageFinisher = field(default_factory=PageFinisher)
    looks: AppearanceStyle = as_usual
    tunnels: TunnelLimits = field(default_factory=TunnelLimits)
    images: ImageSigner | None = None
    notices: NoticeRenderer | None = None

    async def __call__(
        self,
        exchange: Exchange,
        forward: ForwardRoute,
        policy: Policy,
        preferences: Preferences | None = None,
        permit: Permit = anywhere,
    ) -> web.StreamResponse:
        """Serve one request; ``preferences`` are read from its fields unless given."""
        prefix = gateway_prefix(exchange, policy) if forward.face is Face.GATEWAY else ""
        plan = await self.planner(exchange.head, forward, policy, prefix, preferences)
        transaction = Transaction(exchange, plan, permit)
        try:
            reply = await self._fetched(transaction)
        except (OriginFaultError, AddressRefusedError) as error:
            fields, body = problem_of(error, exchange.head.headers)
            fields = fields.plus(("Winnow-Request", exchange.number))
            return await exchange.send(error.status, fields, body)
        try:
            return await self._answer(transaction, reply)
        finally:
            await reply.aclose()

    @cached_property
    def planner(self) -> Planner:
        """Decides about each request before anything is fetched."""
        return Planner(self.transform, self.bars, self.looks, self.images)

    async def _fetched(self, transaction: Transaction) -> OriginResponse:
        """The origin's reply; one that only says "over HTTPS" is followed where that is wished."""
        reply = await self.client.send(transaction.request_to())
        transaction.mark_fetched()
        secure = secured(transaction, reply)
        if secure is None:
            return reply
        await reply.aclose()
        transaction.forward = replace(transaction.forward, target=secure)
        return await self.client.send(transaction.request_to())

    async def _answer(self, transaction: Transaction, reply: OriginResponse) -> web.StreamResponse:
        """Send the reply as it is, or what it becomes where it is a page to extract."""
        if isinstance(reply, Http1Response) and reply.head.status == 101:
            headers = transaction.head(reply, Reason.UPGRADE)
            return await relay_upgrade(transaction.exchange, reply, headers, self.tunnels)
        if reply.head.status == 304 and transaction.client_validators:
            return await transaction.still_the_same(reply)
        decision = verdict(transaction.plan.case(reply.head))
        if not isinstance(decision, Extract):
            if transaction.plan.has_notice and self._may_say(transaction, reply):
                gathered = await _gathered(transaction, reply)
                return await self._original(transaction, reply, gathered, decision.reason)
            return await transaction.stream(reply, decision.reason)
        if transaction.exchange.head.method == "HEAD":
            return await transaction.head_of_page(reply, decision)
        return await self._page(transaction, reply, decision)

    async def _page(
        self, transaction: Transaction, reply: OriginResponse, decision: Extract
    ) -> web.StreamResponse:
        """Gather a page and send what it becomes."""
        gathered = await _gathered(transaction, reply)
        if gathered.failure:
            return await transaction.stream(reply, gathered.failure, gathered)
        charset = parameter(reply.head.headers.get("content-type"), "charset")
        transaction.exchange.came = sum(map(len, gathered.chunks))
        page = Page(gathered.body, transaction.url, charset)
        try:
            rendered = await self.transform(page, _teaching(transaction, reply, decision.recipe))
        except TransformError as error:
            return await self._original(transaction, reply, gathered, error.reason)
        if rendered.next_page:
            rendered = await self._joined(transaction, reply, rendered, page, decision)
        if transaction.gives_way(rendered):
            if rendered.poor in _SILENT or rendered.purpose in (Purpose.FORM, Purpose.APPLICATION):
                return await transaction.stream(reply, rendered.poor, gathered)
            return await self._original(transaction, reply, gathered, rendered.poor)
        finished = await self._finish(transaction, rendered)
        return await transaction.transformed(reply, rendered, finished, decision)

    def _may_say(self, transaction: Transaction, reply: OriginResponse) -> bool:
        """Whether the original may carry a line of ours, as far as the heads tell."""
        wanted = self.notices and transaction.preferences.bar and shows_html(transaction.recipe)
        return bool(wanted) and may_have_notice(transaction.plan.case(reply.head))

    async def _original(
        self, transaction: Transaction, reply: OriginResponse, gathered: BufferedBody, reason: str
    ) -> web.StreamResponse:
        """The original page with a line that says why, or without where none fits."""
        if gathered.failure or not self.notices or not self._may_say(transaction, reply):
            return await transaction.stream(reply, gathered.failure or reason, gathered)
        headers, head = transaction.head(reply, reason), transaction.exchange.head
        styled, prefix = allows_style(headers, gathered.body), transaction.recipe.link_prefix
        line = self.notices(head, transaction.url, reason, prefix, styled=styled)
        body = with_line(gathered.body, line, headers)
        if body is None:
            return await transaction.stream(reply, reason, gathered)
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
        """The rendering with the pages after it, asked for as the client asked for the first."""

        async def fetch(url: str) -> Page | None:
            target = parse_url(url)
            if target.origin != transaction.forward.target.origin:
                return None
            order = transaction.request_to(target)
            headers = order.headers.without(etags.CONDITIONS)
            following = await self.client.send(replace(order, headers=headers))
            try:
                return await _page_of(following, transaction, url)
            finally:
                await following.aclose()

        recipe = _teaching(transaction, reply, decision.recipe)
        return await joined(first, page, recipe, self.transform, fetch)

    async def _finish(self, transaction: Transaction, rendered: Rendered) -> FinishedPage:
        head, prefix = transaction.exchange.head, transaction.recipe.link_prefix
        if self.images and has_own_images(transaction.recipe):
            rendered = replace(rendered, body=self.images(rendered.body, head.owner))
        accepted = _accepted(head.headers)
        style = transaction.plan.style if rendered.treatment is Treatment.EXTRACT else b""
        if not transaction.preferences.bar:
            return await self.finisher(rendered, lambda: style, transaction.variant, accepted)

        def bar() -> bytes:
            return style + self.bars(head, transaction.url, rendered, prefix)

        variant = f"{transaction.variant} {prefix} {transaction.url}"
        return await self.finisher(rendered, bar, variant, accepted)


def _accepted(headers: Headers) -> str | None:
    """The client's Accept-Encoding, None without one."""
    return headers.joined("accept-encoding") if "accept-encoding" in headers else None


async def _gathered(transaction: Transaction, reply: OriginResponse) -> BufferedBody:
    """The body of what may be a page; ``failure`` says why it is none."""
    codings = reply.head.headers.items("content-encoding")
    gathered = await buffer_body(reply.read, codings, transaction.policy)
    gathered.failure = gathered.failure or page_failure(gathered.body)
    return gathered


def _teaching(transaction: Transaction, reply: OriginResponse, recipe: Recipe) -> Recipe:
    """The recipe, without the preferences to learn where the page is nobody else's business."""
    if not recipe.knowledge.learn or may_teach(
        transaction.exchange.head.headers, reply.head.headers
    ):
        return recipe
    return replace(recipe, knowledge=replace(recipe.knowledge, learn=False))


async def _page_of(reply: OriginResponse, transaction: Transaction, url: str) -> Page | None:
    """A reply as a page that may be joined to another; None where it is none."""
    headers = reply.head.headers
    forbids = "no-transform" in headers.items("cache-control")
    if reply.head.status != 200 or media_type(headers) not in HTML_TYPES or forbids:
        return None
    gathered = await buffer_body(reply.read, headers.items("content-encoding"), transaction.policy)
    if gathered.failure or page_failure(gathered.body):
        return None
    return Page(gathered.body, url, parameter(headers.get("content-type"), "charset"))


def gateway_prefix(exchange: Exchange, policy: Policy) -> str:
    """What stands before every address in the gateway; the client says how it reached us."""
    scheme = "https" if exchange.request.secure else "http"
    host = exchange.head.headers.get("host") or next(iter(sorted(policy.own_names)))
    return f"{scheme}://{host}/"


def secured(transaction: Transaction, reply: OriginResponse) -> Target | None:
    """Where a reply leads that only says "the same over HTTPS", for clients that cannot go there.

    Such a client would ask for the plain address again and again.
    """
    target, head = transaction.forward.target, transaction.exchange.head
    if not transaction.preferences.over_https or target.origin.scheme != "http":
        return None
    if reply.head.status not in _REDIRECTS or head.method not in ("GET", "HEAD"):
        return None
    try:
        there = parse_url(absolute_url(target.url, reply.head.headers.get("location")))
    except ClientFaultError:
        return None
    same = there.origin.scheme == "https" and there.origin.host == target.origin.host
    if not same or there.path != parse_url(quoted(target.url)).path:
        return None
    return replace(there, path=target.path)
