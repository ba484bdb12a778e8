"""The head of a client's request, with who sent it and by which way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from winnow.proxy.access.ip_addresses import is_local
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.origins import Origin

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class RequestHead:
    """The request line and fields as they came.

    ``target`` is the raw request target (RFC 9112, section 3.2); ``inside`` is the origin whose
    intercepted TLS the request came through; ``client`` is the peer's IP address, empty where the
    request must be taken for a stranger's; ``user`` is the name that the client proved by its
    password, empty without one.
    """

    method: str
    target: str
    headers: Headers
    client: str = "127.0.0.1"
    version: tuple[int, int] = (1, 1)
    inside: Origin | None = None
    user: str = ""

    @cached_property
    def owner(self) -> str:
        """Whose the choices of this request are: the user's, else the client's; empty: nobody's.

        This computer's addresses are one client. No user's name can pass for an address.
        """
        if self.user:
            return f"user:{self.user}"
        return LOOPBACK if is_local(self.client) else self.client

    @cached_property
    def upgrade(self) -> str:
        """The protocol asked for by Upgrade, lower case, or empty (RFC 9110, section 7.8)."""
        if "upgrade" not in self.headers.items("connection"):
            return ""
        return self.headers.get("upgrade").strip().lower()
