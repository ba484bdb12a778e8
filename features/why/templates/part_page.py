"""``/-/why/part``: asks whether a part of a page is to be kept, or dropped, on its site. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup

from winnow.features.why.jobs import ExplainedPart
from winnow.features.why.templates.removal_words import left_out
from winnow.features.why.why_links import WhyLinks
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.choice_forms import page_site
from winnow.proxy.own.templates.confirmation import ALONE

_STYLE: Final = STYLE + own_file(__package__, "part.css")
_TEMPLATE: Final = page_template(__package__, "part.html")
_STORED: Final = page_template(__package__, "part_stored.html")
PartForm = Callable[[str, str, str], Markup]
"""The form that stores a rule for a selector, with its button's text and class."""


def part_page(action: str, links: WhyLinks, part: ExplainedPart, form: PartForm) -> HtmlPage:
    """``action`` is keep or drop. Its buttons cannot be pressed at once: a click that was meant for
    what stood there a moment ago does nothing."""
    page = page_of(
        _TEMPLATE,
        style=_STYLE,
        action=action,
        keeps=action == "keep",
        site=page_site(links.url),
        links=links,
        part=part,
        choice_form=form,
        left_out=left_out,
    )
    return page.with_headers(ALONE)


def part_stored(site: str, undo: Markup, *, drops: bool) -> Markup:
    """Says that a rule was stored, where it is listed, and undoes it."""
    return _STORED(site=site, undo=undo, drops=drops)
