"""What small screens get where nobody asks for anything else."""

from __future__ import annotations

from winnow.config.settings import Settings
from winnow.proxy.own.handlers.devices import SmallOptions


def usual_screen(settings: Settings) -> SmallOptions:
    """The screen of the gateway for small devices."""
    gateway = settings.gateway
    return SmallOptions(
        width=gateway.image_width,
        kilobytes=gateway.page_size // 1000,
        image_kilobytes=gateway.image_size // 1000,
    )
