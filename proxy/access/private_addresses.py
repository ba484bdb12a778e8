"""Refuses private addresses to clients and pages that may not reach them (SSRF).

The connector asks for each address that a name resolves to (``proxy/upstream/connector.py``).
"""

from __future__ import annotations

from winnow.proxy.access.address_kinds import AddressKind, kind_of, parse_address
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import PrivateAddressError
from winnow.proxy.http.sentences import says


def is_public_host(host: str) -> bool:
    """Whether ``host`` is a public address, or a name that is not of a local network.

    A name that passes may still resolve to a private address, which the connector checks.
    """
    address = parse_address(host)
    if address is not None:
        return kind_of(address) is AddressKind.PUBLIC
    name = host.lower().removesuffix(".")
    last = name.rpartition(".")[2]
    return "." in name and last not in {"localhost", "local", "internal", "lan", "home", "arpa"}


def public_only(address: str, _port: int) -> bool:
    """Permits public addresses, and names not resolved yet."""
    return is_public_host(address)


def may_lead(page_host: str, host: str) -> bool:
    """Whether a page's redirects, images or items at ``host`` get the permit of the page.

    A public page must not make Winnow fetch private addresses.
    """
    return host == page_host or not is_public_host(page_host)


def permit_across(permit: Permit, page_host: str, host: str) -> Permit:
    """The permit for ``host`` on behalf of a page of ``page_host``."""
    return permit if may_lead(page_host, host) else public_only


def private_address_error(host: str) -> PrivateAddressError:
    """The error of a host that has no address which the client may reach."""
    return PrivateAddressError(
        says(
            "{host} is at a private address that is not open to you, or not to pages of other "
            "sites. To open it yourself, enter it on Winnow’s front page.",
            host=host,
        ),
        host,
    )
