"""Whom to connect to and how to name it: addresses of origins as values; opens no connection."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from proxy.errors import ClientFaultError

DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+(?:%25[\w.~-]+)?\]|[^\s:/?#@\[\]\\]+)(?::(\d{0,5}))?\Z")
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port (RFC 6454); ``host`` is lower case, IPv6 without brackets."""

    scheme: str
    host: str
    port: int

    @cached_property
    def authority(self) -> str:
        """As in a Host field: the default port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{host}:{self.port}"

    @cached_property
    def address(self) -> str:
        """As in a CONNECT request: the port always stands."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @cached_property
    def is_literal(self) -> bool:
        try:
            ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return True

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @cached_property
    def _hash(self) -> int:
        return hash((self.scheme, self.host, self.port))

    def __hash__(self) -> int:
        return self._hash  # each request asks several times


@dataclass(frozen=True)
class Target:
    """An http or https URL taken apart; ``path`` holds path and query as they were written."""

    origin: Origin
    path: str

    @cached_property
    def url(self) -> str:
        return f"{self.origin}{self.path}"


@lru_cache(maxsize=1024)
def parse_authority(text: str, scheme: str) -> Origin:
    """``host``, ``host:port`` or ``[v6]:port``. Raises ClientFaultError for anything else."""
    match = _AUTHORITY.match(text)
    port = int(match[2] or DEFAULT_PORTS[scheme]) if match else 0
    if not match or not 0 < port < 65536:
        said = f"“{text}”" if text else "The address"
        raise ClientFaultError(f"{said} names no host and port.", reason="bad-address")
    return Origin(scheme, _ascii_host(match[1].strip("[]")), port)


def parse_url(text: str) -> Target:
    """An absolute http(s) URL; user and password are cut off. Raises ClientFaultError."""
    match = _URL.match(text)
    if not match or "\\" in match[2]:
        raise ClientFaultError(
            "Only http:// and https:// addresses can be fetched.", 400, "bad-address"
        )
    scheme, authority, path = match[1].lower(), match[2].rpartition("@")[2], match[3]
    if not path.startswith("/"):
        path = "/" + path
    return Target(parse_authority(authority, scheme), path)


def _ascii_host(host: str) -> str:
    """Lower case, international names as their ASCII form (RFC 5890)."""
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise ClientFaultError(f"“{host}” is no host name.", reason="bad-address") from error
