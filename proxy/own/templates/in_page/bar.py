"""The bar at the head of a page that we changed: what it shows, and the ways out of it.

Pure, and without script. The bar stands in the site's page, which can read it and click in it, so
nothing of it is a secret, and nothing changes more than the view of this very page and its reader's
text and colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Protocol

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.document.values import Rendered, Treatment
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.decisions.request.device_profiles import saves_data
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.templates.elements import level_of
from winnow.proxy.own.templates.in_page.bar_panels import link, menu_panel, save_panel
from winnow.proxy.own.templates.in_page.bar_style import STYLE
from winnow.proxy.own.templates.in_page.basic_bar import basic_bar, lean_bar
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.looks_panel import kept_line, looks_panel
from winnow.proxy.own.templates.in_page.notice_line import CAUSES
from winnow.proxy.own.templates.in_page.tidy_bar import tidy_bar
from winnow.proxy.own.templates.removal_words import of_the_site
from winnow.proxy.own.translation import LANGUAGE, _, number

SHOWN = (
    "display:block!important;visibility:visible!important;opacity:1!important;"
    "position:static!important;transform:none!important;height:auto!important"
)
"""Goes before every rule of a page that keeps its own styles."""


@dataclass(frozen=True, slots=True)
class BarView:
    """What the bar speaks of: the page as its reader got it."""

    page: str
    words_kept: int
    words_total: int
    extractor: str
    left_out: int = 0


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
        words = rendered.words_kept, rendered.words_total
        page = BarView(url, *words, rendered.extractor, rendered.left_out)
        links = ChoiceLinks.of(url, prefix)
        if look is BarLook.BASIC:
            return basic_bar(url, links)
        if rendered.treatment is Treatment.TIDY:
            said = " ".join((shows(page), *why_tidied(rendered.instead)))
            return tidy_bar(url, said, links, styled=look is BarLook.STYLED)
        is_reader = look is BarLook.READER
        if is_reader and saves_data(request.headers):
            return lean_bar(url, links)
        chosen = self.appearance(request, ours=bool(prefix)) if is_reader else None
        return make_bar(page, links, chosen, annotates=self.annotates)


def make_bar(
    shown: BarView,
    links: ChoiceLinks,
    chosen: Appearance | None = None,
    *,
    annotates: bool = False,
) -> bytes:
    """The bar for a page: one line, of which three buttons unfold a panel below it.

    What is folded takes no room on a small screen and no time of who hears the page. Every choice
    that counts for more than text and colours leads to a page of our own that asks first.
    ``chosen``: the reader's text and colours; None for a page that keeps its own.
    """
    language, page = LANGUAGE.get(), shown.page
    # Tells our own pages the origin that the link stands in (in the gateway the page), whatever the
    # site's own policy says.
    policy = "same-origin" if links.gateway else "origin"
    referred = f' referrerpolicy="{policy}"'
    original = link(links.original(page), _("Original"), referred)
    name = _("Text and colours")
    looks = link(links.looks(page), "Aa", f' title="{escape(name)}"')
    if chosen and looks:
        looks = _panel("Aa", name, looks_panel(chosen, links.looks_target(), page))
    menu = menu_panel(page, links, level_of(shown.extractor), annotates=annotates)
    line = (
        f"<p>{escape(shows(shown))}</p>",
        original,
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
    ).encode()


def _panel(shown: str, name: str, content: str) -> str:
    """A button with what it unfolds; ``name`` is said where ``shown`` says too little."""
    text = escape(shown)
    if shown != name:
        text = f'<span aria-hidden="true">{text}</span><i>{escape(name)}</i>'
    return (
        f'<details name="winnow-bar"><summary title="{escape(name)}">{text}</summary>'
        f"<div>{content}</div></details>"
    )


def why_tidied(instead: str) -> Iterator[str]:
    """Why a page is tidied rather than extracted, in a sentence, where that was decided here."""
    if instead:
        why = _(CAUSES.get(instead, CAUSES[""]))
        yield _("Winnow tidied the page: {why}.").format(why=why)


def shows(shown: BarView) -> str:
    """How much of the page is shown."""
    kept, total = number(shown.words_kept), number(shown.words_total)
    text = _("Winnow shows {kept} of {total} words.").format(kept=kept, total=total)
    return f"{text} {of_the_site(shown.left_out)}" if shown.left_out else text
