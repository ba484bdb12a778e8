"""A configuration profile for iPhone, iPad and Mac: the authority, and a network's proxy.

Apple, "Configuration Profile Reference": CertificateRoot and WiFi payloads. Pure.
"""

from __future__ import annotations

import plistlib
from ssl import PEM_cert_to_DER_cert
from typing import Final, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from winnow.proxy.access.admission import DEVICE_COOKIE
from winnow.proxy.access.credentials.authentication import credentials_in
from winnow.proxy.access.requester import RequestHead

PROFILE: Final = "/-/winnow.mobileconfig"
PROFILE_TYPE: Final = "application/x-apple-aspen-config"
_LONGEST: Final = 32
"""Bytes of a network's name (IEEE 802.11, section 9.4.2.2)."""


class SignedProxy(NamedTuple):
    """A proxy that asks for a password."""

    host: str
    port: int
    user: str
    password: str


def signed_proxy(head: RequestHead, host: str, port: int) -> SignedProxy | None:
    """With the password by which the device that asks was let in; None for another."""
    user, password = credentials_in(f"Basic {head.cookie(DEVICE_COOKIE)}")
    return SignedProxy(host, port, user, password) if password else None


def apple_profile(
    pem: bytes, name: str, network: str, pac: str, signed: SignedProxy | None = None
) -> bytes:
    """``name``: the authority's. With ``network``, its name, that Wi-Fi's proxy is set by ``pac``,
    or to ``signed``, since no automatic configuration holds a password.

    The same input gives the same identifiers, so that a newer profile replaces an older one.
    """
    payloads = [
        {
            **_head("com.apple.security.root", f"certificate of {name}", name),
            "PayloadContent": PEM_cert_to_DER_cert(pem.decode("ascii")),
        }
    ]
    if 0 < len(network.encode()) <= _LONGEST:
        payloads.append(
            {
                **_head("com.apple.wifi.managed", f"network {network}", network),
                "SSID_STR": network,
                "AutoJoin": True,
                "EncryptionType": "Any",
                **(_signed(signed) if signed else {"ProxyType": "Auto", "ProxyPACURL": pac}),
            }
        )
    profile = {
        **_head("Configuration", "profile", "Winnow"),
        "PayloadDescription": "Trusts the certificate authority of your Winnow.",
        "PayloadContent": payloads,
    }
    return plistlib.dumps(profile)


def _signed(proxy: SignedProxy) -> dict[str, object]:
    return {
        "ProxyType": "Manual",
        "ProxyServer": proxy.host,
        "ProxyServerPort": proxy.port,
        "ProxyUsername": proxy.user,
        "ProxyPassword": proxy.password,
    }


def _head(kind: str, what: str, shown: str) -> dict[str, object]:
    identifier = uuid5(NAMESPACE_URL, f"winnow {what}")
    return {
        "PayloadType": kind,
        "PayloadVersion": 1,
        "PayloadIdentifier": f"internal.winnow.{identifier}",
        "PayloadUUID": str(identifier).upper(),
        "PayloadDisplayName": shown,
    }
