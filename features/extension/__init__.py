"""The API for programs and for the browser extension, and its page (docs/extension.md)."""

from __future__ import annotations

from typing import Final

from winnow.document.values import Detail
from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import Menu, MenuEntry
from winnow.proxy.own.operations import ADDRESS, EXTRACTED, OPTIONS, PageOperation, QueryParameter

PARTS: Final = (
    QueryParameter("selector", "The part of the page that is wanted, as in site rules."),
    QueryParameter(
        "max_tokens", "Length of a text, cut at a block.", {"type": "integer", "minimum": 1}
    ),
    QueryParameter("offset", "Where a text goes on: Winnow-Next-Offset of the part before."),
)
"""Of text and Markdown."""
API: Final = (
    *OPTIONS,
    *PARTS,
    QueryParameter("details", f"What is given besides, separated by commas: {', '.join(Detail)}."),
    QueryParameter("since", "In JSON what changed since a page you saved: its number, or `saved`."),
)
FEATURE: Final = Feature(
    name="extension",
    needs=("saved", "show"),
    addresses=(
        OwnAddress(
            "/-/extensions", entries=(MenuEntry(Menu.SETTINGS, N_("Browser extension"), 70),)
        ),
        OwnAddress(
            "/-/api/extract",
            face=OwnFace.API,
            operations=(
                PageOperation("Fetch and extract a page", EXTRACTED, (ADDRESS, *API)),
                PageOperation(
                    "Extract the page in the request body",
                    EXTRACTED,
                    (
                        QueryParameter("url", "Address of the page, for its links."),
                        *API,
                    ),
                    takes_a_page=True,
                ),
            ),
        ),
        OwnAddress("/-/api/pair", face=OwnFace.API),
        OwnAddress("/-/api/page", face=OwnFace.API),
        OwnAddress("/-/api/save", face=OwnFace.API),
    ),
    pages="winnow.features.extension.pages:pages",
)
