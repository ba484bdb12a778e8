"""``/-/settings/all``: all settings; an administrator changes them by sections (docs/views.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature, OwnAddress
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_settings

FEATURE: Final = Feature(
    name="settings",
    optional=False,
    addresses=(OwnAddress("/-/settings/all", entries=(in_settings(N_("All settings"), 80),)),),
    pages="winnow.features.settings.all_settings:pages",
)
