"""How a listening address is written, and where a client on this computer reaches it."""

from __future__ import annotations

from typing import Final

_WILDCARDS: Final = {
    "": "127.0.0.1",
    "0.0.0.0": "127.0.0.1",  # noqa: S104  # nothing is bound to it here
    "::": "::1",
}
"""Wildcard addresses, and what a browser opens instead."""


def reachable(host: str) -> str:
    """The address to connect to on this computer."""
    return _WILDCARDS.get(host, host)


def authority(host: str, port: int) -> str:
    """``host:port`` as in a URI."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
