"""Addresses of origins as values that cannot be malformed; opens no connection.

Two ways lead to one type. ``parse_url`` reads what was given to our own faces, as a browser reads
what is typed (WHATWG URL Standard). ``parse_target`` reads what a client asked a proxy for, and
leaves path and query as they are (RFC 9110, section 7.7), byte for byte.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from ada_url import URL

from winnow.proxy.http.proxy_errors import ClientFaultError

DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[0-9A-Za-z\-._~!$&'()*+,;=%:]{1,255}\Z")
"""RFC 3986, section 3.2.2, an IPv6 address without its brackets; the length is RFC 1035's."""
_PATH: Final = re.compile(r"(?:/[!-\"$-~\x80-\xff]*|\*)\Z")
"""RFC 3986's characters and those others that clients send unquoted, such as ``|"<>[]{}``."""
_AUTHORITY: Final = re.compile(
    r"(\[[0-9A-Fa-f:.]+(?:%25[\w.~-]+)?\]|[^\s:/?#@\[\]\\]{1,255})(?::([0-9]{0,5}))?\Z"
)
_ABSOLUTE: Final = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True)
class Origin:
    """Scheme, host and port (RFC 6454); ``host`` is lower case, IPv6 without brackets.

    Raises ClientFaultError for a host or port that cannot be one.
    """

    scheme: str
    host: str
    port: int

    def __post_init__(self) -> None:
        if not _HOST.match(self.host) or not 0 < self.port < 65536:
            raise _bad("The address names no host and port.")
        if self.scheme not in DEFAULT_PORTS:
            raise _bad("Only http:// and https:// addresses can be fetched.")

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
    """An http or https URL taken apart; ``path`` holds path and query, or is ``*`` (OPTIONS).

    ``path`` is Latin-1 text, each character one byte of the request line. Raises ClientFaultError
    for one that holds control characters, blanks or a fragment, or does not begin with a slash.
    """

    origin: Origin
    path: str

    def __post_init__(self) -> None:
        if not _PATH.match(self.path):
            raise _bad("The address holds characters that no request may hold.")

    @cached_property
    def url(self) -> str:
        return f"{self.origin}{self.path}"


@lru_cache(maxsize=1024)
def parse_authority(text: str, scheme: str) -> Origin:
    """``host``, ``host:port`` or ``[v6]:port``. Raises ClientFaultError for anything else."""
    match = _AUTHORITY.match(text)
    if not match:
        raise _bad("The address names no host and port.")
    port = int(match[2] or DEFAULT_PORTS[scheme])
    return Origin(scheme, _ascii_host(match[1].strip("[]")), port)


def parse_target(text: str) -> Target:
    """The absolute form of a request target (RFC 9112, section 3.2.2), as Latin-1 text.

    User, password and fragment are cut off; path and query stay as they are. Raises
    ClientFaultError.
    """
    match = _ABSOLUTE.match(text)
    if not match or "\\" in match[2]:
        raise _bad("Only http:// and https:// addresses can be fetched.")
    authority = match[2].rpartition("@")[2]
    return origin_target(parse_authority(authority, match[1].lower()), match[3])


def origin_target(origin: Origin, path: str) -> Target:
    """A target of a known origin (RFC 9112, section 3.2.1); a fragment is cut off."""
    path = path.partition("#")[0]
    return Target(origin, path if path.startswith("/") else f"/{path}")


def parse_url(text: str) -> Target:
    """An address that a person, a page or a program gave us, as the WHATWG URL Standard reads it.

    User, password and fragment are cut off. Raises ClientFaultError, for control characters too:
    the standard would drop or quote them.
    """
    if _CONTROL.search(text):
        raise _bad("The address holds control characters.")
    try:
        url = URL(text)
    except ValueError as error:
        raise _bad("This is no address of a web page.") from error
    scheme = url.protocol.rstrip(":")
    if scheme not in DEFAULT_PORTS:
        raise _bad("Only http:// and https:// addresses can be fetched.")
    origin = Origin(scheme, url.hostname.strip("[]"), int(url.port or DEFAULT_PORTS[scheme]))
    return origin_target(origin, url.href.split("/", 3)[3])


def absolute_url(base: str, reference: str) -> str:
    """Where a field such as Location leads (RFC 9110, section 10.2.2), its fragment included.

    ``reference`` is Latin-1 text. Raises ClientFaultError for what is no http or https address.
    """
    reference = quoted(reference)
    if _CONTROL.search(reference):
        raise _bad("The address holds control characters.")
    try:
        return URL(reference, base=quoted(base)).href
    except ValueError as error:
        raise _bad("This is no address of a web page.") from error


def quoted(text: str) -> str:
    """Latin-1 text with each byte beyond ASCII percent-encoded: ASCII that means the same bytes."""
    return _NOT_ASCII.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _ascii_host(host: str) -> str:
    """Lower case, international names as their ASCII form (UTS 46)."""
    if host.isascii():
        return host.lower()
    try:
        return URL(f"http://{_as_utf8(host)}/").hostname
    except ValueError as error:
        raise _bad("The address names no host that can be asked for.") from error


def _as_utf8(text: str) -> str:
    """Latin-1 text of a request read as UTF-8 where it is that."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _bad(message: str) -> ClientFaultError:
    return ClientFaultError(message, 400, "bad-address")
