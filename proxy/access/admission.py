"""Whether a client may use the proxy: its credentials, its address and the name it uses for us.

A proxy asks by 407 and Proxy-Authenticate, its own pages ask by 401 and WWW-Authenticate (RFC 9110,
section 11).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_network
from typing import Final

from winnow.proxy.access.authentication import Admitted, Authenticator, Denied
from winnow.proxy.access.ip_addresses import is_local
from winnow.proxy.access.own_faces import (
    Credential,
)
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.access.same_origin import host_is_ours
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import ProxyError

OPEN_PATHS = frozenset(
    {
        "/-/health",
        "/-/ready",
        "/-/setup",
        "/-/check",
        "/-/proxy.pac",
        "/-/ca.crt",
        "/-/openapi.json",
    }
)
"""What a device must get before it can be told a password; nothing there is secret."""
OPEN_GATE = Authenticator({}, (ip_network("0.0.0.0/0"), ip_network("::/0")))
"""Lets everybody in."""
CHALLENGE: Final = ("WWW-Authenticate", 'Basic realm="Winnow", charset="UTF-8"')
COOKIE: Final = "winnow-reach"
COOKIE_SECONDS: Final = 60
"""How long an address that was entered on our own page may be opened; one redirect needs it."""


class NotAdmittedError(ProxyError):
    """The client did not say who it is, or guessed too often; ``fields`` tell programs."""

    def __init__(self, message: str, status: int, reason: str, *fields: Field) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Proof:
    """What a request proved at the gate, and whether it names us by a name of ours.

    ``user`` is the signed-in user, "" for none.
    """

    credential: Credential = Credential.NONE
    is_own_host: bool = True
    asks_password: bool = False
    user: str = ""


async def admit(gate: Authenticator, request: RequestHead, names: tuple[str, ...] = ()) -> Proof:
    """Raises ``NotAdmittedError`` if the client may not go on.

    Requests inside an intercepted connection were admitted with their CONNECT. Under a name that is
    not ours nobody is turned away here: ``own_faces.decide`` does so.
    """
    straight = request.target.startswith("/")
    if request.inside or (straight and request.target.partition("?")[0] in OPEN_PATHS):
        return Proof()
    is_own_host = _is_own_host(request, names)
    name = "authorization" if straight else "proxy-authorization"
    credentials = request.headers.get(name) if name in request.headers else None
    answer = await gate.admit(request.client, credentials, is_open=is_own_host)
    if isinstance(answer, Denied) and (is_own_host or answer.wait):
        raise _refusal(answer, straight)
    user = answer.user if isinstance(answer, Admitted) else ""
    return Proof(_credential(answer), is_own_host, bool(gate.users), user)


def _credential(answer: Admitted | Denied) -> Credential:
    if isinstance(answer, Denied) or not answer.user:
        return Credential.NONE
    return Credential.API_KEY if answer.by_key else Credential.PASSWORD


def _is_own_host(request: RequestHead, names: tuple[str, ...]) -> bool:
    host = request.headers.get("host")
    straight = request.target.startswith("/") and not request.inside
    return not straight or not host or host_is_ours(host, names)


def known_as(request: RequestHead, names: tuple[str, ...]) -> RequestHead:
    """The request, its client made a stranger where it calls us by a name that is not ours.

    A site may let its own name lead to this computer, to have a visitor's browser ask us from here
    (DNS rebinding): such a request must reach nothing that any other client could not.
    """
    return request if _is_own_host(request, names) else replace(request, client="")


def own_purpose(client: str) -> str:
    """The purpose of the token in our own forms that take an address."""
    return f"own-form {_place(client)}"


def reach_purpose(client: str, origin: str) -> str:
    """The purpose of the token that opens one origin for one client."""
    return f"reach {_place(client)} {origin}"


def _place(client: str) -> str:
    return "loopback" if is_local(client) else client


def cookie_of(head: RequestHead, name: str) -> str:
    """The value of a cookie; "" where there is none or the field is malformed."""
    try:
        found = SimpleCookie(head.headers.joined("cookie")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _refusal(answer: Denied, straight: bool) -> NotAdmittedError:
    if answer.wait:
        return NotAdmittedError(
            f"There were too many wrong passwords. Try again in {-(-answer.wait // 60)} minutes.",
            429,
            "too-many-failures",
            ("Retry-After", str(answer.wait)),
        )
    status = 401 if straight else 407
    challenge = CHALLENGE if straight else ("Proxy-Authenticate", CHALLENGE[1])
    return NotAdmittedError(
        "Winnow lets in only those whom its owner gave a name and a password.",
        status,
        "password",
        challenge,
    )
