"""The bar at the head of a page that we changed: what it shows, and the ways out of it.

Pure, and without script. The bar stands in the site's page, which can read it and click in it, so
no link of it holds a secret and none changes more than the view of this very page.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from winnow.document.values import Rendered, Treatment
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.own.templates.basic_bar import basic_bar
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceLinks,
    ChoiceRequest,
    fields_of,
)
from winnow.proxy.own.templates.elements import level_of, slider
from winnow.proxy.own.templates.message_catalogue import (
    CATALOGUE,
    Language,
    Messages,
    choose_language,
    number,
)
from winnow.proxy.own.templates.tidy_bar import tidy_bar

STYLE = Markup("""
#winnow-bar, #winnow-bar * { all: revert; box-sizing: border-box; }
#winnow-bar, #winnow-bar ul { display: flex; flex-wrap: wrap; gap: 0 1.1em; margin: 0; }
#winnow-bar { padding: .4rem .8rem; font: 15px/1.8 system-ui, sans-serif; background: #0b5c4a;
  color: #fff; text-align: start; }
#winnow-bar ul { padding: 0; list-style: none; }
#winnow-bar p, #winnow-bar form { margin: 0; }
#winnow-bar a, #winnow-bar button, #winnow-bar summary { color: #fff; background: none; border: 0;
  padding: 0; font: inherit; text-decoration: underline; cursor: pointer; }
#winnow-bar summary { list-style: none; }
#winnow-bar summary::after { content: " ▾" / ""; display: inline-block; }
#winnow-bar details[open] { flex-basis: 100%; }
#winnow-bar input { vertical-align: middle; width: 8em; accent-color: #fff; }
#winnow-bar details a { display: inline-block; margin-inline-end: .8em; }
#winnow-bar :focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
@media (max-width: 30rem) { #winnow-bar > p { display: none; } }
@media print { #winnow-bar { padding: 0; } #winnow-bar > * { display: none; } }
""")
SHOWN = (
    "display:flex!important;visibility:visible!important;opacity:1!important;"
    "position:static!important;transform:none!important;height:auto!important"
)
"""Goes before every rule of a page that keeps its own styles."""


SAVE = "#save"
"""Where the page of all options says how to save."""


@dataclass(frozen=True, slots=True)
class BarView:
    """What the bar speaks of: the page as its reader got it."""

    page: str
    words_kept: int
    words_total: int
    extractor: str


@dataclass(frozen=True)
class PageBars:
    """The bar of each page: by its profile and treatment, in the reader's language."""

    def variant(self, request: RequestHead) -> str:
        return choose_language(request.headers.joined("accept-language"))

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        language = choose_language(request.headers.joined("accept-language"))
        page = BarView(url, rendered.words_kept, rendered.words_total, rendered.extractor)
        links = ChoiceLinks.of(url, prefix)
        if look is BarLook.BASIC:
            return basic_bar(url, language, links)
        if rendered.treatment is Treatment.TIDY:
            return tidy_bar(
                url, says(page, language), language, links, styled=look is BarLook.STYLED
            )
        return make_bar(page, language, links)


def make_bar(shown: BarView, language: Language, links: ChoiceLinks) -> bytes:
    """The bar for a page: one line, the choices that are made once in a while folded into it.

    What is folded takes no room on a small screen and no time of who hears the page. Every choice
    that counts for more than this page leads to a page of our own that asks first.
    """
    words, page = CATALOGUE[language], shown.page
    folded = (
        _link(links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page)), words.always),
        _link(links.confirm(ChoiceRequest(ChoiceAction.NEVER, page)), words.never),
        _link(links.options(page), words.options),
        _link(links.activity(), words.activity),
        _link(links.settings(), words.settings),
        _levels(shown, words, links),
    )
    items = "".join([f"<li>{item}</li>" for item in folded])
    # Tells our own pages the origin that the link stands in (in the gateway the page), whatever the
    # site's own policy says.
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    original = _link(links.original(page), words.original, referred)
    title = f' title="{escape(words.looks)}"'
    markup = (
        f'<aside id="winnow-bar" style="{SHOWN}" lang="{language.value}" dir="ltr" '
        f'aria-label="{words.label}">'
        f"<style>{STYLE}</style><p>{says(shown, language)}</p> "
        f"{original} {_link(links.looks(page), 'Aa', title)} "
        f"{_link(links.options(page) + SAVE, words.save)} {_link(links.why(page), words.why)} "
        f"<details><summary>{words.more}</summary><ul>{items}</ul></details></aside>"
    )
    return markup.encode()


def says(shown: BarView, language: Language) -> str:
    """How much of the page is shown."""
    words = CATALOGUE[language]
    kept, total = number(shown.words_kept, language), number(shown.words_total, language)
    return words.shows.format(kept=kept, total=total)


def _levels(shown: BarView, words: Messages, links: ChoiceLinks) -> str:
    fields = fields_of(ChoiceRequest(ChoiceAction.LEVEL, shown.page))
    texts, level = (words.level, words.level_do), level_of(shown.extractor)
    return slider(links.target(), fields, level, texts, post=False)


def _link(target: str, text: str, more: str = "") -> str:
    return f'<a href="{escape(target)}" rel="nofollow"{more}>{escape(text)}</a>'
