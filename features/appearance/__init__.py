"""Text and colours of the reader, by reader (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import Menu, MenuEntry

FEATURE: Final = Feature(
    name="appearance",
    addresses=(
        OwnAddress(
            "/-/settings/reading", entries=(MenuEntry(Menu.SETTINGS, N_("Text and colours"), 20),)
        ),
    ),
    pages="winnow.features.appearance.appearance_page:pages",
)
