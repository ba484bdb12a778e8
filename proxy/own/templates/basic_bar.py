"""The bar of the profile ``basic``: one line of links, in HTML 4 and without colours of its own.

Text browsers show what is folded unfolded: so the rest stands on a page of our own, which the last
link opens. Pure; what stands for the bar (``bar``) holds for this one too.
"""

from __future__ import annotations

from html import escape

from winnow.proxy.own.templates.choice_forms import ChoiceLinks
from winnow.proxy.own.translation import LANGUAGE, _


def basic_bar(page: str, links: ChoiceLinks) -> bytes:
    """The line's markup."""
    language = LANGUAGE.get()
    named = (
        (links.original(page), _("Original")),
        (links.why(page), _("Why?")),
        (links.options(page), _("More")),
    )
    shown = " | ".join(
        f'<a href="{escape(target)}" rel="nofollow">{escape(text)}</a>' for target, text in named
    )
    spoken = f'lang="{language.value}" dir="{language.direction}"'
    return f'<p id="winnow-bar" {spoken}>{shown}</p>'.encode()
