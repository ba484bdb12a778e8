"""A client's request: its head, its id, and the client that its work is counted for.

Id and requester are context variables, which tasks inherit: they are in no cache key.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv6Address
from typing import Final

from winnow.proxy.access.address_kinds import is_local, parse_address
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.request_target import Origin

_LOG = logging.getLogger("winnow.tasks")
LOOPBACK: Final = "127.0.0.1"
_NETWORK_BITS: Final = 64
"""One subscriber's IPv6 prefix at least (RFC 6177), which counts as one client."""
REQUEST_ID: ContextVar[str] = ContextVar("winnow-request", default="")
"""The id of the request that this task serves, for its log lines and error page; "" for none."""
_PROCESS = secrets.token_hex(3)
_numbers = itertools.count(1)


@dataclass(frozen=True)
class RequestHead:
    """The request line and fields as they came.

    ``target`` is the raw request target (RFC 9112, section 3.2); ``inside`` is the origin whose
    intercepted TLS the request came through; ``client`` is the peer's IP address, empty where the
    request gets no client's rights; ``user`` is the authenticated user, empty without one.
    ``names``: who may be its user without a password, of whom one must be named (features.people).
    ``redirected`` is the address that the client of a redirected connection had connected to.
    """

    method: str
    target: str
    headers: Headers
    client: str = "127.0.0.1"
    version: tuple[int, int] = (1, 1)
    inside: Origin | None = None
    user: str = ""
    redirected: Origin | None = None
    names: frozenset[str] = frozenset()

    @cached_property
    def owner(self) -> str:
        """Whose choices apply: the user's, else the client's; empty for nobody's.

        Loopback addresses are one client. No user's name equals an address.
        """
        if self.user:
            return f"user:{self.user}"
        return LOOPBACK if is_local(self.client) else self.client

    @property
    def is_straight(self) -> bool:
        """Whether it is for an address of ours, or of the gateway, and came through no proxy."""
        return self.target.startswith("/") and not self.inside

    @cached_property
    def upgrade(self) -> str:
        """The protocol that Upgrade names, lower case, or empty (RFC 9110, section 7.8)."""
        if "upgrade" not in self.headers.items("connection"):
            return ""
        return self.headers.get("upgrade").strip().lower()

    def cookie(self, name: str) -> str:
        """The value of a cookie; "" where there is none or the field is malformed."""
        try:
            found = SimpleCookie(self.headers.joined("cookie")).get(name)
        except CookieError:
            return ""
        return found.value if found else ""


_NO_HEADERS: Final = Headers(())


@dataclass(frozen=True, slots=True)
class Requester:
    """``client``: a ``client_key``, "" for none; ``since``: the loop's time, None for now.

    ``is_sent``: another site's page sent the client here, by a link or a redirect. ``headers``: the
    request's.
    """

    client: str = ""
    since: float | None = None
    is_sent: bool = False
    headers: Headers = _NO_HEADERS


_NO_REQUESTER: Final = Requester()
REQUESTER: ContextVar[Requester] = ContextVar("requester", default=_NO_REQUESTER)


def client_key(user: str, address: str) -> str:
    """The user, else the address, of IPv6 its /64 network: whom work is counted for."""
    return f"user {user}" if user else network_of(address)


def network_of(address: str) -> str:
    """An IPv6 address without its interface identifier; any other text as it is."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> _NETWORK_BITS << _NETWORK_BITS))
    return address


def new_request_id() -> str:
    """An id that no other request of any process has; REQUEST_ID is set to it."""
    request_id = f"{_PROCESS}-{next(_numbers):x}"
    REQUEST_ID.set(request_id)
    return request_id


def log_failure(task: asyncio.Task[object]) -> None:
    """A done callback of tasks that several requests await: log errors that nobody handles.

    ProxyErrors were raised in all that await it, so they are not logged.
    """
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ProxyError):
        _LOG.warning("A task that several requests share failed: %r", error)
