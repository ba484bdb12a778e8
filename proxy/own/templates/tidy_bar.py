"""The bar at the head of a tidied page: plain elements and links, without style sheet or form.

The page keeps its own policy, which may forbid both. Pure; what stands for the bar (``bar``) holds
for this one too.
"""

from __future__ import annotations

from html import escape
from typing import Final

from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceLinks, ChoiceRequest
from winnow.proxy.own.templates.message_catalogue import CATALOGUE, Language

_STYLES: Final = {
    "aside": "all:revert;display:block!important;position:static!important;box-sizing:border-box;"
    "padding:.4em .8em;background:#0b5c4a;color:#fff;font:15px/1.8 system-ui,sans-serif;"
    "text-align:start",
    "span": "all:revert;margin-inline-end:1.1em",
    "details": "all:revert;display:inline-block",
    "summary": "all:revert;cursor:pointer",
    "a": "all:revert;color:#fff;font:inherit;margin-inline-end:1.1em",
}
"""``revert`` leaves the browser's own outline of what has the focus."""


def tidy_bar(
    page: str, says: str, language: Language, links: ChoiceLinks, *, styled: bool
) -> bytes:
    """Markup; ``says``: how much of the page is shown, ``styled``: it may have style attributes."""
    words = CATALOGUE[language]
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    style = {name: f' style="{css}"' if styled else "" for name, css in _STYLES.items()}

    def link(target: str, text: str, more: str = "") -> str:
        return f'<a href="{escape(target)}" rel="nofollow"{more}{style["a"]}>{escape(text)}</a>'

    first = (
        link(links.read(page), words.read, referred),
        link(links.original(page), words.original, referred),
        link(links.why(page), words.why),
    )
    folded = (
        link(links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page)), words.always),
        link(links.confirm(ChoiceRequest(ChoiceAction.NEVER, page)), words.never),
        link(links.options(page), words.options),
        link(links.activity(), words.activity),
        link(links.settings(), words.settings),
    )
    return (
        f'<aside id="winnow-bar" lang="{language.value}" dir="ltr" aria-label="{words.label}"'
        f"{style['aside']}><span{style['span']}>{says}</span> "
        f"{' '.join(first)} <details{style['details']}><summary{style['summary']}>{words.more}"
        f"</summary>{' '.join(folded)}</details></aside>"
    ).encode()
