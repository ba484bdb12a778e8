"""The line in an original page that says why it is one, and the ways out of it. Pure, no script.

Like the bar it stands in the site's page: no link of it holds a secret, and what stands for the bar
(``bar``) holds for this one too.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.translation import LANGUAGE, N_, _

_Link = tuple[str, str]
"""Where it leads, and its text."""
_STYLES: Final = {
    "aside": "all:revert;position:fixed;inset-inline-start:0;bottom:0;z-index:2147483647;"
    "box-sizing:border-box;"
    "max-width:100%;padding:.3em .8em;border:1px solid #8a6d00;background:#fff3cd;color:#332701;"
    "font:14px/1.7 system-ui,sans-serif;text-align:start",
    "details": "all:revert;display:inline-block",
    "summary": "all:revert;cursor:pointer",
    "a": "all:revert;color:#0b57a4;font:inherit;margin-inline-start:.9em;white-space:nowrap",
    "b": "all:revert;margin-inline-start:.9em;border-bottom:2px solid",
}
"""``revert`` leaves the browser's own outline of what has the focus."""
_FIRST: Final = ' tabindex="1"'
"""What stands in the window is what the Tab key reaches first, though it is the page's last
element: as its first one it would be in the way of the page's own style and scripts."""
_STYLED: Final = {
    name: f'{_FIRST if name == "a" else ""} style="{css}"' for name, css in _STYLES.items()
}

_HALF: Final = 304
"""Half the width in pixels of what a reader page shows, where its text and line length are the
defaults: so far from the middle of the window the switch stands in either view."""

CAUSES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deadline": N_("extraction took too long"),
        "busy": N_("too many pages were waiting to be extracted"),
        "starting": N_("Winnow has just started and cannot extract yet"),
        "too-complex": N_("the page is nested too deep, or has too many attributes"),
        "no-article": N_("no article was found"),
        "few-words": N_("too few words were found"),
        "little-kept": N_("most of the page would have been removed"),
        "low-confidence": N_("it is not certain what the article is"),
        "no-browser": N_("no browser is installed that could run the page’s scripts"),
        "no-sandbox": N_("the browser that runs scripts has no sandbox here"),
        "render-failed": N_("the browser could not load the page"),
        "script-shell": N_("the page’s scripts write its text"),
        "task-lost": N_("something that can be done on the page would have been lost"),
        "file-lost": N_("a file to download would have been lost"),
        "player-lost": N_("a player would have been lost"),
        "price-lost": N_("a price would have been lost"),
        "rest-lost": N_("the link to the rest of the text would have been lost"),
        "fields-lost": N_("fields to fill in would have been lost"),
        "button-lost": N_("a button would have been lost"),
        "index": N_("it is mostly links to other pages"),
        "product": N_("it offers a product"),
        "kind": N_("pages of its kind are tidied"),
        "": N_("extraction failed"),
    }
)
"""Why a page was not extracted, by reason token; "" stands for all others."""


def notice_line(page: str, reason: str, links: ChoiceLinks, *, styled: bool) -> bytes:
    """Markup in ASCII; ``styled``: the page's policy allows styles."""
    language, (text, offered) = LANGUAGE.get(), _offered(page, reason, links)
    text, is_switch = escape(text), reason == Reason.ORIGINAL_REQUESTED
    policy = "same-origin" if links.gateway else "origin"
    more = _STYLED["a"] if styled else ""
    parts = [
        f'<a href="{escape(link)}" rel="nofollow" target="_self" referrerpolicy="{policy}"{more}>'
        f"{escape(label)}</a>"
        for link, label in offered
    ]
    name = escape(_("Original"))
    here = f'<b aria-current="true"{_STYLED["b"] if styled else ""}>{name}</b>'
    said = (parts[0], here, text, *parts[1:]) if is_switch else (text, *parts)
    folding = _folding if styled else _plainly_folding
    markup = (
        f'<aside id="winnow-notice" lang="{language.value}" dir="{language.direction}" '
        f'aria-label="Winnow"{_place(is_switch) if styled else ""}>'
        f"{folding(' '.join(said))}</aside>"
    )
    return markup.encode("ascii", "xmlcharrefreplace")


def _place(is_switch: bool) -> str:
    """Where the line stands: the switch where the bar of the reader view has it, at the top; in a
    narrow window, where it would cover the site's own head, below like the others."""
    aside = _STYLED["aside"]
    if not is_switch:
        return aside
    place = f"inset-inline-start:max(0px,50% - {_HALF}px);top:0"
    return aside.replace("inset-inline-start:0;bottom:0", place)


def _folding(content: str) -> str:
    """What a click on our name folds up. It stands beside the element that folds, of which the
    content is a tab order of its own, where its links would not be the page's first."""
    return (
        f'<details open=""{_STYLED["details"]}><summary{_STYLED["summary"]}>Winnow</summary>'
        f'</details><span style="all:revert;margin-inline-start:.6em">{content}</span>'
        "<style>#winnow-notice>details:not([open])+span{display:none!important}"
        "@media(max-width:640px){#winnow-notice{inset-block:auto 0!important}}</style>"
        f"{wide_layout_style('winnow-notice')}"
    )


def _plainly_folding(content: str) -> str:
    return f'<details open=""><summary>Winnow</summary>{content}</details>'


def _offered(page: str, reason: str, links: ChoiceLinks) -> tuple[str, tuple[_Link, ...]]:
    """What the line says, and its links: the first leads out of this view by one click."""
    if reason == Reason.SITE_RULE:
        sites = f"{links.settings()}#sites"
        offered = ((links.undo(page), _("Undo")), (sites, _("List of sites")))
        return _("Winnow leaves this site alone."), offered
    if reason == Reason.ORIGINAL_REQUESTED:
        never = links.confirm(ChoiceRequest(ChoiceAction.NEVER, page))
        text = _("Winnow is off for this page for up to an hour.")
        return text, ((links.back(page), _("Read")), (never, _("Never change this site")))
    always = links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page))
    why = _("Winnow shows the original page: {why}.")
    read = (links.read(page), _("Reader view"))
    said = why.format(why=_(CAUSES.get(reason, CAUSES[""])))
    return said, (read, (always, _("Always show the reader view")))


def page_notice(request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool) -> bytes:
    """A NoticeRenderer."""
    return notice_line(url, reason, ChoiceLinks.of(url, prefix), styled=styled)


def wide_layout_style(element: str) -> Markup:
    """A style element by which the text of an element of ours stays legible there."""
    return Markup(
        "<style>@media (max-device-width:480px) and (min-width:600px)"
        "{{#{}{{font-size:4.2vw!important}}}}</style>"
    ).format(element)
