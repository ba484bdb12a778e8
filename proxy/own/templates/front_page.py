"""The start page: a form for an address, the guide, and the ways to everything else. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page, page_headers
from winnow.proxy.own.templates.https_form import HttpsState, https_part
from winnow.proxy.own.templates.navigation import SETTINGS
from winnow.proxy.own.templates.next_step import next_step
from winnow.proxy.own.templates.setup_check import FRAMES
from winnow.proxy.own.translation import _, filled

_MOST_SITES: Final = 3


@dataclass(frozen=True, slots=True)
class FrontView:
    """``authority``: the proxy's address; ``https``: the switch, None for who may not use it.

    ``left_alone``: the sites that are never changed, the latest last. ``through``: the scheme by
    which the request came through the proxy, "" if directly; ``opened``: HTTPS is on.
    """

    token: str
    authority: str
    https: HttpsState | None = None
    annotates: bool = False
    left_alone: Sequence[str] = ()
    through: str = ""
    opened: bool = False


def front_page(view: FrontView) -> HtmlPage:
    """The whole page."""
    everywhere = next_step(view.through, _proxy(view.authority), opened=view.opened)
    parts = [
        _read(view.token),
        *_left_alone(view.left_alone),
        Markup("<h2>{}</h2>\n{}").format(_("Read everywhere"), everywhere),
    ]
    if view.https is not None:
        title = _("Read HTTPS pages too")
        parts.append(Markup('<h2 id="https">{}</h2>\n{}').format(title, https_part(view.https)))
    parts.append(_more(annotates=view.annotates))
    page = own_page("Winnow", Markup("\n").join(parts))
    return page.with_headers(page_headers(FRAMES))


def _read(token: str) -> Markup:
    about = _(
        "Winnow shows articles without menus, ads and clutter, and leaves other pages as they are. "
        "Try it on a page:"
    )
    return Markup(
        '<p>{}</p>\n<form action="/-/read" method="get"><p><label for="url">{}</label><br>\n'
        '<input id="url" name="url" inputmode="url" autocomplete="url" size="60"\n'
        ' placeholder="https://example.com/story" required>\n'
        '<input type="hidden" name="token" value="{}"> <button class="first">{}</button></p></form>'
    ).format(about, _("Address"), token, _("Read"))


def _left_alone(sites: Sequence[str]) -> Iterator[Markup]:
    """The latest sites that are never changed, and where that is undone."""
    if sites:
        text = filled(
            _("Winnow leaves these sites alone: {sites}. {change}"),
            sites=", ".join(reversed(sites[-_MOST_SITES:])) + ("…" if sites[_MOST_SITES:] else ""),
            change=_link(f"{SETTINGS}#sites", _("Change")),
        )
        yield Markup('<p class="quiet">{}</p>').format(text)


def _proxy(authority: str) -> Markup:
    text = _(
        "Set {authority} as your browser’s HTTP proxy, and each article that you open is shown so. "
        "The {guide} has the steps for your system, with a live check."
    )
    return Markup("<p>{}</p>").format(
        filled(
            text,
            authority=Markup("<code>{}</code>").format(authority),
            guide=_link("/-/setup", _("setup guide")),
        ),
    )


def _more(*, annotates: bool) -> Markup:
    links = [
        ("/-/activity", _("Activity: the pages that you opened last, and what was done with each")),
        ("/-/small/", _("Pages in small parts, for small screens and old browsers")),
        ("/-/book", _("Several pages as one book, for e-readers")),
        ("/-/feed", _("Full-text feeds, for feed readers")),
        ("/-/compare", _("Compare methods on a page")),
        ("/-/why", _("Why something was removed")),
        ("/-/show", _("A bookmark that reads a page as it stands in your own browser")),
        ("/-/status", _("Status: what Winnow has done since it was started")),
    ]
    if annotates:
        links.append(("/-/annotate", _("Annotate a page for a test package")))
    items = Markup("\n").join(Markup("<li>{}</li>").format(_link(*each)) for each in links)
    return Markup("<h2>{}</h2>\n<ul>\n{}\n</ul>").format(_("More"), items)


def _link(path: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(path, text)
