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
from winnow.proxy.own.templates.tidy_bar import tidy_bar
from winnow.proxy.own.translation import LANGUAGE, _, number

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
        return LANGUAGE.get()

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        page = BarView(url, rendered.words_kept, rendered.words_total, rendered.extractor)
        links = ChoiceLinks.of(url, prefix)
        if look is BarLook.BASIC:
            return basic_bar(url, links)
        if rendered.treatment is Treatment.TIDY:
            return tidy_bar(url, shows(page), links, styled=look is BarLook.STYLED)
        return make_bar(page, links)


def make_bar(shown: BarView, links: ChoiceLinks) -> bytes:
    """The bar for a page: one line, the choices that are made once in a while folded into it.

    What is folded takes no room on a small screen and no time of who hears the page. Every choice
    that counts for more than this page leads to a page of our own that asks first.
    """
    language, page = LANGUAGE.get(), shown.page
    folded = (
        _link(links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page)), _("Always for this site")),
        _link(links.confirm(ChoiceRequest(ChoiceAction.NEVER, page)), _("Never for this site")),
        _link(links.options(page), _("All options")),
        _link(links.activity(), _("Activity")),
        _link(links.settings(), _("Settings")),
        _levels(shown, links),
    )
    items = "".join([f"<li>{item}</li>" for item in folded])
    # Tells our own pages the origin that the link stands in (in the gateway the page), whatever the
    # site's own policy says.
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    original = _link(links.original(page), _("Show original"), referred)
    title = f' title="{escape(_("Text and colours"))}"'
    markup = (
        f'<aside id="winnow-bar" style="{SHOWN}" lang="{language.value}" '
        f'dir="{language.direction}" aria-label="Winnow">'
        f"<style>{STYLE}</style><p>{escape(shows(shown))}</p> "
        f"{original} {_link(links.looks(page), 'Aa', title)} "
        f"{_link(links.options(page) + SAVE, _('Save'))} {_link(links.why(page), _('Why?'))} "
        f"<details><summary>{escape(_('More'))}</summary><ul>{items}</ul></details></aside>"
    )
    return markup.encode()


def shows(shown: BarView) -> str:
    """How much of the page is shown."""
    kept, total = number(shown.words_kept), number(shown.words_total)
    return _("Winnow shows {kept} of {total} words.").format(kept=kept, total=total)


def _levels(shown: BarView, links: ChoiceLinks) -> str:
    fields = fields_of(ChoiceRequest(ChoiceAction.LEVEL, shown.page))
    texts, level = (_("Level: strict to lenient"), _("Apply")), level_of(shown.extractor)
    return slider(links.target(), fields, level, texts, post=False)


def _link(target: str, text: str, more: str = "") -> str:
    return f'<a href="{escape(target)}" rel="nofollow"{more}>{escape(text)}</a>'
