"""The language menu: each language in its own words. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup, escape

from winnow.proxy.own.languages import CHECKED, NAMES, Language
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, styled_page
from winnow.proxy.own.templates.navigation import LANGUAGES, navigation
from winnow.proxy.own.translation import LANGUAGE, N_, _, speaking

_STYLE: Final = STYLE + Markup("""
.languages { list-style: none; padding: 0; }
.languages [aria-current] { font-weight: 700; }
""")
_UNCHECKED: Final = N_("not checked by a native reader yet")
Choose = Callable[[str, str], Markup]
"""The form of one button for a language, "" for the browser's."""


def language_page(chosen: str, choose: Choose) -> HtmlPage:
    """``chosen``: the language that was chosen by hand, "" for none."""
    items = Markup("\n").join(_item(language, choose) for language in Language)
    if chosen:
        same = choose("", _("Use the browser’s language"))
    else:
        same = escape(_("This is the language that your browser asks for."))
    main = Markup('<p>{}</p>\n<ul class="languages">\n{}\n</ul>\n<p>{}</p>\n{}').format(
        _(
            "The language of Winnow’s own pages, of its bar and of its messages. Pages of sites "
            "stay in their own."
        ),
        items,
        same,
        navigation(LANGUAGES),
    )
    return styled_page(_("Language"), main, _STYLE)


def _item(language: Language, choose: Choose) -> Markup:
    with speaking(language):
        unchecked = Markup("") if language in CHECKED else Markup(" ({})").format(_(_UNCHECKED))
    name = NAMES[language]
    shown = name if language is LANGUAGE.get() else choose(language.value, name)
    current = Markup(' aria-current="true"') if language is LANGUAGE.get() else ""
    return Markup('<li lang="{}" dir="{}"{}>{}{}</li>').format(
        language.value, language.direction, current, shown, unchecked
    )
