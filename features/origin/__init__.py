"""Winnow before one site, whose name it keeps: ``winnow serve --origin URL`` (docs/origin.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="origin",
    is_extra=True,
    settings="winnow.features.origin.settings:OriginSettings",
    front="winnow.features.origin.site_front:front",
)
