"""A port for programs that speak SOCKS5 alone: RFC 1928, 1929 (docs/socks.md)."""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="socks",
    is_extra=True,
    settings="winnow.features.socks.settings:SocksSettings",
    task="winnow.features.socks.socks_port:listen",
)
