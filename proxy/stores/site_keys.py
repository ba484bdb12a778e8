"""The keys of sites: what a reader's choice for an origin is stored under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import Origin, parse_url

USUAL_PORTS: Final = frozenset({80, 443})


def host_key(host: str) -> str:
    """The canonical spelling of a host."""
    return host.lower().removesuffix(".")


def site_of(host: str) -> str:
    """The site that a host belongs to for a reader: its name without ``www.``."""
    return host_key(host).removeprefix("www.")


def site_key(origin: Origin) -> str:
    """What a choice for an origin is stored under: its site, with the port where it is a rare one.

    Ports 80 and 443 are one site, as a reader sees them.
    """
    return _with_port(site_of(origin.host), origin.port)


def learned_key(origin: Origin) -> str:
    """What pages of an origin teach is stored under: its scheme, its site, and a rare port.

    Plain HTTP, which others can write to on its way, teaches HTTPS nothing, nor does one port
    another.
    """
    return str(replace(origin, host=site_of(origin.host)))


def learned_key_of(url: str | None) -> str:
    """The same for the address of a page; "" where it names no origin."""
    try:
        return learned_key(parse_url(url).origin) if url else ""
    except ClientFaultError:
        return ""


def is_learned_key(text: str) -> bool:
    """Whether a stored key names an origin: those of earlier versions name a host alone."""
    return "://" in text


def keys_above(origin: Origin) -> Iterator[str]:
    """The key of an origin's site and of the domains above it at that port, the nearest first."""
    return (_with_port(site, origin.port) for site in sites_above(origin.host))


def _with_port(site: str, port: int) -> str:
    if port in USUAL_PORTS:
        return site
    return f"[{site}]:{port}" if ":" in site else f"{site}:{port}"


def sites_above(host: str) -> Iterator[str]:
    """The site of ``host`` and the domains above it, the nearest first."""
    site = site_of(host)
    yield site
    labels = site.split(".")
    if labels[-1].isdigit() or ":" in site:  # an address has no domain above it
        return
    yield from (".".join(labels[start:]) for start in range(1, len(labels) - 1))
