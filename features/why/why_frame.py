"""``/-/why/page``: the page with its marks, for the frame of ``/-/why``; its pictures.

The page runs no script, sends no form and has an origin of its own, which is not ours. We fetch its
style sheets (winnow.transforms.page_sheets), and its pictures when the browser asks for them by a
signed address: without cookies, without Referer, and from public addresses, or the page's own host,
alone.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from winnow.document.values import Page
from winnow.features.why.explained_pages import ExplainedPages
from winnow.features.why.jobs import MarkedPageJob
from winnow.features.why.templates.frame_marks import IMAGE_POLICY, PART, frame_policy, mark_texts
from winnow.features.why.why import options_of
from winnow.jobs.job_types import Workers
from winnow.jobs.page_jobs import ShrinkJob
from winnow.proxy.access.credentials.image_signatures import FRAME_IMAGES, ImageSignatures
from winnow.proxy.access.private_addresses import is_public_host, public_only
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.upstream.fetcher import Fetcher, host_of
from winnow.transforms.page_sheets import PageSheets

LARGEST_IMAGE: Final = 1_000_000
"""Bytes of a picture that is passed on as it is; a larger one is made smaller."""
_WIDTH: Final = 1600
_SIGNED: Final = re.compile(re.escape(f"{FRAME_IMAGES}~/").encode() + rb"([A-Za-z0-9_=-]+)")


@dataclass(frozen=True)
class WhyFrame:
    """The page of a frame, one for the process."""

    pages: ExplainedPages
    workers: Workers
    signatures: ImageSignatures
    sheets: PageSheets

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        recipe, page = self.pages.recipe(request), await self.pages.recent(request)
        sheets = await self.sheets(page, permit=request.permit)
        shown = {"shown": self.pages.token(request)}
        query = urlencode({"url": address_of(request), **options_of(request), **shown})
        stored = request.query.get("saved", "")
        texts = mark_texts("/-/why?url=", f"{FRAME_IMAGES}~/", f"{PART}?{query}&", stored)
        markup = await self.workers.run(MarkedPageJob(page, recipe, texts, sheets))
        body = self._signed(markup.encode("utf-8", "replace"), page, request)
        fields = (
            ("Content-Security-Policy", frame_policy(request.base)),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        )
        return OwnResponse(body, "text/html; charset=utf-8", 200, fields)

    def _signed(self, body: bytes, page: Page, request: OwnRequest) -> bytes:
        """The page, the addresses of its pictures signed for its reader."""
        home = host_of(page.url or address_of(request))
        is_private = request.permit is not public_only and not is_public_host(home)

        def signed(found: re.Match[bytes]) -> bytes:
            encoded, owner = found[1].decode(), request.head.owner
            is_own = is_private and _host_at(encoded) == home
            return self.signatures.frame_image(encoded, owner, is_private=is_own).encode()

        return _SIGNED.sub(signed, body)


@dataclass(frozen=True)
class WhyImage:
    """The pictures of marked pages, below ``FRAME_IMAGES``: by signed addresses alone."""

    fetcher: Fetcher
    workers: Workers
    signatures: ImageSignatures
    policy: Callable[[], Policy]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        if not self.signatures.holds(request.head.target, request.head.owner):
            raise ClientFaultError(says("There is no image at this address."), 403, "cross-site")
        encoded = request.path.rpartition("/")[2]
        permit = self._permit(request)
        fetched = await self.fetcher.get(_address(encoded), permit, accept="image/*")
        kind = fetched.headers.get("content-type").partition(";")[0].strip().lower()
        if fetched.status != 200 or not kind.startswith("image/"):
            raise ClientFaultError(says("There is no image at this address."), 415, "no-image")
        body = fetched.body
        if len(body) > LARGEST_IMAGE:
            job = ShrinkJob(body, _WIDTH, LARGEST_IMAGE)
            body, kind = await self.workers.run(job)
        fields = (
            ("Content-Security-Policy", IMAGE_POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "private, max-age=600"),
        )
        return OwnResponse(body, kind, 200, fields)

    def _permit(self, request: OwnRequest) -> Permit:
        """What the picture's signature opens: the frame's requests look like another site's."""
        if self.signatures.holds_private(request.head.target, request.head.owner):
            return self.policy().permit_of(request.head)
        return public_only


def _host_at(encoded: str) -> str:
    """The host of a picture's address; "" for what is none."""
    try:
        return host_of(_address(encoded))
    except ClientFaultError:
        return ""


def _address(encoded: str) -> str:
    """Raises ClientFaultError for what is no base64url of UTF-8."""
    try:
        return urlsafe_b64decode(encoded).decode()
    except ValueError as error:
        message = says("There is no image at this address.")
        raise ClientFaultError(message, 404, "no-image") from error
