"""Winnow as a service of another proxy, Squid say, by ICAP (RFC 3507) (docs/squid.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="icap",
    is_extra=True,
    settings="winnow.features.icap.settings:IcapSettings",
    task="winnow.features.icap.icap_port:listen",
)
