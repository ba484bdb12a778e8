"""Origins and request targets as validated values.

``parse_url`` is for addresses given to own pages, parsed as browsers do (WHATWG URL Standard).
``parse_target`` is for a proxy request's target, whose path and query stay as they are (RFC 9110,
section 7.7), byte for byte.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from ada_url import URL

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

BAD_ADDRESS: Final = "bad-address"
DEFAULT_PORTS = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[0-9A-Za-z\-._~!$&'()*+,;=%:]{1,255}\Z")
"""RFC 3986, section 3.2.2, an IPv6 address without its brackets; the length is RFC 1035's."""
_PATH: Final = re.compile(r"(?:/[!-\"$-~\x80-\xff]*|\*)\Z")
"""RFC 3986's characters and others that clients send unquoted, such as ``|"<>[]{}``."""
_AUTHORITY: Final = re.compile(
    r"(\[[0-9A-Fa-f:.]+(?:%25[\w.~-]+)?\]|[^\s:/?#@\[\]\\]{1,255})(?::([0-9]{0,5}))?\Z"
)
_ABSOLUTE: Final = re.compile(r"(https?)://([^/?#]*)([^#]*)", re.IGNORECASE)
_LOCAL_NAMES: Final = (".local", ".localhost", ".internal", ".lan", ".home.arpa")
"""Names of local networks (RFC 6762, 6761, 8375, and what routers use)."""
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
            raise _bad(says("The address names no host and port."))
        if self.scheme not in DEFAULT_PORTS:
            raise _bad(says("Only http:// and https:// addresses can be fetched."))

    @cached_property
    def authority(self) -> str:
        """As in a Host field, without the default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS.get(self.scheme) else f"{host}:{self.port}"

    @cached_property
    def address(self) -> str:
        """As in a CONNECT request, always with a port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @cached_property
    def is_literal(self) -> bool:
        try:
            ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return True

    @cached_property
    def key(self) -> str:
        """What stands for it where it is looked up several times by each request."""
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        return self.key

    @cached_property
    def _hash(self) -> int:
        return hash((self.scheme, self.host, self.port))

    def __hash__(self) -> int:
        return self._hash  # used several times by each request


@dataclass(frozen=True)
class Target:
    """An http or https URL; ``path`` is path and query, or ``*`` (OPTIONS), as Latin-1 text.

    Raises ClientFaultError for control characters, blanks, a fragment, or no slash at the start.
    """

    origin: Origin
    path: str

    def __post_init__(self) -> None:
        if not _PATH.match(self.path):
            raise _bad(says("The address holds characters that no request may hold."))

    @cached_property
    def url(self) -> str:
        return str(self.origin) if self.path == "*" else f"{self.origin}{self.path}"


@lru_cache(maxsize=1024)
def parse_authority(text: str, scheme: str) -> Origin:
    """``host``, ``host:port`` or ``[v6]:port``. Raises ClientFaultError for anything else."""
    match = _AUTHORITY.match(text)
    if not match:
        raise _bad(says("The address names no host and port."))
    port = int(match[2] or DEFAULT_PORTS[scheme])
    return Origin(scheme, _ascii_host(match[1].strip("[]")), port)


def redirected_target(target: str, host: str, to: Origin) -> str:
    """The absolute form of a target in origin or asterisk form (RFC 9110, section 7.1).

    ``to``: the address that the client connected to, which has the port where ``host``, the field,
    has none. A malformed field gives a target that ``parse_target`` refuses.
    """
    if not target.startswith("/") and target != "*":
        return target
    try:
        meant = parse_authority(host, "http") if host else to
    except ClientFaultError:
        return "http://"
    if not host.endswith(f":{meant.port}"):
        meant = replace(meant, port=to.port)
    return str(meant) if target == "*" else f"{meant}{target}"


def parse_target(text: str) -> Target:
    """The absolute form of a request target (RFC 9112, section 3.2.2), as Latin-1 text.

    User, password and fragment are removed. Raises ClientFaultError.
    """
    match = _ABSOLUTE.match(text)
    if not match or "\\" in match[2]:
        raise _bad(says("Only http:// and https:// addresses can be fetched."))
    authority = match[2].rpartition("@")[2]
    return origin_target(parse_authority(authority, match[1].lower()), match[3])


def origin_target(origin: Origin, path: str) -> Target:
    """A target in origin form (RFC 9112, section 3.2.1); a fragment is removed."""
    path = path.partition("#")[0]
    return Target(origin, path if path.startswith("/") else f"/{path}")


def parse_url(text: str) -> Target:
    """Parse an address by the WHATWG URL Standard; user, password and fragment are removed.

    Raises ClientFaultError, for control characters too, which the standard would drop or quote.
    """
    if _CONTROL.search(text):
        raise _bad(says("The address holds control characters."))
    try:
        url = URL(text)
    except ValueError as error:
        raise _bad(says("This is not the address of a web page.")) from error
    scheme = url.protocol.rstrip(":")
    if scheme not in DEFAULT_PORTS:
        raise _bad(says("Only http:// and https:// addresses can be fetched."))
    origin = Origin(scheme, url.hostname.strip("[]"), int(url.port or DEFAULT_PORTS[scheme]))
    return origin_target(origin, url.href.split("/", 3)[3])


def completed(address: str) -> str:
    """An address as typed, completed by its scheme. Raises ClientFaultError if invalid.

    The scheme is https, but for hosts that hardly have a certificate: as in browsers, addresses of
    networks, names without a dot and those of local networks, and ports of their own.
    """
    address = address.strip(" ")
    if "://" not in address:
        address = f"{'http' if _is_plain(address) else 'https'}://{address}"
    try:
        return parse_url(address).url
    except ClientFaultError as error:
        hint = f"{error} An address looks like https://example.com/story."
        raise ClientFaultError(hint, error.status, error.reason) from error


def _is_plain(address: str) -> bool:
    """Whether an address without a scheme is that of a server without TLS."""
    authority = re.split(r"[/?#]", address, maxsplit=1)[0]
    host, colon, port = authority.rpartition(":")
    if colon and port.isdigit() and not host.endswith(":"):
        return port != str(DEFAULT_PORTS["https"])
    host = authority.lower()
    return (
        "." not in host
        or host.startswith("[")
        or host.replace(".", "").isdigit()
        or host.endswith(_LOCAL_NAMES)
    )


def absolute_url(base: str, reference: str) -> str:
    """The address in a field such as Location (RFC 9110, section 10.2.2), with its fragment.

    ``reference`` is Latin-1 text. Raises ClientFaultError.
    """
    reference = quoted(reference)
    if _CONTROL.search(reference):
        raise _bad(says("The address holds control characters."))
    try:
        return URL(reference, base=quoted(base)).href
    except ValueError as error:
        raise _bad(says("This is not the address of a web page.")) from error


def quoted(text: str) -> str:
    """Latin-1 text with bytes beyond ASCII percent-encoded."""
    return _NOT_ASCII.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _ascii_host(host: str) -> str:
    """Lower case, international names in ASCII (UTS 46)."""
    if host.isascii():
        return host.lower()
    try:
        return URL(f"http://{_as_utf8(host)}/").hostname
    except ValueError as error:
        raise _bad(says("The address names no valid host.")) from error


def _as_utf8(text: str) -> str:
    """Latin-1 text decoded as UTF-8 where it is valid UTF-8."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _bad(message: str) -> ClientFaultError:
    return ClientFaultError(message, 400, BAD_ADDRESS)
