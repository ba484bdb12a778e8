"""Saved pages: articles with their images, found by a word, imported and exported.

docs/saved.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_header

AUDIO: Final = r"/-/saved/[0-9]+/(?:audio\.[a-z0-9]+|spoken\.epub)"
FEATURE: Final = Feature(
    name="saved",
    needs=("books", "listen"),
    addresses=(
        OwnAddress("/-/save", face=OwnFace.FETCH),
        OwnAddress("/-/saved", entries=(in_header(N_("Saved pages"), 30),)),
        OwnAddress("/-/saved/", below=True, audio=AUDIO),
        OwnAddress("/-/saved/export"),
        OwnAddress("/-/saved/import"),
        OwnAddress("/-/saved/rss"),
        OwnAddress("/-/saved/podcast"),
        OwnAddress("/-/opds"),
        OwnAddress("/-/opds/", below=True),
    ),
    settings="winnow.features.saved.settings:SavedSettings",
    stores="winnow.features.saved.stores:opened",
    databases="winnow.features.saved.stores:DATABASES",
    pages="winnow.features.saved.pages:pages",
)
