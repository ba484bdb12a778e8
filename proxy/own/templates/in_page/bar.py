"""The bar at the head of a page that we changed: what it shows, and the ways out of it.

Pure, and without script. The bar stands in the site's page, which can read it and click in it, so
nothing of it is a secret. What changes more than the view of this very page and its reader's text
and colours asks first, unless a person's click is vouched for (``page_parameters.is_vouched``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from html import escape
from typing import Final, NamedTuple, Protocol
from urllib.parse import quote_plus

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.document.values import Rendered, Treatment
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.decisions.request.device_profiles import saves_data
from winnow.proxy.own.languages import Language
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest, fields_of
from winnow.proxy.own.templates.elements import level_of, slider
from winnow.proxy.own.templates.in_page.appearance_style import CHOICES, IN_BAR
from winnow.proxy.own.templates.in_page.basic_bar import basic_bar, lean_bar, link
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.looks_panel import (
    ALWAYS,
    ALWAYS_TEXT,
    KEPT,
    KEPT_TEXT,
    LABELS,
    LATER,
    LATER_TEXT,
    NAMES,
)
from winnow.proxy.own.templates.in_page.notice_line import CAUSES
from winnow.proxy.own.templates.in_page.page_sheet import ALONE, BAR, LIVE, PATH
from winnow.proxy.own.templates.in_page.tidy_bar import tidy_bar
from winnow.proxy.own.translation import LANGUAGE, _

_TEMPLATE: Final = page_template(__package__, "bar.html")
_PAGE: Final = "\x1apage"
"""Stands for a page's address, in which this control character is percent-encoded."""
_POLICY: Final = ("origin", "same-origin")
_ACTIONS: Final = ChoiceAction.ALWAYS, ChoiceAction.NEVER, ChoiceAction.LEVEL


@dataclass(frozen=True, slots=True)
class BarView:
    """What the bar speaks of: the page as its reader got it."""

    page: str
    extractor: str


class _Done(NamedTuple):
    """A line that says what was done: the fragment that shows it, and the way back."""

    place: str
    text: str
    undo: str


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
        return f"{LANGUAGE.get()} {PATH}{' lean' if saves_data(request.headers) else ''}"

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        links = ChoiceLinks.of(url, prefix)
        if look is BarLook.BASIC:
            return basic_bar(url, links)
        if rendered.treatment is Treatment.TIDY:
            said = why_tidied(rendered.instead)
            return tidy_bar(url, said, links, styled=look is BarLook.STYLED)
        is_reader = look in (BarLook.READER, BarLook.LINKED)
        if is_reader and saves_data(request.headers):
            return lean_bar(url, links)
        chosen = self.appearance(request, ours=bool(prefix)) if is_reader else None
        page = BarView(url, rendered.extractor)
        linked = look is BarLook.LINKED
        return make_bar(page, links, chosen, annotates=self.annotates, linked=linked)


def make_bar(
    shown: BarView,
    links: ChoiceLinks,
    chosen: Appearance | None = None,
    *,
    annotates: bool = False,
    linked: bool = False,
) -> bytes:
    """The bar for a page: one line, of which two buttons unfold a panel below it. First stand the
    two ends of the switch, as in the original (``notice_line``).

    What is folded takes no room on a small screen and no time of who hears the page. ``chosen``:
    the reader's text and colours; None for a page that keeps its own, and has the slider.
    ``linked``: its style is in the page's sheet.
    """
    level, state = level_of(shown.extractor), (LANGUAGE.get(), MENUS.get(), annotates)
    bar = _made(links, level, chosen, state, linked=linked)
    bar = bar.replace(quote_plus(_PAGE), quote_plus(shown.page))
    return bar.replace(_PAGE, escape(shown.page)).encode()


@lru_cache(maxsize=64)
def _made(
    links: ChoiceLinks,
    level: int,
    chosen: Appearance | None,
    state: tuple[Language, Menus, bool],
    *,
    linked: bool,
) -> str:
    """The bar of all pages, ``_PAGE`` in place of their address; ``state``: what is in force.

    No link leads to a small part: these are noted in the history, which no script of a site may do
    by a link of ours.
    """
    # Tells our own pages the origin that the link stands in (in the gateway the page), whatever the
    # site's own policy says.
    always, never, levels = (ChoiceRequest(each, _PAGE) for each in _ACTIONS)
    referred = f' referrerpolicy="{_POLICY[links.gateway]}"'
    titled, words = partial(_titled, referred), (_("How much to keep"), _("Apply"))
    slid = "" if chosen else slider(links.target(), fields_of(levels), level, words, post=False)
    made = _TEMPLATE(
        language=state[0],
        style="" if linked else BAR + (LIVE if chosen else ALONE),
        page=_PAGE,
        links=links,
        link=link,
        referred=referred,
        looks=titled(links.looks(_PAGE), "Aa", _("Text and colours")),
        undone=_undone(links),
        chosen=asdict(chosen) if chosen else None,
        labels=LABELS,
        in_bar=IN_BAR,
        names=NAMES,
        choices=CHOICES,
        always=links.confirm(always),
        never=titled(links.confirm(never), _("Never here"), _("Never change this site")),
        later=titled(links.later(_PAGE), _("Later"), _("Read later")),
        levels=slid,
        annotates=state[2],
    )
    return "".join(line.strip() for line in made.splitlines())


def _titled(referred: str, target: str, text: str, title: str) -> str:
    return link(target, text, f'{referred} title="{escape(title)}"')


def _undone(links: ChoiceLinks) -> tuple[_Done, ...]:
    """The lines that say what was done on this page, each with its *Undo*."""
    return (
        _Done(KEPT, KEPT_TEXT, links.undo_looks(_PAGE)),
        _Done(ALWAYS, ALWAYS_TEXT, links.undo(_PAGE)),
        _Done(LATER, LATER_TEXT, links.unsave(_PAGE)),
    )


def why_tidied(instead: str) -> str:
    """That a page is tidied, and why rather than extracted, where that was decided here."""
    if not instead:
        return _("Winnow tidied the page.")
    why = _(CAUSES.get(instead, CAUSES[""]))
    return _("Winnow tidied the page: {why}.").format(why=why)
