"""Site rules of the operator, listed, tested, imported and exported; saved items of readers.

docs/views.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_settings

FEATURE: Final = Feature(
    name="rules",
    addresses=(
        OwnAddress("/-/settings/rules", entries=(in_settings(N_("Site rules"), 30),)),
        OwnAddress("/-/settings/rules/export"),
        OwnAddress("/-/settings/rules/import"),
        OwnAddress("/-/settings/saved", entries=(in_settings(N_("Saved items"), 50),)),
        OwnAddress("/-/settings/kept"),
    ),
    needs=("site",),
    pages="winnow.features.rules.pages:pages",
)
