"""Fetches what a client requests and decides, by the response, how the client is answered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from aiohttp import web
from cachetools import LRUCache

from winnow.proxy.decisions.eligibility import (
    Extract,
    is_for_a_person,
    verdict,
)
from winnow.proxy.decisions.plan import Planner
from winnow.proxy.decisions.policy import (
    NO_BARS,
    AppearanceStyle,
    BarRenderer,
    ImageSigner,
    NoticeRenderer,
    Policy,
    Transform,
    VoiceChoice,
    as_usual,
    never_aloud,
)
from winnow.proxy.decisions.request.preferences import Preferences
from winnow.proxy.decisions.request.routing import Face, ForwardRoute
from winnow.proxy.forwarding.finished_pages import Fill, PageFinisher
from winnow.proxy.forwarding.known_pages import MOST_KNOWN, KnownPages
from winnow.proxy.forwarding.page_response import PageResponder
from winnow.proxy.forwarding.transaction import Transaction
from winnow.proxy.forwarding.tunnel import relay_upgrade
from winnow.proxy.http.messages import OriginResponse, Permit, Sender, anywhere
from winnow.proxy.http.proxy_errors import ClientFaultError, OriginFaultError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import Target, absolute_url, parse_url, quoted
from winnow.proxy.own.problem_details import problem_of
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.server.requests.client_limits import TunnelLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.upstream.origin_client import UpgradableResponse

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class Forwarder:
    """What forwarding needs; one for the whole process."""

    client: Sender
    transform: Transform
    bars: BarRenderer = NO_BARS
    finisher: PageFinisher = field(default_factory=PageFinisher)
    looks: AppearanceStyle = as_usual
    voices: VoiceChoice = never_aloud
    tunnels: TunnelLimits = field(default_factory=TunnelLimits)
    images: ImageSigner | None = None
    known: KnownPages = field(default_factory=lambda: LRUCache(MOST_KNOWN))
    notices: NoticeRenderer | None = None
    sheets: Fill | None = None

    async def __call__(
        self,
        exchange: Exchange,
        forward: ForwardRoute,
        policy: Policy,
        preferences: Preferences | None = None,
        permit: Permit = anywhere,
    ) -> web.StreamResponse:
        """Serve one request; ``preferences`` are read from its fields unless given."""
        transaction = await self.begun(exchange, forward, policy, preferences, permit)
        try:
            reply = await self._fetched(transaction)
        except OriginFaultError as error:
            prefix = transaction.plan.prefix
            failed = FailedRequest.of_page(transaction.url, exchange.head.target, prefix)
            fields, body = problem_of(error, exchange.head.headers, failed)
            fields = fields.replaced(("Winnow-Request", exchange.number), *error.fields)
            return await exchange.send(error.status, fields, body)
        try:
            return await self._answer(transaction, reply)
        finally:
            await reply.aclose()

    async def begun(
        self,
        exchange: Exchange,
        forward: ForwardRoute,
        policy: Policy,
        preferences: Preferences | None = None,
        permit: Permit = anywhere,
    ) -> Transaction:
        """All that is decided of a request before anything is fetched; arguments as for a call."""
        prefix = gateway_prefix(exchange, policy) if forward.face is Face.GATEWAY else ""
        plan = await self.planner(exchange.head, forward, policy, prefix, preferences)
        if plan.not_navigation is None and is_for_a_person(exchange.head):
            exchange.page, exchange.by_reader = forward.target.url, plan.by_reader
        return Transaction(exchange, plan, permit, self.known)

    async def adapted(
        self, transaction: Transaction, reply: OriginResponse
    ) -> web.StreamResponse | None:
        """Answer with what is made of a response that another program fetched.

        None where it passes as it is: then nothing of its body was read.
        """
        is_known = reply.head.status == 304 and transaction.client_validators
        is_page = isinstance(verdict(transaction.plan.case(reply.head)), Extract)
        if is_known or is_page or transaction.plan.has_notice:
            return await self._answer(transaction, reply)
        return None

    @cached_property
    def planner(self) -> Planner:
        """Decides about each request before anything is fetched."""
        return Planner(self.transform, self.bars, self.looks, self.images, self.voices)

    @cached_property
    def pages(self) -> PageResponder:
        """Answers requests for pages to extract."""
        return PageResponder(
            self.client,
            self.transform,
            self.bars,
            self.finisher,
            self.images,
            self.notices,
            self.sheets,
        )

    async def _fetched(self, transaction: Transaction) -> OriginResponse:
        """The origin's response; a redirect to HTTPS is followed where the client prefers that."""
        reply = await self.client.send(transaction.request_to())
        transaction.mark_fetched()
        secure = secured(transaction, reply)
        if secure is None:
            return reply
        await reply.aclose()
        transaction.follow(replace(transaction.forward, target=secure))
        return await self.client.send(transaction.request_to())

    async def _answer(self, transaction: Transaction, reply: OriginResponse) -> web.StreamResponse:
        """Send the response as it is, or what is made of it where it is a page to extract."""
        if isinstance(reply, UpgradableResponse) and reply.head.status == 101:
            headers = transaction.head(reply, Reason.UPGRADE)
            return await relay_upgrade(transaction.exchange, reply, headers, self.tunnels)
        if reply.head.status == 304 and transaction.client_validators:
            return await transaction.not_modified(reply)
        decision = verdict(transaction.plan.case(reply.head))
        if not isinstance(decision, Extract):
            if transaction.plan.has_notice:
                return await self.pages.original(transaction, reply, decision.reason)
            return await transaction.stream(reply, decision.reason)
        if transaction.exchange.head.method == "HEAD":
            return await transaction.head_of_page(reply, decision)
        return await self.pages(transaction, reply, decision)


def gateway_prefix(exchange: Exchange, policy: Policy) -> str:
    """What stands before every address in the gateway; the client says how it reached us."""
    scheme = "https" if exchange.secure else "http"
    host = exchange.head.headers.get("host") or next(iter(sorted(policy.own_names)))
    return f"{scheme}://{host}/"


def secured(transaction: Transaction, reply: OriginResponse) -> Target | None:
    """The target of a redirect to the same address over HTTPS, for clients without TLS of today.

    Such a client would request the plain address again and again.
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
