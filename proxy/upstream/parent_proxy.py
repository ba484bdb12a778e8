"""The next proxy on the way, if there is one: which origins go through it, and how it is asked.

Pure. Knows CONNECT (RFC 9110, section 9.3.6) and what is spared; refuses to open connections.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_network
from urllib.parse import unquote, urlsplit

from winnow.proxy.access.ip_addresses import Network, in_networks
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import request_head
from winnow.proxy.http.origins import Origin
from winnow.proxy.http.proxy_errors import OriginFaultError, OriginUnreachableError
from winnow.proxy.tls.interception_policy import Hosts

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")


class ParentError(ValueError):
    """The parent proxy's address cannot be used. The configuration's fault."""


@dataclass(frozen=True, slots=True)
class ParentProxy:
    """A parent proxy: its address, credentials (a header's value or ""), and what is spared it."""

    address: Origin
    credentials: str = ""
    spared_hosts: Hosts = field(default_factory=Hosts)
    spared_networks: tuple[Network, ...] = ()

    def serves(self, origin: Origin) -> bool:
        """Whether requests to ``origin`` go through this proxy."""
        spared = origin.host in self.spared_hosts or in_networks(origin.host, self.spared_networks)
        return not spared

    def fields(self) -> tuple[Field, ...]:
        """What tells the parent who we are."""
        return (("Proxy-Authorization", self.credentials),) if self.credentials else ()

    def connect_request(self, origin: Origin) -> bytes:
        """Asks for a tunnel to ``origin``."""
        fields = Headers((("Host", origin.address), *self.fields()))
        return request_head("CONNECT", origin.address, fields)


def parse_parent(url: str, spared: Iterable[str]) -> ParentProxy | None:
    """``http://[NAME:PASSWORD@]HOST:PORT``; None for "". Raises ``ParentError``.

    ``spared`` holds hosts (``example.com``, ``*.example.com``) and networks (``10.0.0.0/8``).
    """
    if not url:
        return None
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port or 3128
    except ValueError as error:
        raise ParentError(f"{url!r} names no port.") from error
    if parts.scheme != "http" or not parts.hostname:
        raise ParentError("the next proxy is written http://HOST:PORT.")
    networks, hosts = _sorted(spared)
    credentials = _credentials(parts.username, parts.password)
    return ParentProxy(Origin("http", parts.hostname, port), credentials, Hosts.of(hosts), networks)


def _credentials(name: str | None, password: str | None) -> str:
    if name is None:
        return ""
    pair = f"{unquote(name)}:{unquote(password or '')}"
    return "Basic " + b64encode(pair.encode()).decode()


def _sorted(spared: Iterable[str]) -> tuple[tuple[Network, ...], list[str]]:
    """Networks, and the patterns of hosts; ``.example.com`` means ``*.example.com``."""
    networks: list[Network] = []
    hosts: list[str] = []
    for entry in spared:
        try:
            networks.append(ip_network(entry.strip(), strict=False))
        except ValueError:
            hosts.append(f"*{entry.strip()}" if entry.strip().startswith(".") else entry)
    return tuple(networks), hosts


def granted(head: bytes, parent: ParentProxy, origin: Origin) -> None:
    """Raises ``OriginFaultError`` unless the parent's answer to CONNECT grants the tunnel."""
    match = _STATUS.match(head)
    status = int(match[1]) if match else 0
    if 200 <= status < 300:
        return
    if status == 407:
        raise OriginFaultError(
            f"The next proxy {parent.address.authority} wants another name and password: "
            "set them in upstream.proxy."
        )
    raise OriginUnreachableError(
        f"The next proxy {parent.address.authority} does not lead to {origin.authority} "
        f"(status {status or 'none'})."
    )
