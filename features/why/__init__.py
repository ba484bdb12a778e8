"""What was left out of a page and why, and the parts that a reader keeps (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.own.operations import ADDRESS, EXTRACTOR, HTML, PageOperation

FEATURE: Final = Feature(
    name="why",
    addresses=(
        OwnAddress(
            "/-/why",
            face=OwnFace.FETCH,
            operations=(
                PageOperation("What was removed from a page, and why", HTML, (ADDRESS, EXTRACTOR)),
            ),
        ),
        OwnAddress("/-/why/page", face=OwnFace.FETCH),
        OwnAddress("/-/why/part", face=OwnFace.FETCH),
        OwnAddress("/-/keep"),
        OwnAddress("/-/why/image/", below=True),
    ),
    pages="winnow.features.why.pages:pages",
)
