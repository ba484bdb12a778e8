"""The line in an original page that says why it is one, and the ways out of it. Pure, no script.

Like the bar it stands in the site's page: no link of it holds a secret, and none changes more than
the view of this very page.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceLinks, ChoiceRequest
from winnow.proxy.own.translation import LANGUAGE, N_, _

_STYLES: Final = {
    "aside": "all:revert;position:fixed;inset-inline-start:0;bottom:0;z-index:2147483647;"
    "box-sizing:border-box;"
    "max-width:100%;padding:.3em .8em;border:1px solid #8a6d00;background:#fff3cd;color:#332701;"
    "font:14px/1.7 system-ui,sans-serif;text-align:start",
    "details": "all:revert",
    "summary": "all:revert;cursor:pointer",
    "a": "all:revert;color:#0b5c4a;font:inherit;margin-inline-start:.9em",
}
"""``revert`` leaves the browser's own outline of what has the focus."""

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
        "no-browser": N_("no browser is installed that could run the page's scripts"),
        "no-sandbox": N_("the browser that runs scripts has no sandbox here"),
        "render-failed": N_("the browser could not load the page"),
        "script-shell": N_("the page's scripts write its text"),
        "task-lost": N_("something that can be done on the page would have been lost"),
        "": N_("extraction failed"),
    }
)
"""Why a page was not extracted, by reason token; "" stands for all others."""


def notice_line(page: str, reason: str, links: ChoiceLinks, *, styled: bool) -> bytes:
    """Markup in ASCII; ``styled``: the page's policy allows style attributes."""
    language = LANGUAGE.get()
    if reason == Reason.ORIGINAL_REQUESTED:
        text, read, target = (
            _("Winnow is off for this page for up to an hour."),
            _("Read it"),
            links.back(page),
        )
        action, always = ChoiceAction.NEVER, _("Always original here")
    else:
        text = _("Winnow shows the original page: {why}.").format(
            why=_(CAUSES.get(reason, CAUSES[""]))
        )
        read, action, always = _("Read it anyway"), ChoiceAction.ALWAYS, _("Always for this site")
        target = links.read(page)
    style = {name: f' style="{css}"' if styled else "" for name, css in _STYLES.items()}
    policy = "same-origin" if links.gateway else "origin"
    offered = (
        (target, f' referrerpolicy="{policy}"', read),
        (links.confirm(ChoiceRequest(action, page)), "", always),
    )
    anchors = " ".join(
        f'<a href="{escape(link)}" rel="nofollow" target="_self"{more}{style["a"]}>'
        f"{escape(label)}</a>"
        for link, more, label in offered
    )
    markup = (
        f'<aside id="winnow-notice" lang="{language.value}" dir="{language.direction}" '
        f'aria-label="Winnow"'
        f'{style["aside"]}><details open=""{style["details"]}><summary{style["summary"]}>'
        f"Winnow</summary>{escape(text)} {anchors}</details></aside>"
    )
    return markup.encode("ascii", "xmlcharrefreplace")


def page_notice(request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool) -> bytes:
    """A NoticeRenderer."""
    return notice_line(url, reason, ChoiceLinks.of(url, prefix), styled=styled)
