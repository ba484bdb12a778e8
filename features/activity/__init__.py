"""The last pages of a client, and what was done with each (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_header

FEATURE: Final = Feature(
    name="activity",
    addresses=(OwnAddress("/-/activity", entries=(in_header(N_("Activity"), 20),)),),
    pages="winnow.features.activity.activity:pages",
)
