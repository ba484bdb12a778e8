"""The way to the pages before and after this one of a thread, a text or a list, at its foot."""

from __future__ import annotations

from html import escape
from typing import Final

from winnow.document.metadata.next_page import turning_of
from winnow.document.render.render_context import RenderContext

_BETWEEN: Final = " \u00b7 "


def page_turning(view: RenderContext) -> str:
    """Links to both pages, and "Page 2 of 7" where the page says it, as HTML; "" if there are
    none."""
    turning = turning_of(view.document)
    if not (turning.previous or turning.following):
        return ""
    words = view.about.words
    links = ("prev", turning.previous, "Previous page"), ("next", turning.following, "Next page")
    parts = [
        f'<a rel="{rel}" href="{escape(view.addresses.link(address))}">{words.text(name)}</a>'
        for rel, address, name in links
        if address
    ]
    if turning.number:
        place = words.text("Page {number} of {all}", number=turning.number, all=turning.total)
        parts.insert(bool(turning.previous), place)
    return f"<nav{words.attributes}><p>{_BETWEEN.join(parts)}</p></nav>"
