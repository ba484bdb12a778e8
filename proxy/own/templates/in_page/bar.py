"""The bar at the head of a page that we changed: what it shows, and the ways out of it.

Pure, and without script. The bar stands in the site's page, which can read it and click in it, so
nothing of it is a secret, and nothing changes more than the view of this very page and its reader's
text and colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final, Protocol
from urllib.parse import quote_plus

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.document.values import Rendered, Treatment
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.decisions.request.device_profiles import saves_data
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.languages import Language
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.templates.elements import level_of
from winnow.proxy.own.templates.in_page.bar_panels import link, menu_panel, save_panel
from winnow.proxy.own.templates.in_page.bar_style import STYLE
from winnow.proxy.own.templates.in_page.basic_bar import basic_bar, lean_bar
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.looks_panel import kept_line, looks_panel
from winnow.proxy.own.templates.in_page.notice_line import CAUSES
from winnow.proxy.own.templates.in_page.tidy_bar import tidy_bar
from winnow.proxy.own.translation import LANGUAGE, _

SHOWN = (
    "display:block!important;visibility:visible!important;opacity:1!important;"
    "position:static!important;transform:none!important;height:auto!important"
)
"""Goes before every rule of a page that keeps its own styles."""
_PAGE: Final = "\x1apage"
"""Stands for a page's address, in which this control character is percent-encoded."""


@dataclass(frozen=True, slots=True)
class BarView:
    """What the bar speaks of: the page as its reader got it."""

    page: str
    extractor: str


class AppearanceChoice(Protocol):
    """What a reader chose; ``ours``: the page is read under our own name."""

    def __call__(self, request: RequestHead, *, ours: bool) -> Appearance: ...


def as_delivered(request: RequestHead, *, ours: bool) -> Appearance:
    """The AppearanceChoice of nobody."""
    return AS_DELIVERED


@dataclass(frozen=True)
class PageBars:
    """The bar of each page: by its profile and treatment, in the reader's language."""

    appearance: AppearanceChoice = as_delivered
    annotates: bool = False
    """Whether pages can be annotated here."""

    def variant(self, request: RequestHead) -> str:
        return f"{LANGUAGE.get()}{' lean' if saves_data(request.headers) else ''}"

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        links = ChoiceLinks.of(url, prefix)
        if look is BarLook.BASIC:
            return basic_bar(url, links)
        if rendered.treatment is Treatment.TIDY:
            said = why_tidied(rendered.instead)
            return tidy_bar(url, said, links, styled=look is BarLook.STYLED)
        is_reader = look is BarLook.READER
        if is_reader and saves_data(request.headers):
            return lean_bar(url, links)
        chosen = self.appearance(request, ours=bool(prefix)) if is_reader else None
        page = BarView(url, rendered.extractor)
        return make_bar(page, links, chosen, annotates=self.annotates)


def make_bar(
    shown: BarView,
    links: ChoiceLinks,
    chosen: Appearance | None = None,
    *,
    annotates: bool = False,
) -> bytes:
    """The bar for a page: one line, of which three buttons unfold a panel below it. First stand the
    two ends of the switch, as in the original (``notice_line``).

    What is folded takes no room on a small screen and no time of who hears the page. Every choice
    that counts for more than text and colours leads to a page of our own that asks first.
    ``chosen``: the reader's text and colours; None for a page that keeps its own.
    """
    level, state = level_of(shown.extractor), (LANGUAGE.get(), MENUS.get())
    bar = _made(links, level, chosen, annotates, state)
    bar = bar.replace(quote_plus(_PAGE), quote_plus(shown.page))
    return bar.replace(_PAGE, escape(shown.page)).encode()


@lru_cache(maxsize=64)
def _made(
    links: ChoiceLinks,
    level: int,
    chosen: Appearance | None,
    annotates: bool,
    state: tuple[Language, Menus],
) -> str:
    """The bar of all pages, ``_PAGE`` in place of their address; ``state``: what is in force."""
    language, page = state[0], _PAGE
    # Tells our own pages the origin that the link stands in (in the gateway the page), whatever the
    # site's own policy says.
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    original = link(links.original(page), _("Original"), referred)
    read = escape(_("Read"))
    switch = f'<p><b aria-current="true">{read}</b>{original}</p>'
    name = _("Text and colours")
    looks = link(links.looks(page), "Aa", f' title="{escape(name)}"')
    if chosen and looks:
        looks = _panel("Aa", name, looks_panel(chosen, links.looks_target(), page))
    menu = menu_panel(page, links, level, annotates=annotates)
    line = (
        switch,
        looks,
        _panel(_("Save"), _("Save"), save_panel(page, links)),
        link(links.why(page, RequestMode.EXTRACT), _("Why?")),
        _panel("···", _("More"), menu),
    )
    return (
        f'<aside id="winnow-bar" style="{SHOWN}" lang="{language.value}" '
        f'dir="{language.direction}" aria-label="Winnow"><style>{STYLE}</style>'
        f'<details id="winnow-fold"><summary title="Winnow"></summary></details>'
        f"{kept_line(links, page, referred) if chosen and looks else ''}"
        f"<div>{''.join(line)}</div></aside>"
    )


def _panel(shown: str, name: str, content: str) -> str:
    """A button with what it unfolds; ``name`` is said where ``shown`` says too little."""
    text = escape(shown)
    if shown != name:
        text = f'<span aria-hidden="true">{text}</span><i>{escape(name)}</i>'
    return (
        f'<details name="winnow-bar"><summary title="{escape(name)}">{text}</summary>'
        f"<div>{content}</div></details>"
    )


def why_tidied(instead: str) -> str:
    """That a page is tidied, and why rather than extracted, where that was decided here."""
    if not instead:
        return _("Winnow tidied the page.")
    why = _(CAUSES.get(instead, CAUSES[""]))
    return _("Winnow tidied the page: {why}.").format(why=why)
