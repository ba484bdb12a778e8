"""One proxied request: its plan, its timing and the ways to answer it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from aiohttp import web
from cachetools import LRUCache

from winnow.document.values import Rendered, Treatment
from winnow.jobs.answers import Fallback
from winnow.proxy.caching.conditions import is_unchanged, of_304
from winnow.proxy.decisions import etags
from winnow.proxy.decisions.eligibility import HTML_TYPES, Extract
from winnow.proxy.decisions.plan import RequestPlan
from winnow.proxy.decisions.request.routing import ForwardRoute
from winnow.proxy.decisions.response_headers import (
    OF_THE_BYTES,
    in_gateway,
    interim_fields,
    not_modified,
    outcome_fields,
    passed_on,
    revalidated,
    transformed,
    varied,
)
from winnow.proxy.forwarding.known_pages import (
    DONE,
    FinishedPage,
    KnownPage,
    KnownPages,
    shape_of,
)
from winnow.proxy.http.headers import Field, Headers, media_type
from winnow.proxy.http.messages import OriginRequest, OriginResponse, Permit
from winnow.proxy.http.proxy_errors import MalformedResponseError, OriginFaultError
from winnow.proxy.http.reasons import Reason, WinnowAction
from winnow.proxy.http.request_target import Target
from winnow.proxy.http.trailers import forwarded_trailers
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.stores.site_choice import SiteMode
from winnow.proxy.upstream.body import BufferedBody
from winnow.proxy.upstream.response_parser import declared_length

MOST_HINTS: Final = 8
"""Interim responses that are held until it is known whether the page is passed on."""
NOTICE_MARK: Final = "000000000000"
"""The mark in the ETag of an original with a line: it is that of no rendering."""


class Transaction:
    """One proxied request and its plan; ``forward`` changes with a redirect that is followed."""

    def __init__(
        self,
        exchange: Exchange,
        plan: RequestPlan,
        permit: Permit,
        known: KnownPages | None = None,
    ) -> None:
        """``known`` is shared by all."""
        self._known: KnownPages = LRUCache(1) if known is None else known
        self.exchange, self.plan, self.permit = exchange, plan, permit
        self.follow(plan.forward)
        self.policy = plan.policy
        self.preferences = plan.preferences
        self.recipe = plan.recipe
        self.mark, self.variant = plan.mark, plan.variant
        self.may_be_page = plan.may_be_page
        self._hints: list[tuple[int, Headers]] = []
        self._begun = self._fetched = time.perf_counter()

    def follow(self, forward: ForwardRoute) -> None:
        """Concern another address from now on."""
        self.forward, self.url = forward, forward.target.url

    def mark_fetched(self) -> None:
        """The origin's head has come."""
        self._fetched = time.perf_counter()

    def timing(self) -> str:
        """Server-Timing: milliseconds until the origin's head, and since then."""
        fetch, extract = self._fetched - self._begun, time.perf_counter() - self._fetched
        self.exchange.fetched, self.exchange.extracted = fetch, extract
        return f"fetch;dur={fetch * 1000:.1f}, extract;dur={extract * 1000:.1f}"

    @property
    def client_validators(self) -> tuple[etags.Validator, ...]:
        """Validators of our representation in the client's If-None-Match."""
        if not self.may_be_page:
            return ()
        return etags.read(self.exchange.head.headers.joined("if-none-match"), self.mark)

    def gives_way(self, rendered: Rendered) -> bool:
        """Whether the original is sent instead of a result: a poor one that nobody chose."""
        if rendered.treatment is Treatment.ORIGINAL:
            return True
        wanted = self.plan.by_reader or self.plan.rule.mode is SiteMode.ALWAYS
        if not rendered.poor or (wanted and rendered.words_kept):
            return False
        if self.recipe.format.is_data:
            return self._names_html and not self.preferences.named_method
        same_format = self.preferences.recipe.format == self.policy.recipe.format
        return same_format and self.recipe.options.level == self.policy.recipe.options.level

    @property
    def takes_original(self) -> bool:
        """Whether the original may stand for an article that a data format lacks."""
        return self.preferences.fallback is Fallback.ORIGINAL or self._names_html

    @property
    def _names_html(self) -> bool:
        """Whether Accept has HTML too, and no field says what is wanted instead of an article."""
        names = "text/html" in self.exchange.head.headers.joined("accept").lower()
        return names and self.preferences.fallback is Fallback.NONE

    def request_to(self, target: Target | None = None) -> OriginRequest:
        """The request for the origin; ``target`` replaces the requested one."""
        target = target or self.forward.target
        request = self.plan.request_to(target, self.permit, self.exchange.body())
        return replace(request, interim=self._on_interim)

    async def _on_interim(self, status: int, headers: Headers) -> None:
        """Forward an interim response; for what may become a page of ours once it does not.

        Early Hints name what the origin's page needs, which ours may not.
        """
        fields = interim_fields(headers)
        if self.may_be_page:
            self._hints = [*self._hints[1 - MOST_HINTS :], (status, fields)]
        else:
            await self.exchange.interim(status, fields)

    def head(self, reply: OriginResponse, reason: str, extra: tuple[Field, ...] = ()) -> Headers:
        """The fields of a response that is passed on unchanged."""
        fields = outcome_fields(WinnowAction.ORIGINAL, reason, timing=self.timing())
        headers = passed_on(reply.head, self.policy, fields + extra)
        return self._local(revalidated(headers) if self._may_change(reply) else headers)

    def _may_change(self, reply: OriginResponse) -> bool:
        """Whether a user's choice decides that the response is the original."""
        status, kind = reply.head.status, media_type(reply.head.headers)
        is_page = status == 304 or (status == 200 and kind in HTML_TYPES)
        return self.plan.original_by_choice and is_page

    def _is_current(self, reply: OriginResponse) -> bool:
        """Whether the client has this representation; its conditions were not sent on."""
        head = self.exchange.head
        dropped = self.may_be_page or self.plan.has_notice
        applies = dropped and head.method in ("GET", "HEAD") and reply.head.status == 200
        return applies and is_unchanged(head.headers, reply.head.headers)

    async def stream(
        self, reply: OriginResponse, reason: str, buffered: BufferedBody | None = None
    ) -> web.StreamResponse:
        """Pass the response on, the bytes buffered already first."""
        exchange = self.exchange
        if buffered is None and self._is_current(reply):
            headers = of_304(self.head(reply, reason))
            return await exchange.send(304, headers, b"")
        length = _declared_length(reply) if exchange.head.method == "HEAD" else reply.length
        for status, hints in self._hints:
            await exchange.interim(status, hints)
        await exchange.start(reply.head.status, self.head(reply, reason), length, reply.head.reason)
        buffered = buffered or BufferedBody()
        for chunk in buffered.chunks:
            await exchange.write(chunk)
        buffered.chunks.clear()
        try:
            while not buffered.cut_short and (chunk := await reply.read()):
                await exchange.write(chunk)
        except OriginFaultError:
            return exchange.break_off()
        return (
            exchange.break_off()
            if buffered.cut_short
            else await exchange.finish(forwarded_trailers(reply.trailers))
        )

    async def not_modified(self, reply: OriginResponse) -> web.StreamResponse:
        """304: the origin's page has not changed, so ours has not either."""
        validator = self._unchanged(etags.validator_of(reply.head.headers))
        action = WinnowAction.TIDIED if validator.tidied else WinnowAction.EXTRACTED
        fields = outcome_fields(action, "not-modified", timing=self.timing())
        headers = not_modified(reply.head, self.policy, etags.derived(validator, self.mark), fields)
        await self.exchange.start(304, self._local(headers, ours=True), None, reply.head.reason)
        return await self.exchange.finish()

    def _unchanged(self, validator: etags.Validator | None) -> etags.Validator:
        """Which of the client's representations a 304 of the origin is about."""
        held = self.client_validators
        if validator is None:
            return held[0]
        tidied = next((each.tidied for each in held if each.value == validator.value), False)
        return replace(validator, tidied=tidied)

    async def head_of_page(self, reply: OriginResponse, decision: Extract) -> web.StreamResponse:
        """HEAD of a page: the fields of GET but for those that depend on the body.

        Where its purpose decides these are what is done with it, its ETag and its policy too,
        unless a GET has shown them lately.
        """
        validator = etags.validator_of(reply.head.headers)
        known = self._known.get(self._known_by(validator)) if validator else None
        known = known or self._foreseen(decision, validator)
        reason = _reason(decision, known.instead)
        fields = outcome_fields(known.action, reason, known.extractor, self.timing())
        made = transformed(reply.head, self.policy, known.shape, known.tag, fields)
        if known.action is None:
            made = made.without(("content-security-policy",))
        headers = self._local(made, ours=True)
        if etags.matches(self.exchange.head.headers, validator, self.mark):
            await self.exchange.start(304, of_304(headers), None)
        else:
            await self.exchange.start(reply.head.status, headers, None, reply.head.reason)
        return await self.exchange.finish()

    def _foreseen(self, decision: Extract, validator: etags.Validator | None) -> KnownPage:
        """What GET will say, as far as that can be known without the body."""
        recipe = decision.recipe
        is_stable = validator is not None and recipe.pages == 1 and not recipe.treatments
        tag = etags.derived(validator, self.mark) if validator and is_stable else ""
        action = None if recipe.treatments else WinnowAction.EXTRACTED
        return KnownPage(action, "", shape_of(recipe), tag)

    async def annotated(
        self, reply: OriginResponse, headers: Headers, finished: FinishedPage
    ) -> web.StreamResponse:
        """The original page with a notice, with fields for these bytes."""
        tag = etags.derived(finished.validator, NOTICE_MARK)
        fields = (("ETag", tag), ("Vary", varied(headers)), ("Accept-Ranges", "none"))
        headers = revalidated(headers.without(OF_THE_BYTES).replaced(*fields))
        if etags.matches(self.exchange.head.headers, finished.validator, NOTICE_MARK):
            return await self.exchange.send(304, of_304(headers), b"")
        if finished.coding != "identity":
            headers = headers.replaced(("Content-Encoding", finished.coding))
        return await self.exchange.send(200, headers, finished.body, reply.head.reason)

    async def transformed(
        self,
        reply: OriginResponse,
        rendered: Rendered,
        finished: FinishedPage,
        decision: Extract,
        more: tuple[Field, ...] = (),
    ) -> web.StreamResponse:
        """Our representation of the page; 304 where the client has it.

        Data that is poor says why, as a line in a page does.
        """
        request = self.exchange.head.headers
        # Where it depends on more than the origin's response, that one's validator is not enough.
        alone = decision.recipe.pages == 1 and rendered.by_page_alone
        validator = etags.validator_of(reply.head.headers) if alone else None
        validator = validator or finished.validator
        validator = replace(validator, tidied=rendered.treatment is Treatment.TIDY)
        done = DONE[rendered.treatment]
        reason = (self.recipe.format.is_data and rendered.poor) or _reason(
            decision, rendered.instead
        )
        fields = outcome_fields(done, reason, rendered.extractor, self.timing())
        tag = etags.derived(validator, self.mark)
        shape = shape_of(decision.recipe, rendered)
        if validator.kind != "b":
            known = KnownPage(done, rendered.extractor, shape, tag, rendered.instead)
            self._known[self._known_by(validator)] = known
        headers = transformed(reply.head, self.policy, shape, tag, (*fields, *more))
        headers = self._local(headers, ours=True)
        if etags.matches(request, validator, self.mark):
            await self.exchange.start(304, headers.without(("content-type",)), None)
            return await self.exchange.finish()
        if finished.coding != "identity":
            headers = headers.replaced(("Content-Encoding", finished.coding))
        return await self.exchange.send(200, headers, finished.body, reply.head.reason)

    def _known_by(self, validator: etags.Validator) -> tuple[str, str, str]:
        return self.url, self.mark, validator.value

    def _local(self, headers: Headers, ours: bool = False) -> Headers:
        prefix = self.recipe.link_prefix
        return in_gateway(headers, self.url, prefix, ours) if prefix else headers


def _reason(decision: Extract, instead: str) -> str:
    """Why a page is shown as it is: what keeps a page that a person opened from being extracted."""
    return (instead if decision.reason is Reason.PAGE else "") or decision.reason


def _declared_length(reply: OriginResponse) -> int | None:
    """The Content-Length of a reply to HEAD, which has no body (RFC 9110, section 8.6)."""
    try:
        return declared_length(reply.head.headers)
    except MalformedResponseError:
        return None
