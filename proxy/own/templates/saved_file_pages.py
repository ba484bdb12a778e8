"""The forms that export and import saved pages, and what an import did. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page
from winnow.proxy.own.templates.elements import hidden, select
from winnow.proxy.own.templates.navigation import SAVED_PAGES

EXPORT: Final = f"{SAVED_PAGES}/export"
IMPORT: Final = f"{SAVED_PAGES}/import"
OPML: Final = "/-/opml"
FORMATS: Final = {
    "json": "JSON, which can be imported again",
    "markdown": "Markdown, a folder as ZIP",
    "epub": "EPUB, the latest 100 pages",
}


def export_page(tags: Mapping[str, int], tag: str) -> HtmlPage:
    """Which pages, in which format."""
    choices = {"": "All pages"} | {name: f"{name} ({count})" for name, count in tags.items()}
    main = Markup(
        '<form method="get" action="{}"><p>{}</p><p>{}</p>'
        '<p><label><input type="checkbox" name="images" value="on"> Images in JSON too</label></p>'
        '<p><button class="first">Export</button></p></form>'
    ).format(
        EXPORT,
        select("tag", "Tag", choices, tag),
        select("format", "Format", FORMATS, "json"),
    )
    return own_page("Export saved pages", main)


def import_page(token: str) -> HtmlPage:
    """A form for a file."""
    main = Markup(
        "<p>Choose a file: an export of Winnow (JSON), wallabag (JSON), Pocket (ZIP, CSV or HTML) "
        "or Readeck (ZIP), or bookmarks (HTML), up to 64 MB.</p>\n"
        "<p>Addresses, texts, tags and notes are stored. Nothing is fetched: open a page of which "
        "only the address is there and choose <em>Fetch the text</em>.</p>\n"
        '<form method="post" action="{}" enctype="multipart/form-data">{}'
        '<p><label for="file">File</label><br><input type="file" id="file" name="file" required>'
        '</p><p><button class="first">Import</button></p></form>'
    ).format(IMPORT, hidden({"token": token}))
    return own_page("Import saved pages", main)


def imported_page(pages: int, left_out: int) -> HtmlPage:
    """What an import did."""
    without = Markup(" Entries without a web address: {:,}.").format(left_out)
    main = Markup(
        '<p role="status">Pages imported: {:,}.{}</p>\n<p><a href="{}">Saved pages</a></p>'
    ).format(pages, without if left_out else "", SAVED_PAGES)
    return own_page("Import saved pages", main)
