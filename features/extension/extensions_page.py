"""``/-/extensions``: the browser extensions that are paired, and the code that pairs another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from winnow.proxy.access.credentials.extension_pairing import pairing_code
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.confirmation import ALONE
from winnow.proxy.own.templates.navigation import EXTENSIONS
from winnow.proxy.own.translation import _
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.paired_extensions import of_owner, without_extension

_TEMPLATE: Final = page_template(__package__, "extensions.html")
_PURPOSE: Final = "unpair {origin}"


@dataclass(frozen=True)
class ExtensionsPage:
    """Each owner sees and ends their own pairings."""

    library: LibraryStore
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._ended)

    def _page(self, request: OwnRequest) -> HtmlPage:
        owner, paired = request.head.owner, self.library.now.extensions
        forms = OwnForms(self.tokens, owner, EXTENSIONS, _PURPOSE)
        code = pairing_code(self.tokens, owner, paired, datetime.now(UTC))
        page = page_of(
            _TEMPLATE,
            code=code,
            paired=of_owner(paired, owner),
            revoke=lambda origin: forms.button({"origin": origin}, _("Remove")),
        )
        return page.with_headers(ALONE)

    async def _ended(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        owner, origin = request.head.owner, fields.get("origin", "")
        await self.library.change(
            lambda now: replace(now, extensions=without_extension(now.extensions, owner, origin))
        )
        return see_other(EXTENSIONS)
