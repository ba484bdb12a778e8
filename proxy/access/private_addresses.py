"""Which addresses of a host may be connected to (SSRF, DNS rebinding). Pure.

The connector asks for the addresses that a name resolves to (``connections/connector.py``), the
pools for that of a connection which they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from winnow.document.addresses import has_public_suffix
from winnow.proxy.access.address_kinds import AddressKind, kind_of, parse_address
from winnow.proxy.http.headers import cached_by_text
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.proxy_errors import PrivateAddressError
from winnow.proxy.http.sentences import says

_LOCAL_ENDS: Final = frozenset(
    "localhost local localdomain internal intranet private corp lan home test".split()
)
"""Ends of names that nobody can register: RFC 6761, RFC 6762 appendix G, ICANN on .internal."""


@dataclass(frozen=True, slots=True)
class ClientPermit:
    """The permit of a client that may reach private addresses; the name that leads there counts.

    ``names``: public names that may lead to private addresses; with a dot before it, and those
    below it. ``asks``: a browser, which a page may have had ask; such a name is asked about first.
    """

    names: frozenset[str] = frozenset()
    asks: bool = False

    def __call__(self, address: str, port: int) -> bool:
        return anywhere(address, port)


def trusts(names: frozenset[str], host: str) -> bool:
    """Whether a public name may lead to private addresses."""
    if not names:
        return False
    name = host.lower().removesuffix(".")
    labels = name.split(".")
    return name in names or any(
        f".{'.'.join(labels[start:])}" in names for start in range(len(labels))
    )


def usable(
    host: str, addresses: Sequence[str], port: int, permit: Permit, *, was_public: bool = False
) -> tuple[str, ...]:
    """The addresses of ``host`` that may be connected to, in their order.

    A public name that has a public address, or had one within the last day (``was_public``),
    leads to public ones only: a page under it must not become one of the reader's network (DNS
    rebinding). Where all are private, a browser's reader is asked first, but for a name that nobody
    could register: a company's own.
    """
    allowed = tuple(address for address in addresses if permit(address, port))
    if not isinstance(permit, ClientPermit) or not _is_public_name(host):
        return allowed
    public = tuple(address for address in allowed if is_public_host(address))
    if trusts(permit.names, host):
        return allowed
    if public or was_public:
        return public
    return () if permit.asks and has_public_suffix(host) else allowed


def _is_public_name(host: str) -> bool:
    return parse_address(host) is None and is_public_host(host)


@cached_by_text
def is_public_host(host: str) -> bool:
    """Whether ``host`` is a public address, or a name that is not of a local network.

    A name that passes may still resolve to a private address, which the connector checks.
    """
    address = parse_address(host)
    if address is not None:
        return kind_of(address) is AddressKind.PUBLIC
    name = host.lower().removesuffix(".")
    is_local = name.rpartition(".")[2] in _LOCAL_ENDS or name.endswith(".home.arpa")
    return "." in name and not is_local


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


def private_name_error(host: str, *, asks: bool) -> PrivateAddressError:
    """The error of a public name that leads to a private address."""
    return PrivateAddressError(
        says(
            "{host} is a name of the internet, but leads to an address in your own network. If "
            "that is meant, allow it in a browser or add it to access.private_names.",
            host=host,
        ),
        host,
        asks=asks,
    )


def private_address_error(host: str, *, asks: bool = False) -> PrivateAddressError:
    """The error of a host that has no address which the client may reach."""
    return PrivateAddressError(
        says(
            "{host} is at a private address that is not open to you, or not to pages of other "
            "sites. To open it yourself, enter it on Winnow’s front page.",
            host=host,
        ),
        host,
        asks=asks,
    )
