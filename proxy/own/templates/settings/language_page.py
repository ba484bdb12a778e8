"""The language menu: each language in its own words. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.languages import CHECKED, NAMES, Language
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.translation import N_, _, speaking

_STYLE: Final = STYLE + own_file(__package__, "language.css")
_TEMPLATE: Final = page_template(__package__, "language.html")
_UNCHECKED: Final = N_("not checked by a native reader yet")
Choose = Callable[[str, str], Markup]
"""The form of one button for a language, "" for the browser's."""


def language_page(chosen: str, choose: Choose) -> HtmlPage:
    """``chosen``: the language that was chosen by hand, "" for none."""
    rows = [(language, _unchecked(language)) for language in Language]

    return page_of(
        _TEMPLATE, style=_STYLE, languages=rows, names=NAMES, chosen=chosen, choose=choose
    )


def _unchecked(language: Language) -> str:
    with speaking(language):
        return "" if language in CHECKED else _(_UNCHECKED)
