"""Articles read aloud, by the browser or as a file of sound (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace

FEATURE: Final = Feature(
    name="listen",
    needs=("books",),
    addresses=(
        OwnAddress("/-/listen", face=OwnFace.FETCH),
        OwnAddress("/-/audio", face=OwnFace.AUDIO),
    ),
    settings="winnow.features.listen.settings:SpeechSettings",
    pages="winnow.features.listen.pages:pages",
)
