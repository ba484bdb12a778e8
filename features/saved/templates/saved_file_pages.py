"""The forms that export and import saved pages, and what an import did. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import N_, _, filled, number

EXPORT: Final = f"{SAVED_PAGES}/export"
IMPORT: Final = f"{SAVED_PAGES}/import"
FORMATS: Final = {
    "json": N_("JSON, which can be imported again"),
    "markdown": N_("Markdown, a folder as ZIP"),
    "epub": N_("EPUB, the latest 100 pages"),
}


def export_page(tags: Mapping[str, int], tag: str) -> HtmlPage:
    """Which pages, in which format."""
    choices = {"": _("All pages")} | {name: f"{name} ({count})" for name, count in tags.items()}
    main = Markup(
        '<form method="get" action="{}"><p>{}</p><p>{}</p>'
        '<p><label><input type="checkbox" name="images" value="on"> {}</label></p>'
        '<p><button class="first">{}</button></p></form>'
    ).format(
        EXPORT,
        select("tag", _("Tag"), choices, tag),
        select("format", _("Format"), {name: _(text) for name, text in FORMATS.items()}, "json"),
        _("Images in JSON too"),
        _("Export"),
    )
    return own_page(_("Export saved pages"), main)


def import_page(token: str) -> HtmlPage:
    """A form for a file."""
    kinds = _(
        "Choose a file: an export of Winnow (JSON), wallabag (JSON), Pocket (ZIP, CSV or HTML) or "
        "Readeck (ZIP), or bookmarks (HTML), up to 64 MB."
    )
    stored = _(
        "Addresses, texts, tags and notes are stored. Nothing is fetched: open a page of which "
        "only the address is there and choose {button}."
    )
    main = Markup(
        "<p>{}</p>\n<p>{}</p>\n"
        '<form method="post" action="{}" enctype="multipart/form-data">{}'
        '<p><label for="file">{}</label><br><input type="file" id="file" name="file" required>'
        '</p><p><button class="first">{}</button></p></form>'
    ).format(
        kinds,
        filled(stored, button=Markup("<em>{}</em>").format(_("Fetch the text"))),
        IMPORT,
        hidden({"token": token}),
        _("File"),
        _("Import"),
    )
    return own_page(_("Import saved pages"), main)


def imported_page(pages: int, left_out: int) -> HtmlPage:
    """What an import did."""
    done = _("Pages imported: {number}.").format(number=number(pages))
    without = _("Entries without a web address: {number}.").format(number=number(left_out))
    main = Markup('<p role="status">{} {}</p>\n<p><a href="{}">{}</a></p>').format(
        done, without if left_out else "", SAVED_PAGES, _("Saved pages")
    )
    return own_page(_("Import saved pages"), main)
