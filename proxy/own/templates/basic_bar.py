"""The bar of the profile ``basic``: one line of links, in HTML 4 and without colours of its own.

Text browsers show what is folded unfolded: so the rest stands on a page of our own, which the last
link opens. Pure; what stands for the bar (``bar``) holds for this one too.
"""

from __future__ import annotations

from html import escape

from winnow.proxy.own.templates.choice_forms import ChoiceLinks
from winnow.proxy.own.templates.message_catalogue import CATALOGUE, Language


def basic_bar(page: str, language: Language, links: ChoiceLinks) -> bytes:
    """The line's markup."""
    words = CATALOGUE[language]
    named = (
        (links.original(page), words.original),
        (links.why(page), words.why),
        (links.options(page), words.more),
    )
    shown = " | ".join(
        f'<a href="{escape(target)}" rel="nofollow">{escape(text)}</a>' for target, text in named
    )
    return f'<p id="winnow-bar" lang="{language.value}" dir="ltr">{shown}</p>'.encode()
