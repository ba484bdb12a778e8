"""``/-/slowest``: the pages that took their reader longest, of the last 200."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.own.menus import in_header

FEATURE: Final = Feature(
    name="slowest",
    settings="winnow_slowest_pages.slowest:SlowestSettings",
    addresses=(OwnAddress("/-/slowest", entries=(in_header("Slowest pages", 60),)),),
    pages="winnow_slowest_pages.slowest:pages",
)
