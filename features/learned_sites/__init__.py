"""What was learned about sites: shown, exported and deleted (docs/layouts.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, FeatureCommand, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import Menu, MenuEntry

FEATURE: Final = Feature(
    name="learned_sites",
    needs=("layout",),
    addresses=(
        OwnAddress(
            "/-/settings/sites", entries=(MenuEntry(Menu.SETTINGS, N_("Learned sites"), 60),)
        ),
    ),
    pages="winnow.features.learned_sites.learned_sites:pages",
    commands=(
        FeatureCommand(
            "learn",
            "learn the layouts of sites from their pages",
            "winnow.features.learned_sites.learn_command",
        ),
        FeatureCommand(
            "labelled",
            "print pages' TITLE, MAIN and SUB lines, as Webstemmer's extract.py",
            "winnow.features.learned_sites.labelled_command",
        ),
        FeatureCommand(
            "sites",
            "list, show, export or forget what was learned about sites",
            "winnow.features.learned_sites.sites_command",
        ),
    ),
)
