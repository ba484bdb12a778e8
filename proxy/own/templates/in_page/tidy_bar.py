"""The bar at the head of a tidied page: plain elements and links, without form.

The page keeps its own policy, which may forbid both. Pure; what stands for the bar (``bar``) holds
for this one too.
"""

from __future__ import annotations

from html import escape
from typing import Final

from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.notice_line import wide_layout_style
from winnow.proxy.own.templates.navigation import link_to
from winnow.proxy.own.translation import LANGUAGE, _

_STYLES: Final = {
    "aside": "all:revert;display:block!important;position:static!important;box-sizing:border-box;"
    "padding:.4em .8em;background:#fdfcfa;color:#1d1c1a;"
    "border-bottom:1px solid #d9d5cd;font:15px/1.8 system-ui,sans-serif;text-align:start",
    "span": "all:revert;margin-inline-end:1.1em",
    "details": "all:revert;display:inline-block",
    "summary": "all:revert;cursor:pointer",
    "a": "all:revert;color:#0b57a4;font:inherit;margin-inline-end:1.1em;white-space:nowrap",
}
"""``revert`` leaves the browser's own outline of what has the focus."""


def tidy_bar(page: str, shows: str, links: ChoiceLinks, *, styled: bool) -> bytes:
    """Markup; ``shows``: what was done, and why, ``styled``: it may have styles."""
    language = LANGUAGE.get()
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    style = {name: f' style="{css}"' if styled else "" for name, css in _STYLES.items()}

    def link(target: str, text: str, more: str = "") -> str:
        return link_to(target, text, f' rel="nofollow"{more}{style["a"]}')

    first = (
        link(links.read(page), _("Read"), referred),
        link(links.original(page), _("Original"), referred),
        f"<span{style['span']}>{escape(shows)}</span>",
        link(links.why(page, RequestMode.TIDY), _("Why?")),
    )
    folded = (
        link(
            links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page)),
            _("Always show the reader view"),
        ),
        link(links.confirm(ChoiceRequest(ChoiceAction.NEVER, page)), _("Never change this site")),
        link(links.options(page), _("All options")),
        link(links.activity(), _("Activity")),
        link(links.settings(), _("Settings")),
    )
    more = _("More")
    return (
        f'<aside id="winnow-bar" lang="{language.value}" dir="{language.direction}" '
        f'aria-label="Winnow"'
        f"{style['aside']}>{' '.join(filter(None, first))} <details{style['details']}>"
        f"<summary{style['summary']}>{escape(more)}</summary>"
        f"{' '.join(filter(None, folded))}</details>"
        f"{wide_layout_style('winnow-bar') if styled else ''}</aside>"
    ).encode()
