"""The panels of the bar behind *Save* and *More*: links, and the slider of levels. Pure.

All that needs no confirmation is a link to the thing itself.
"""

from __future__ import annotations

from html import escape

from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest, fields_of
from winnow.proxy.own.templates.elements import slider
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.navigation import link_to
from winnow.proxy.own.translation import _


def link(target: str, text: str, more: str = "") -> str:
    """A link that says nothing about the page's worth; ``more``: further attributes.

    Empty where it would lead to a feature that is switched off.
    """
    return link_to(target, text, f' rel="nofollow"{more}')


def save_panel(page: str, links: ChoiceLinks) -> str:
    """Ways to keep a page: each that stores something leads to a form of our own that asks."""
    items = (
        (links.own("/-/save", page), _("Read later")),
        (links.own("/-/book", page), _("Download EPUB, for e-readers")),
        (links.own("/-/read", page, format="markdown"), _("As Markdown")),
        (links.own("/-/read", page, format="text"), _("As plain text")),
        (links.own("/-/print", page), _("Print")),
    )
    return _listed(items)


def menu_panel(page: str, links: ChoiceLinks, level: int, *, annotates: bool) -> str:
    """What is done once in a while; the slider stands at ``level``.

    ``annotates``: pages can be annotated here. Small parts stand behind a page that changes
    nothing: they are noted in the history, which no script of a site may do by a link of ours.
    """
    annotate = ((links.own("/-/annotate", page), _("Annotate")),) if annotates else ()
    items = (
        (links.confirm(ChoiceRequest(ChoiceAction.ALWAYS, page)), _("Always show the reader view")),
        (links.confirm(ChoiceRequest(ChoiceAction.NEVER, page)), _("Never change this site")),
        (links.own("/-/listen", page), _("Listen")),
        (links.options(page) + "#method", _("Choose a method")),
        (links.own("/-/compare", page), _("Compare methods")),
        (links.options(page) + "#show", _("Small parts")),
        (links.own("/-/feed", page), _("Feed with whole articles")),
        *annotate,
        (links.options(page), _("All options")),
        (links.activity(), _("Activity")),
        (links.settings(), _("Settings")),
    )
    return f"{_listed(items)}{_levels(page, links, level)}"


def _listed(items: tuple[tuple[str, str], ...]) -> str:
    shown = filter(None, (link(target, text) for target, text in items))
    inside = "".join(f"<li>{each}</li>" for each in shown)
    return f"<ul>{inside}</ul>"


def _levels(page: str, links: ChoiceLinks, level: int) -> str:
    fields = fields_of(ChoiceRequest(ChoiceAction.LEVEL, page))
    texts = (_("How much to keep"), _("Apply"))
    meaning = _(
        "1: the text alone. 5: with links and pictures. 9: with lists of links. 12: everything but "
        "advertisements.",
    )
    return f"{slider(links.target(), fields, level, texts, post=False)}<p>{escape(meaning)}</p>"
