"""Checks Host (against DNS rebinding), Origin and Sec-Fetch-Site (against cross-site requests)."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.address_kinds import parse_address


def host_is_ours(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether ``Host``, with or without a port, is an address, localhost, or one of our names.

    Addresses and names without a dot are safe: no other site can have them as its origin.
    """
    name = host_name(host)
    plain = "." not in name and name.replace("-", "").isalnum()
    return plain or parse_address(name) is not None or name in {OWN_NAME, *names}


def host_name(authority: str) -> str:
    """The host in ``HOST[:PORT]`` (RFC 3986, section 3.2): lower case, no brackets or final dot."""
    if authority.startswith("["):
        return authority.partition("]")[0].removeprefix("[").lower()
    return authority.partition(":")[0].lower().removesuffix(".")


def is_same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether an unsafe request comes from an own page or from no page; ``scheme``: its own."""
    fields = {name.lower(): value.lower() for name, value in headers.items()}
    if fields.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
        return False
    origin = fields.get("origin")
    return origin is None or origin == f"{scheme}://{fields.get('host', '')}"
