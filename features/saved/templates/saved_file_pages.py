"""The forms that export and import saved pages, and what an import did. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import SAVED_PAGES
from winnow.proxy.own.translation import N_, _

EXPORT: Final = f"{SAVED_PAGES}/export"
IMPORT: Final = f"{SAVED_PAGES}/import"
FORMATS: Final = {
    "json": N_("JSON, which can be imported again"),
    "markdown": N_("Markdown, a folder as ZIP"),
    "epub": N_("EPUB, the latest 100 pages"),
}
_EXPORT: Final = page_template(__package__, "export.html")
_IMPORT: Final = page_template(__package__, "import.html")


def export_page(tags: Mapping[str, int], tag: str) -> HtmlPage:
    """Which pages, in which format."""
    choices = {"": _("All pages")} | {name: f"{name} ({count})" for name, count in tags.items()}
    formats = {name: _(text) for name, text in FORMATS.items()}
    return page_of(_EXPORT, tags=choices, tag=tag, formats=formats)


def import_page(token: str) -> HtmlPage:
    """A form for a file."""
    return page_of(_IMPORT, token=token)


def imported_page(pages: int, left_out: int) -> HtmlPage:
    """What an import did."""
    return page_of(_IMPORT, token="", pages=pages, left_out=left_out)
