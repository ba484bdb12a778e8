"""Whether a request for one of our own pages was meant by its user, not by a site they visit.

Pure. Knows Host (against DNS rebinding), Origin and Sec-Fetch-Site (against cross-site requests);
refuses to know what the page does.
"""

from __future__ import annotations

from collections.abc import Mapping

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.ip_addresses import parse_address


def host_is_ours(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether ``Host`` names us: an address, localhost, our own name, or one of ``names``.

    An address is always fine: no foreign page can have it as its origin without being served
    from it. So is a name without a dot: nobody can own one. ``host`` may carry a port.
    """
    name = host_name(host)
    plain = "." not in name and name.replace("-", "").isalnum()
    return plain or parse_address(name) is not None or name in {OWN_NAME, *names}


def host_name(authority: str) -> str:
    """The host in ``HOST[:PORT]`` (RFC 3986, section 3.2): small, no brackets, no final dot."""
    if authority.startswith("["):
        return authority.partition("]")[0].removeprefix("[").lower()
    return authority.partition(":")[0].lower().removesuffix(".")


def is_same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether a request that changes something comes from a page of ours or from no page at all.

    ``headers`` may be written in any case; ``scheme`` is the one that the request came by.
    """
    said = {name.lower(): value.lower() for name, value in headers.items()}
    if said.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
        return False
    origin = said.get("origin")
    return origin is None or origin == f"{scheme}://{said.get('host', '')}"
