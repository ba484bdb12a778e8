"""The style sheets of pages with settings: lists of them, and forms."""

from __future__ import annotations

from typing import Final

from winnow.proxy.own.page_templates import own_file
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE

STYLE: Final = FRAME_STYLE + own_file(__package__, "all_settings.css")
FIELDS_STYLE: Final = own_file(__package__, "setting_fields.css")
