"""Pages marked by hand, as gold text for test packages (docs/annotation-guidelines.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace

FEATURE: Final = Feature(
    name="annotate",
    addresses=(OwnAddress("/-/annotate", face=OwnFace.FETCH),),
    pages="winnow.features.annotate.annotate_page:pages",
)
