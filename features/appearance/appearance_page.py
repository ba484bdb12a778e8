"""``/-/settings/reading``: the appearance of reader pages, chosen by a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import quote, urldefrag, urlencode

from markupsafe import Markup

from winnow.feature import Context
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.referrers import referrer_of
from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.handlers.form_checks import form_token, refuse_strange_name, served
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.page_parameters import is_clicked, is_on_page, scheme_of
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.choice_forms import SAFE
from winnow.proxy.own.templates.in_page.appearance_style import (
    CHOICES,
    css_of,
    read_fields,
    read_word,
    word_of,
)
from winnow.proxy.own.templates.in_page.looks_panel import KEEP, KEPT, KEPT_TEXT, LABELS, NAMES
from winnow.proxy.own.templates.navigation import READING
from winnow.proxy.own.translation import _
from winnow.proxy.own.view_choices import COOKIE, AppearanceChoices

_MAX_AGE: Final = 400 * 24 * 3600
"""Longest life of a cookie in seconds (RFC 6265bis, section 5.5)."""
UNDO: Final = "undo"
"""The parameter of the link that takes back what the bar's form kept."""
BEFORE: Final = "winnow-looks-before"
"""The cookie with what that replaced: of one reader also where several share an address."""
_PURPOSE: Final = "reading"
_READ: Final = "/-/read?"
_STYLE: Final = STYLE + own_file(__package__, "appearance.css")
_TEMPLATE: Final = page_template(__package__, "appearance.html")


@dataclass(frozen=True)
class AppearancePage:
    """The form; the page itself has the chosen appearance."""

    choices: AppearanceChoices
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """The bar's form (``KEEP``) and its way back (``UNDO``) are stored at once where they stand
        in the page that they name."""
        if KEEP in request.query and request.head.method == "GET" and _is_from_bar(request):
            refuse_strange_name(request)
            return await self._kept(request)
        if UNDO in request.query and request.head.method == "GET" and _is_undone(request):
            refuse_strange_name(request)
            return await self._taken_back(request)
        return await served(request, self.tokens, _PURPOSE, self._page, self._chosen)

    async def _kept(self, request: OwnRequest) -> OwnResponse:
        now = self.choices.of(request.head, ours=True)
        word = word_of(read_fields(request.query, now))
        before = self.choices.word(request.head, ours=True)
        page = urldefrag(_view(request, request.query["back"])).url
        found = await self._stored(request, word, f"{page}#{KEPT}")
        return replace(found, fields=(*found.fields, _cookie(BEFORE, before)))

    async def _taken_back(self, request: OwnRequest) -> OwnResponse:
        to = _view(request, request.query["back"])
        return await self._stored(request, request.head.cookie(BEFORE), to)

    async def _chosen(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        looks = read_fields(fields, self.choices.usual)
        word = "" if "forget" in fields else word_of(looks)
        back = fields.get("back", "")
        to = f"{READING}?{urlencode({'saved': '1', **({'back': back} if back else {})})}"
        return await self._stored(request, word, to)

    async def _stored(self, request: OwnRequest, word: str, to: str) -> OwnResponse:
        await self.choices.library.change(lambda now: now.with_looks(request.head.owner, word))
        found = see_other(to)
        return replace(found, fields=(*found.fields, _cookie(COOKIE, word)))

    def _page(self, request: OwnRequest) -> HtmlPage:
        looks = self.choices.of(request.head, ours=True)
        if KEEP in request.query:  # not from the page itself: shown, to be confirmed
            looks = read_fields(request.query, looks)
        elif UNDO in request.query and (before := request.head.cookie(BEFORE)):
            looks = read_word(before, self.choices.usual)
        back = request.query.get("back", "")
        back = back if back.startswith(("http://", "https://")) else ""
        return page_of(
            _TEMPLATE,
            style=_STYLE + Markup(css_of(looks)),  # noqa: S704 - our own rules, chosen by name
            is_saved="saved" in request.query,
            kept=KEPT_TEXT,
            target=_target(request, back) if back else None,
            choices={
                name: {str(value): _(NAMES[value]) for value in values}
                for name, values in CHOICES.items()
            },
            labels=LABELS,
            looks=asdict(looks),
            back=back,
            token=form_token(self.tokens, request.head.owner, _PURPOSE, {}),
        )


def _is_from_bar(request: OwnRequest) -> bool:
    """Whether the form stands in the page that it leads back to, by Referer.

    A script of that site may send the same: so nothing but text and colours is stored this way.
    """
    return is_on_page(request, request.query.get("back", ""))


def _is_undone(request: OwnRequest) -> bool:
    """Whether *Undo* was clicked in the page that it leads back to, by a person."""
    return is_clicked(request, request.query.get("back", ""))


def _cookie(name: str, word: str) -> tuple[str, str]:
    """The field that stores a chosen appearance; "" removes it."""
    age = _MAX_AGE if word else 0
    return "Set-Cookie", f"{name}={word}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax"


def _target(request: OwnRequest, back: str) -> Address:
    """The address of a page as its reader sees it; ``back`` is what the form says."""
    if not back.startswith(request.base) and scheme_of(request) and (page := web_address(back)):
        return page
    path = back.removeprefix(request.base).lstrip("/")
    return own_address(f"/{quote(path, safe=SAFE)}")


def _view(request: OwnRequest, back: str) -> str:
    """The address of a page, as it was read in the gateway: *Reader view* is a view of its own."""
    own, referer = request.base.rstrip("/"), request.head.headers.get("referer")
    path = referer.removeprefix(own)
    is_read = path.startswith(_READ) and referrer_of(referer, own).url == back
    return path if is_read and not scheme_of(request) else _target(request, back)


def pages(context: Context) -> Mapping[str, OwnPage]:
    return people_pages({READING: AppearancePage(context.of(AppearanceChoices), context.tokens)})
