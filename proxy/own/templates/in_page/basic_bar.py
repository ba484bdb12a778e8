"""The bars of one line of links: of the profile ``basic``, in HTML 4 and without colours of its
own, and of reader pages for who saves data.

Text browsers show what is folded unfolded: so the rest stands on a page of our own, which the last
link opens. Pure; what stands for the bar (``bar``) holds for this one too.
"""

from __future__ import annotations

from html import escape
from typing import Final

from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.navigation import link_to
from winnow.proxy.own.translation import LANGUAGE, _

_Link = tuple[str, str, str]
"""Where it leads, its text, and further attributes."""


def link(target: str, text: str, more: str = "") -> str:
    """A link that says nothing about the page's worth; ``more``: further attributes.

    Empty where it would lead to a feature that is switched off.
    """
    return link_to(target, text, f' rel="nofollow"{more}')


def basic_bar(page: str, links: ChoiceLinks) -> bytes:
    """The line's markup."""
    return _line(_links(page, links), " | ").encode()


def lean_bar(page: str, links: ChoiceLinks) -> bytes:
    """The line for who saves data: what it leads to is loaded when it is asked for."""
    original, *others = _links(page, links)
    name = _("Text and colours")
    looks = (links.looks(page), "Aa", f' title="{escape(name)}"')
    line = _line((original, looks, *others), " ")
    return f'<aside aria-label="Winnow">{_STYLE}{line}</aside>'.encode()


_STYLE: Final = (
    "<style>#winnow-bar{font:15px/1 system-ui,sans-serif;margin:0;text-align:end}"
    "#winnow-bar a{display:inline-block;padding:15px 8px}</style>"
)


def _links(page: str, links: ChoiceLinks) -> tuple[_Link, ...]:
    policy = "same-origin" if links.gateway else "origin"
    return (
        (links.original(page), _("Original"), f' referrerpolicy="{policy}"'),
        (links.why(page, RequestMode.EXTRACT), _("Why?"), ""),
        (links.options(page), _("More"), ""),
    )


def _line(named: tuple[_Link, ...], between: str) -> str:
    language = LANGUAGE.get()
    shown = between.join(filter(None, (link(*each) for each in named)))
    spoken = f'lang="{language.value}" dir="{language.direction}"'
    return f'<p id="winnow-bar" {spoken}>{shown}</p>'
