"""``/-/settings/reading``: the appearance of reader pages, chosen by a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.own.handlers.form_checks import form_token, served
from winnow.proxy.own.handlers.page_parameters import scheme_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.appearance_style import (
    CHOICES,
    css_of,
    read_fields,
    word_of,
)
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, styled_page
from winnow.proxy.own.templates.elements import select
from winnow.proxy.own.templates.navigation import READING, navigation
from winnow.proxy.own.view_choices import COOKIE, AppearanceChoices

_MAX_AGE: Final = 400 * 24 * 3600
"""Longest life of a cookie in seconds (RFC 6265bis, section 5.5)."""
_PURPOSE: Final = "reading"
_SAFE: Final = "/:?#[]@!$&'()*+,;=%~"
_LABELS: Final = {
    "size": "Text size",
    "width": "Line length",
    "spacing": "Line and letter spacing",
    "typeface": "Font",
    "theme": "Colours",
}
_NAMES: Final = {
    "usual": "Default",
    "sans": "Sans-serif",
    "legible": "Dyslexia and low vision",
    "mono": "Monospace",
    "system": "Same as device",
    "contrast": "High contrast",
}
_STYLE: Final = STYLE + Markup(
    """
html { background: var(--paper, Canvas); color: var(--ink, CanvasText); }
a { color: var(--link, var(--accent)); }
label { display: inline-block; min-width: min(17rem, 100%); }
button { color: var(--link, var(--accent)); border-color: currentColor; }
button.first { background: var(--link, var(--accent)); color: var(--paper, Canvas); }
select { color: inherit; background: var(--tint, Field); }
"""
)
_HINT: Final = Markup(
    '<p class="quiet">Fonts for dyslexia and low vision: OpenDyslexic, Atkinson Hyperlegible '
    "or Lexend, if one of them is installed on your device; all are free (Debian: "
    "<code>fonts-opendyslexic</code>). Reload open pages to see the change.</p>"
)


@dataclass(frozen=True)
class AppearancePage:
    """The form; the page itself has the chosen appearance."""

    choices: AppearanceChoices
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._chosen)

    async def _chosen(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        looks = read_fields(fields, self.choices.usual)
        word = "" if "forget" in fields else word_of(looks)
        await self.choices.library.change(lambda now: now.with_looks(request.head.owner, word))
        back = fields.get("back", "")
        found = see_other(f"{READING}?back={quote(back, safe='')}" if back else READING)
        cookie = (
            f"{COOKIE}={word}; Path=/; Max-Age={_MAX_AGE if word else 0}; HttpOnly; SameSite=Lax"
        )
        return replace(found, fields=(*found.fields, ("Set-Cookie", cookie)))

    def _page(self, request: OwnRequest) -> HtmlPage:
        looks = self.choices.of(request.head, ours=True)
        back = request.query.get("back", "")
        back = back if back.startswith(("http://", "https://")) else ""
        token = form_token(self.tokens, request.head.owner, _PURPOSE, {})
        main = Markup(
            '{return_}<form method="post" action="{to}">{rows}'
            '<input type="hidden" name="token" value="{token}">'
            '<input type="hidden" name="back" value="{back}">'
            '<p><button class="first">Save</button> '
            '<button name="forget" value="1">Reset to default</button></p></form>{hint}{more}'
        ).format(
            return_=_return(request, back),
            to=READING,
            rows=Markup("").join(_row(name, getattr(looks, name)) for name in CHOICES),
            token=token,
            back=back,
            hint=_HINT,
            more=navigation(READING),
        )
        chosen = Markup(css_of(looks))  # noqa: S704  # our own rules, chosen by name
        return styled_page("Text and colours", main, _STYLE + chosen)


def _return(request: OwnRequest, back: str) -> Markup:
    if not back:
        return Markup("")
    target = back if scheme_of(request) else f"/{quote(back, safe=_SAFE)}"
    return Markup('<p><a href="{}">Back to the page</a></p>').format(target)


def _row(name: str, chosen: str) -> Markup:
    choices = {str(value): _NAMES.get(value, value.capitalize()) for value in CHOICES[name]}
    return Markup("<p>{}</p>").format(select(name, _LABELS[name], choices, chosen))
