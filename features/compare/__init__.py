"""Several methods on one page, side by side (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.own.operations import ADDRESS, HTML, TEXT, PageOperation, QueryParameter

FEATURE: Final = Feature(
    name="compare",
    needs=("site", "why"),
    addresses=(
        OwnAddress(
            "/-/compare",
            face=OwnFace.FETCH,
            operations=(
                PageOperation(
                    "Compare methods on a page",
                    HTML,
                    (
                        ADDRESS,
                        QueryParameter(
                            "method", "Methods, or `all`.", {"type": "array", "items": TEXT}
                        ),
                    ),
                ),
            ),
        ),
    ),
    pages="winnow.features.compare.compare_page:pages",
)
