"""The pages that readers ask about, fetched once for all that is shown of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache

from winnow.document.values import Page, Recipe
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.own.handlers.form_checks import form_token, has_token
from winnow.proxy.own.handlers.page_parameters import address_of, recipe_at
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.upstream.fetcher import Fetcher

SHOWN_PURPOSE: Final = "shown {url}"
_SPACE: Final = 32_000_000
"""Bytes of pages that are kept for their frame and for the questions about their parts."""
_SECONDS: Final = 600.0


def _size(page: Page) -> int:
    return len(page.body)


def _key(request: OwnRequest) -> tuple[str, str, bool]:
    return request.head.owner, address_of(request), request.permit is public_only


@dataclass(frozen=True)
class ExplainedPages:
    """What was fetched for one reader is shown to no other, and what was fetched from any address
    to no request that may reach public ones alone: a page of another site may have sent that. A
    link out of the frame looks like such a one, since the frame has an origin of its own: its token
    says that the page was shown to this reader.
    """

    fetcher: Fetcher
    policy: Callable[[], Policy]
    tokens: FormTokens
    _recent: TTLCache[tuple[str, str, bool], Page] = field(
        default_factory=lambda: TTLCache(_SPACE, _SECONDS, getsizeof=_size)
    )

    async def fresh(self, request: OwnRequest) -> Page:
        """The page at the request's address, fetched. Raises ProxyError."""
        page = await self.fetcher.page(address_of(request), request.permit)
        if _size(page) <= _SPACE:
            self._recent[_key(request)] = page
        return page

    async def recent(self, request: OwnRequest) -> Page:
        """The same as it was fetched a moment ago, if so. Raises ProxyError."""
        found = self._recent.get(_key(request))
        if found is None and self._was_shown(request):
            found = self._recent.get((request.head.owner, address_of(request), False))
        return found or await self.fresh(request)

    def token(self, request: OwnRequest) -> str:
        """What links out of the frame say, as ``shown``."""
        return form_token(
            self.tokens, request.head.owner, SHOWN_PURPOSE, {"url": address_of(request)}
        )

    def _was_shown(self, request: OwnRequest) -> bool:
        fields = {"url": address_of(request), "token": request.query.get("shown", "")}
        return has_token(request, self.tokens, SHOWN_PURPOSE, fields)

    def recipe(self, request: OwnRequest) -> Recipe:
        """How the page is extracted for the reader. Raises ClientFaultError."""
        return recipe_at(request.query, address_of(request), request.head.owner, self.policy())
