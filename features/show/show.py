"""``/-/show``: a page that the reader's own browser sends, shown as an article after a question.

Any site's page may post here: it is how the reader's bookmark sends the page that is open. So what
is posted is shown after a click on our own page alone, whose token holds for exactly that document;
the article then stands in an origin that is not ours. Nothing is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from winnow.document.values import NO_KNOWLEDGE, Format, Page, Recipe, RenderMode
from winnow.feature import Context
from winnow.features.show.show_page import article_page, help_page, question_page
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.own_addresses import SHOW_PATH
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.form_data import form_data
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.form_checks import refuse_cross_site
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown

LARGEST_FORM: Final = 8 * 1024 * 1024
"""Bytes of a form with its document."""


@dataclass(frozen=True)
class ShowPage:
    """``transform`` keeps nothing of what it renders."""

    transform: Transform
    policy: Callable[[], Policy]
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        if request.head.method != "POST":
            return shown(help_page(request.base))
        body = await request.body(min(LARGEST_FORM, self.policy().largest_body))
        kind = request.head.headers.get("content-type")
        fields = await asyncio.to_thread(form_data, body, kind)
        page, url = fields.get("page", ""), _address(fields.get("url", ""))
        if not page.strip():
            raise ClientFaultError(says("The form holds no page."), 400, "empty")
        purpose = await asyncio.to_thread(_purpose, request.head.owner, url, page)
        if "token" in fields:
            sent = Page(page.encode("utf-8", "replace"), url or None, "utf-8")
            return await self._article(request, fields["token"], purpose, sent)
        token = self.tokens.make(purpose, datetime.now(UTC))
        origin = request.head.headers.joined("origin")
        hidden = {"token": token, "url": url, "page": page}
        return shown(await asyncio.to_thread(question_page, url, origin, hidden))

    async def _article(
        self, request: OwnRequest, token: str, purpose: str, page: Page
    ) -> OwnResponse:
        refuse_cross_site(request)
        if not self.tokens.holds(token, purpose, datetime.now(UTC)):
            raise ClientFaultError(
                says("This form has expired. Send the page again."), 403, "stale-form"
            )
        rendered = await self.transform(page, posted_recipe(self.policy().recipe, Format.HTML))
        return shown(article_page(rendered.body, page.url or ""))


def posted_recipe(recipe: Recipe, form: Format) -> Recipe:
    """How a page from a reader's browser is extracted: nothing learned, no browser of ours."""
    return replace(
        recipe, format=form, link_prefix="", knowledge=NO_KNOWLEDGE, render=RenderMode.NO
    )


def _address(text: str) -> str:
    """A web page's address; "" for any other text."""
    try:
        return parse_url(text.strip()).url
    except ClientFaultError:
        return ""


def _purpose(owner: str, url: str, page: str) -> str:
    """What a token is for: this very page, for this reader."""
    digest = hashlib.sha256(page.encode("utf-8", "replace")).hexdigest()
    return json.dumps(["show", owner, url, digest])


def pages(context: Context) -> Mapping[str, OwnPage]:
    page = ShowPage(context.unlearning, context.policy, context.tokens)
    return people_pages({SHOW_PATH: page})
