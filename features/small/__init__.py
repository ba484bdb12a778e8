"""The gateway for small screens and old devices (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace

FEATURE: Final = Feature(
    name="small",
    addresses=(OwnAddress("/-/small/", below=True, face=OwnFace.FETCH),),
    pages="winnow.features.small.pages:pages",
)
