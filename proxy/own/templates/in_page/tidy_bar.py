"""The bar at the head of a tidied page: plain elements and links, without form.

The page keeps its own policy, which may forbid both. Pure; what stands for the bar (``bar``) holds
for this one too.
"""

from __future__ import annotations

from html import escape
from typing import Final

from markupsafe import Markup

from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.notice_line import wide_layout_style
from winnow.proxy.own.templates.navigation import link_to
from winnow.proxy.own.translation import LANGUAGE, _

_TEMPLATE: Final = page_template(__package__, "tidy_bar.html")
_LINK: Final = (
    ' style="all:revert;color:#0b57a4;font:inherit;margin-inline-end:1.1em;white-space:nowrap"'
)
"""``revert`` leaves the browser's own outline of what has the focus."""


def tidy_bar(page: str, shows: str, links: ChoiceLinks, *, styled: bool) -> bytes:
    """Markup; ``shows``: what was done, and why, ``styled``: it may have styles."""
    policy = "same-origin" if links.gateway else "origin"
    referred, style = f' referrerpolicy="{policy}"', _LINK if styled else ""
    titled = _("Never change this site")
    always, never = (
        links.confirm(ChoiceRequest(action, page))
        for action in (ChoiceAction.ALWAYS, ChoiceAction.NEVER)
    )

    def link(target: str, text: str, more: str = "") -> Markup:
        return link_to(target, text, f' rel="nofollow"{more}{style}')

    return _TEMPLATE(
        language=LANGUAGE.get(),
        styled=styled,
        shows=shows,
        first=(
            link(links.read(page), _("Read"), referred),
            link(links.original(page), _("Original"), referred),
            link(never, _("Never here"), f'{referred} title="{escape(titled)}"'),
        ),
        always=link(always, _("Always show the reader view"), referred),
        folded=(
            link(links.why(page, RequestMode.TIDY), _("Why?")),
            link(links.later(page), _("Read later"), referred),
            link(links.options(page), _("All options")),
            link(links.activity(), _("Activity")),
            link(links.settings(), _("Settings")),
        ),
        wide=wide_layout_style("winnow-bar"),
    ).encode()
