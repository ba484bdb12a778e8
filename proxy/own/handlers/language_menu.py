"""``/-/settings/language``: the language of own pages, bars and errors, chosen by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.language_choices import KNOWN
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.navigation import LANGUAGES
from winnow.proxy.own.templates.settings.language_page import language_page
from winnow.proxy.stores.library import LibraryStore

_PURPOSE: Final = "language"


@dataclass(frozen=True)
class LanguageMenu:
    """A button for each language, and one for the browser's."""

    library: LibraryStore
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._chosen)

    def _page(self, request: OwnRequest) -> HtmlPage:
        owner = request.head.owner
        forms = OwnForms(self.tokens, owner, LANGUAGES, _PURPOSE)
        chosen = self.library.now.languages.get(owner, "")
        return language_page(chosen, lambda word, text: forms.button({"language": word}, text))

    async def _chosen(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        word, owner = fields.get("language", ""), request.head.owner
        if word and word not in KNOWN:
            raise ClientFaultError(says("There is no such language."), 400, "bad-form")
        await self.library.change(lambda now: now.with_language(owner, word))
        return see_other(LANGUAGES)
