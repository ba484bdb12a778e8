"""The front page and the guide that sets up browsers and devices: PAC, profile, HTTPS.

docs/https.md
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from winnow.config.setting_fields import setting
from winnow.feature import CommandGroup, Feature, FeatureCommand, OwnAddress
from winnow.proxy.access.own_addresses import WPAD, OwnFace
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.menus import in_header
from winnow.proxy.own.operations import PageOperation


@dataclass(frozen=True, slots=True)
class SetupSettings:
    """What Winnow tells browsers and devices that are set up with it."""

    SECTION: ClassVar[str] = "setup"

    direct: tuple[str, ...] = setting(
        (),
        "Hosts that browsers with Winnow’s automatic configuration (/-/proxy.pac) connect to "
        "directly: example.com, *.example.com for those below it.",
    )


FEATURE: Final = Feature(
    name="setup",
    optional=False,
    settings="winnow.features.setup:SetupSettings",
    addresses=(
        OwnAddress("/", entries=(in_header(N_("Read a page"), 10),)),
        OwnAddress("/-/setup", face=OwnFace.HARMLESS, entries=(in_header(N_("Setup guide"), 50),)),
        OwnAddress("/-/setup/checks", face=OwnFace.HARMLESS),
        OwnAddress("/-/pair", face=OwnFace.HARMLESS),
        OwnAddress("/-/setup/https"),
        OwnAddress("/-/setup/network"),
        OwnAddress("/-/check", face=OwnFace.HARMLESS),
        OwnAddress(
            "/-/proxy.pac",
            face=OwnFace.HARMLESS,
            operations=(
                PageOperation("Proxy auto-configuration", ("application/x-ns-proxy-autoconfig",)),
            ),
        ),
        OwnAddress(WPAD, face=OwnFace.HARMLESS),
        OwnAddress(
            "/-/ca.crt",
            face=OwnFace.HARMLESS,
            operations=(
                PageOperation(
                    "Certificate of the local authority", ("application/x-x509-ca-cert",)
                ),
            ),
        ),
        OwnAddress("/-/winnow.mobileconfig", face=OwnFace.HARMLESS),
    ),
    stores="winnow.features.setup.devices.device_offers:opened",
    pages="winnow.features.setup.pages:pages",
    commands=(
        FeatureCommand(
            "setup",
            "set proxy and certificate for this computer, or undo that",
            "winnow.features.setup.setup_command",
            CommandGroup.READ,
        ),
        FeatureCommand(
            "ca",
            "show, export or explain the local certificate authority",
            "winnow.features.setup.ca_command",
        ),
    ),
)
