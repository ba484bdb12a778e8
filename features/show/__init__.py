"""``/-/show``: a page that the reader's own browser sends, as an article (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import SHOW_PATH, OwnFace

FEATURE: Final = Feature(
    name="show",
    optional=False,
    addresses=(OwnAddress(SHOW_PATH, face=OwnFace.SHOW),),
    pages="winnow.features.show.show:pages",
)
