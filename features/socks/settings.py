"""The settings of the SOCKS5 port."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class SocksSettings:
    """A port for SOCKS5, at server.host; where ``features.enabled`` names socks."""

    SECTION: ClassVar[str] = "socks"

    port: int = setting(
        1080, "Port to listen on for SOCKS5.", minimum=1, maximum=65535, protected=True
    )
    http_ports: tuple[int, ...] = setting(
        (80, 8080), "Ports of sites at which HTTP is spoken, so that pages there are read."
    )
