"""The answer to words where an address was asked for: the field as it was filled, and a search."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import quote_plus

from winnow.document.addresses import host_of
from winnow.proxy.own.checked_values import Address, own_address, web_address
from winnow.proxy.own.menus import MENUS
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.translation import LANGUAGE

_TEMPLATE: Final = page_template(__package__, "words.html")
_LONGEST: Final = 500
_ENGINES: Final = {
    "DuckDuckGo": "https://html.duckduckgo.com/html/?q=%s",
    "Bing": "https://www.bing.com/search?q=%s",
    "Mojeek": "https://www.mojeek.com/search?q=%s",
    "Wikipedia": "https://{language}.wikipedia.org/w/index.php?search=%s",
}
"""Those whose results can be read without scripts."""


class SearchEngine(NamedTuple):
    name: str
    target: Address | None


def words_page(typed: str, path: str, token: str, *, gateway: bool) -> HtmlPage:
    """The form of the page at ``path`` with what was typed, and where that can be searched for.

    ``gateway``: the results are read through it. Nothing is sent before a link is followed.
    """
    words, chosen = " ".join(typed.split())[:_LONGEST], MENUS.get().search

    def engine(name: str, pattern: str) -> SearchEngine:
        found = pattern.replace("{language}", LANGUAGE.get().value).replace("%s", quote_plus(words))
        there = web_address(found)
        return SearchEngine(name, own_address(f"/{found}") if gateway and there else there)

    names = {pattern: name for name, pattern in _ENGINES.items()}
    return page_of(
        _TEMPLATE,
        status=400,
        words=words,
        path=own_address(path),
        token=token,
        chosen=engine(names.get(chosen, host_of(chosen)), chosen) if "%s" in chosen else None,
        others=[engine(name, each) for each, name in names.items() if each != chosen],
    )
