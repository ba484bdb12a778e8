"""The parent proxy: which origins go through it, and its CONNECT (RFC 9110, section 9.3.6)."""

from __future__ import annotations

import asyncio
import re
import socket
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_network
from typing import Final
from urllib.parse import unquote, urlsplit

from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import request_head
from winnow.proxy.http.proxy_errors import OriginFaultError, OriginUnreachableError
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import says
from winnow.proxy.tls.interception_policy import Hosts

SOCKS: Final = "socks5h"
_SOCKS_CLIENT: Final = "python_socks.async_.asyncio"
_LONGEST_HEAD = 65536
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")


class ParentError(ValueError):
    """The parent proxy's address cannot be used. The configuration's fault."""


@dataclass(frozen=True, slots=True)
class ParentProxy:
    """Its address, credentials (a field value or ""), and the hosts that it does not serve.

    ``socks``: name and password where it speaks SOCKS5, both "" without any.
    """

    address: Origin
    credentials: str = ""
    excluded_hosts: Hosts = field(default_factory=Hosts)
    excluded_networks: tuple[Network, ...] = ()
    socks: tuple[str, str] | None = None

    def serves(self, origin: Origin) -> bool:
        """Whether requests to ``origin`` go through this proxy."""
        excluded = origin.host in self.excluded_hosts or in_networks(
            origin.host, self.excluded_networks
        )
        return not excluded

    def fields(self) -> tuple[Field, ...]:
        """The credentials as fields."""
        return (("Proxy-Authorization", self.credentials),) if self.credentials else ()

    def connect_request(self, origin: Origin) -> bytes:
        """The request for a tunnel to ``origin``."""
        fields = Headers((("Host", origin.address), *self.fields()))
        return request_head("CONNECT", origin.address, fields)


def parse_parent(url: str, excluded: Iterable[str]) -> ParentProxy | None:
    """``http://[NAME:PASSWORD@]HOST:PORT``, or ``socks5h``; None for "". Raises ``ParentError``.

    ``excluded`` holds hosts (``example.com``, ``*.example.com``) and networks (``10.0.0.0/8``).
    """
    if not url:
        return None
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port or (1080 if parts.scheme == SOCKS else 3128)
    except ValueError as error:
        raise ParentError("the next proxy names no port.") from error
    if parts.scheme not in ("http", SOCKS) or not parts.hostname:
        raise ParentError("the next proxy is written http://HOST:PORT or socks5h://HOST:PORT.")
    address, (networks, hosts) = Origin("http", parts.hostname, port), _sorted(excluded)
    if parts.scheme == SOCKS:
        socks = unquote(parts.username or ""), unquote(parts.password or "")
        return ParentProxy(address, "", Hosts.of(hosts), networks, checked_socks(socks))
    credentials = _credentials(parts.username, parts.password)
    return ParentProxy(address, credentials, Hosts.of(hosts), networks)


def checked_socks(socks: tuple[str, str]) -> tuple[str, str]:
    """The same. Raises ParentError where the package is missing that speaks it."""
    if find_spec("python_socks") is None:
        raise ParentError("socks5h:// needs the package python-socks: pip install '.[socks]'.")
    return socks


async def connected_by_socks(parent: ParentProxy, origin: Origin) -> socket.socket:
    """A socket that leads to an origin, whose name the proxy resolves (RFC 1928, section 5).

    Raises OriginUnreachableError.
    """
    package, asynchronous = import_module("python_socks"), import_module(_SOCKS_CLIENT)
    address, by_socks5 = parent.address, package.ProxyType.SOCKS5
    name, password = parent.socks or ("", "")
    client = asynchronous.Proxy(
        by_socks5, address.host, address.port, name or None, password or None, rdns=True
    )
    try:
        connected: socket.socket = await client.connect(origin.host, origin.port)
    except (package.ProxyError, OSError) as error:
        raise OriginUnreachableError(
            f"The next proxy {address.authority} does not connect to {origin.authority}: {error}"
        ) from error
    return connected


def _credentials(name: str | None, password: str | None) -> str:
    if name is None:
        return ""
    pair = f"{unquote(name)}:{unquote(password or '')}"
    return "Basic " + b64encode(pair.encode()).decode()


def _sorted(excluded: Iterable[str]) -> tuple[tuple[Network, ...], list[str]]:
    """Networks, and the patterns of hosts; ``.example.com`` means ``*.example.com``."""
    networks: list[Network] = []
    hosts: list[str] = []
    for entry in excluded:
        try:
            networks.append(ip_network(entry.strip(), strict=False))
        except ValueError:
            hosts.append(f"*{entry.strip()}" if entry.strip().startswith(".") else entry)
    return tuple(networks), hosts


async def open_tunnel(connected: socket.socket, parent: ParentProxy, origin: Origin) -> None:
    """CONNECT over a socket to the parent. Raises OriginFaultError, OSError."""
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connected, parent.connect_request(origin))
    check_tunnel(await _head(connected), parent, origin)


async def _head(connected: socket.socket) -> bytes:
    """A response's head, read byte by byte: what follows it belongs to the tunnel."""
    loop = asyncio.get_running_loop()
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(connected, 1)
        head += byte
        if not byte or len(head) > _LONGEST_HEAD:
            raise OriginUnreachableError(says("The next proxy sent no HTTP response."))
    return head


def check_tunnel(head: bytes, parent: ParentProxy, origin: Origin) -> None:
    """Raises ``OriginFaultError`` unless the parent's response to CONNECT is 2xx."""
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
        f"The next proxy {parent.address.authority} does not connect to {origin.authority} "
        f"(status {status or 'none'})."
    )
