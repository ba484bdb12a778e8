"""Fetches for a client: streams replies through, and gathers, transforms and sends pages."""

from __future__ import annotations

import asyncio
import hashlib
import time
from dataclasses import dataclass, replace

from aiohttp import web

from document.values import BAR_MARK, Page, Rendered
from proxy import coding
from proxy.banner import with_banner
from proxy.errors import AddressRefusedError, OriginFaultError, TransformError
from proxy.exchange import Exchange
from proxy.gather import Gathered, gather, page_failure
from proxy.headers import Field, Headers, parameter
from proxy.incoming import kept_in_gateway, passed_on, said, transformed
from proxy.outgoing import outgoing, relays_upgrade
from proxy.problems import problem
from proxy.reasons import Action, Reason
from proxy.routes import Face, Forward
from proxy.tunnel import relay_upgrade
from proxy.upstream.client import Client, Order, Reply
from proxy.upstream.connect import Permit, anywhere
from proxy.values import Policy, Transform
from proxy.verdicts import Extract, may_be_page, shows_html, verdict
from proxy.wishes import Wish, from_headers


@dataclass(frozen=True)
class Forwarder:
    """What forwarding needs; one for the whole process."""

    client: Client
    transform: Transform

    async def __call__(
        self,
        exchange: Exchange,
        forward: Forward,
        policy: Policy,
        wish: Wish | None = None,
        permit: Permit = anywhere,
    ) -> web.StreamResponse:
        """Serve one request. ``wish`` is read from the request's fields unless it is given."""
        prefix = gateway_prefix(exchange, policy) if forward.face is Face.GATEWAY else ""
        wish = wish or from_headers(exchange.head.headers, policy.recipe)
        wish = replace(wish, recipe=replace(wish.recipe, link_prefix=prefix))
        work = Work(exchange, forward, policy, wish)
        try:
            reply = await self.client.send(work.order(permit))
        except (OriginFaultError, AddressRefusedError) as error:
            fields, body = problem(error.status, error.reason, str(error), exchange.head.headers)
            return await exchange.send(error.status, fields, body)
        try:
            return await self._answer(work, reply)
        finally:
            await reply.aclose()

    async def _answer(self, work: Work, reply: Reply) -> web.StreamResponse:
        work.fetched = time.perf_counter()
        if reply.head.status == 101:
            return await relay_upgrade(work.exchange, reply, work.head(reply, Reason.UPGRADE))
        decision = verdict(work.exchange.head, reply.head, work.host, work.wish, work.policy)
        if not isinstance(decision, Extract):
            return await work.stream(reply, decision.reason)
        if work.exchange.head.method == "HEAD":
            return await work.head_of_page(reply, decision)
        return await self._page(work, reply, decision)

    async def _page(self, work: Work, reply: Reply, decision: Extract) -> web.StreamResponse:
        codings = reply.head.headers.items("content-encoding")
        gathered = await gather(reply.read, codings, work.policy)
        failure = gathered.failure or page_failure(gathered.body)
        if failure:
            return await work.stream(reply, failure, gathered)
        charset = parameter(reply.head.headers.get("content-type"), "charset")
        page = Page(gathered.body, work.forward.target.url, charset)
        try:
            rendered = await self.transform(page, decision.recipe)
        except TransformError as error:
            return await work.failed(reply, gathered, error.reason, decision)
        if rendered.poor and work.may_refuse:
            return await work.stream(reply, rendered.poor, gathered)
        return await work.transformed(reply, rendered, decision)


def gateway_prefix(exchange: Exchange, policy: Policy) -> str:
    """What stands before every address in the gateway; the client says how it reached us."""
    scheme = "https" if exchange.request.secure else "http"
    host = exchange.head.headers.get("host") or next(iter(sorted(policy.own_names)))
    return f"{scheme}://{host}/"


class Work:
    """One request on its way: what is known of it, and the ways in which it can be answered."""

    def __init__(self, exchange: Exchange, forward: Forward, policy: Policy, wish: Wish) -> None:
        self.exchange = exchange
        self.forward = forward
        self.policy = policy
        self.wish = wish
        self.host = forward.target.origin.host
        self.begun = self.fetched = time.perf_counter()

    @property
    def may_refuse(self) -> bool:
        """Whether a poor result gives way to the original: not where a format was asked for."""
        return self.wish.recipe.format == self.policy.recipe.format

    def order(self, permit: Permit) -> Order:
        head, target = self.exchange.head, self.forward.target
        page = may_be_page(head, self.wish) and not relays_upgrade(head)
        headers = outgoing(head, target, self.forward.face, self.policy, page)
        return Order(head.method, target, headers, self.exchange.body(), permit)

    def head(self, reply: Reply, reason: str, extra: tuple[Field, ...] = ()) -> Headers:
        """The head of a reply that goes through as it is."""
        fields = said(Action.ORIGINAL, reason, timing=self.timing())
        return self._local(passed_on(reply.head, self.policy, fields + extra))

    def timing(self) -> str:
        """Server-Timing: milliseconds until the reply's head, and since then."""
        fetch, extract = self.fetched - self.begun, time.perf_counter() - self.fetched
        return f"fetch;dur={fetch * 1000:.1f}, extract;dur={extract * 1000:.1f}"

    async def stream(
        self, reply: Reply, reason: str, gathered: Gathered | None = None
    ) -> web.StreamResponse:
        """Pass the reply on, the bytes gathered already first."""
        exchange = self.exchange
        length = reply.length
        if exchange.head.method == "HEAD":
            length = _declared_length(reply)
        await exchange.start(reply.head.status, self.head(reply, reason), length, reply.head.reason)
        gathered = gathered or Gathered()
        for chunk in gathered.raw:
            await exchange.write(chunk)
        try:
            while not gathered.broken and (chunk := await reply.read()):
                await exchange.write(chunk)
        except OriginFaultError:
            return exchange.break_off()
        return exchange.break_off() if gathered.broken else await exchange.finish()

    async def head_of_page(self, reply: Reply, decision: Extract) -> web.StreamResponse:
        """HEAD of a page: what GET would say, without what only its body can tell."""
        fields = said(Action.EXTRACTED, decision.reason, timing=self.timing())
        headers = transformed(reply.head, self.policy, "text/html; charset=utf-8", "", fields)
        headers = self._local(headers.without(("etag",)))
        await self.exchange.start(reply.head.status, headers, None, reply.head.reason)
        return await self.exchange.finish()

    async def failed(
        self, reply: Reply, gathered: Gathered, reason: str, decision: Extract
    ) -> web.StreamResponse:
        """The original page with a banner that says what failed, or without where none fits."""
        body = with_banner(gathered.body, reason) if shows_html(decision.recipe) else None
        if body is None or not self.wish.bar:
            return await self.stream(reply, reason, gathered)
        gone = ("content-encoding", "etag", "content-md5", "digest", "content-digest")
        fields = self.head(reply, reason).without((*gone, "repr-digest", "accept-ranges"))
        return await self.exchange.send(200, fields, body, reply.head.reason)

    async def transformed(
        self, reply: Reply, rendered: Rendered, decision: Extract
    ) -> web.StreamResponse:
        body = rendered.body.replace(BAR_MARK, b"", 1)
        accepted = self.exchange.head.headers
        chosen = coding.choose_coding(
            accepted.joined("accept-encoding") if "accept-encoding" in accepted else None, len(body)
        )
        coded = await asyncio.to_thread(coding.encode, chosen, body)
        fields = said(Action.EXTRACTED, decision.reason, rendered.extractor, self.timing())
        if chosen != "identity":
            fields += (("Content-Encoding", chosen),)
        headers = transformed(reply.head, self.policy, rendered.media_type, _etag(coded), fields)
        return await self.exchange.send(200, self._local(headers), coded, reply.head.reason)

    def _local(self, headers: Headers) -> Headers:
        prefix = self.wish.recipe.link_prefix
        return kept_in_gateway(headers, self.forward.target.url, prefix) if prefix else headers


def _declared_length(reply: Reply) -> int | None:
    """The Content-Length of a reply to HEAD, which has no body (RFC 9110, section 8.6)."""
    lengths = set(reply.head.headers.items("content-length"))
    declared = lengths.pop() if len(lengths) == 1 else ""
    return int(declared) if declared.isdecimal() else None


def _etag(body: bytes) -> str:
    return f'"w-{hashlib.sha256(body).hexdigest()[:24]}"'
