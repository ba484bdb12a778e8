"""The settings of the ICAP service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.balancers import network
from winnow.config.setting_fields import setting
from winnow.proxy.access.address_kinds import Network


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

    def __post_init__(self) -> None:
        """Raises ConfigError."""
        _ = self.networks

    @property
    def networks(self) -> tuple[Network, ...]:
        """Of the peers."""
        return tuple(network(text, "icap.peers") for text in self.peers)
