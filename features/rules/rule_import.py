"""The form that imports site rules. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.own.templates.settings.all_settings_page import FIELDS_STYLE

IMPORT: Final = f"{RULES}/import"
EXPORT: Final = f"{RULES}/export"
_STYLE: Final = STYLE + FIELDS_STYLE
_TEMPLATE: Final = page_template(__package__, "rule_import.html")


def import_page(token: str, faults: Sequence[str] = ()) -> HtmlPage:
    """``faults``: what is wrong with a file that was sent."""
    return page_of(_TEMPLATE, style=_STYLE, token=token, faults=faults)
