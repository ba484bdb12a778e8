"""All that is decided for a site, by a reader, for everybody or in a file; and the pause.

docs/views.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import Menu, MenuEntry

FEATURE: Final = Feature(
    name="site",
    optional=False,
    addresses=(
        OwnAddress("/-/choose"),
        OwnAddress("/-/original"),
        OwnAddress("/-/extract"),
        OwnAddress("/-/undo"),
        OwnAddress(
            "/-/settings",
            entries=(
                MenuEntry(Menu.HEADER, N_("Settings"), 40),
                MenuEntry(Menu.SETTINGS, N_("Site choices and pause"), 10),
            ),
        ),
        OwnAddress("/-/settings/site", entries=(MenuEntry(Menu.SETTINGS, N_("This site"), 40),)),
        OwnAddress("/-/settings/crunch"),
        OwnAddress("/-/settings/rules/edit"),
        OwnAddress("/-/options"),
    ),
    pages="winnow.features.site.pages:pages",
)
