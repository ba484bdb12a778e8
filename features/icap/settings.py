"""The settings of the ICAP service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting


@dataclass(frozen=True, slots=True)
class IcapSettings:
    """A port for other proxies, at server.host; where ``features.enabled`` names icap."""

    SECTION: ClassVar[str] = "icap"

    port: int = setting(
        1344, "Port to listen on for ICAP.", minimum=1, maximum=65535, protected=True
    )
    peers: tuple[str, ...] = setting(
        (),
        "Addresses or networks of the proxies that may ask; they say who their clients are. "
        "Nobody else may.",
        protected=True,
    )
