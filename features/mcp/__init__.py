"""Pages for agents by the Model Context Protocol: ``/-/mcp``, and ``winnow mcp`` on stdio.

docs/agents.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import CommandGroup, Feature, FeatureCommand, OwnAddress
from winnow.proxy.access.own_addresses import OwnFace

FEATURE: Final = Feature(
    name="mcp",
    needs=("extension", "saved"),
    addresses=(OwnAddress("/-/mcp", face=OwnFace.API),),
    pages="winnow.features.mcp.pages:pages",
    commands=(
        FeatureCommand(
            "mcp",
            "give agents pages by the Model Context Protocol, on stdio",
            "winnow.features.mcp.mcp_command",
            CommandGroup.READ,
        ),
    ),
)
