"""Asks the gate about a request and says how a refusal is told; knows no password.

A proxy asks by 407 and Proxy-Authenticate, its own pages ask by 401 and WWW-Authenticate (RFC 9110,
section 11).
"""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network

from proxy.access.gate import Denied, Gate
from proxy.access.origins import host_is_ours
from proxy.errors import ProxyError
from proxy.headers import Field
from proxy.values import RequestHead

OPEN_PATHS = frozenset(
    {"/-/health", "/-/ready", "/-/setup", "/-/check", "/-/proxy.pac", "/-/ca.crt"}
)
"""What a device must get before it can be told a password; nothing there is secret."""
OPEN_GATE = Gate({}, (ip_network("0.0.0.0/0"), ip_network("::/0")))
"""Lets everybody in."""
_CHALLENGE = 'Basic realm="Winnow", charset="UTF-8"'


class NotAdmittedError(ProxyError):
    """The client did not say who it is, or guessed too often; ``fields`` tell programs."""

    def __init__(self, message: str, status: int, reason: str, *fields: Field) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.fields = fields


async def admit(gate: Gate, request: RequestHead) -> str:
    """The signed-in user, "" for none. Raises ``NotAdmittedError`` if the client may not go on.

    Requests inside an intercepted connection were admitted with their CONNECT.
    """
    straight = request.target.startswith("/")
    if request.inside or (straight and request.target.partition("?")[0] in OPEN_PATHS):
        return ""
    name = "authorization" if straight else "proxy-authorization"
    credentials = request.headers.get(name) if name in request.headers else None
    answer = await gate.admit(request.client, credentials)
    if isinstance(answer, Denied):
        raise _refusal(answer, straight)
    return answer.user


def known_as(request: RequestHead, names: tuple[str, ...]) -> RequestHead:
    """The request, its client made a stranger where it calls us by a name that is not ours.

    A site may let its own name lead to this computer, to have a visitor's browser ask us from here
    (DNS rebinding): such a request must reach nothing that any other client could not.
    """
    host = request.headers.get("host")
    straight = request.target.startswith("/") and not request.inside
    if not straight or not host or host_is_ours(host, names):
        return request
    return replace(request, client="")


def _refusal(answer: Denied, straight: bool) -> NotAdmittedError:
    if answer.wait:
        return NotAdmittedError(
            f"There were too many wrong passwords. Try again in {-(-answer.wait // 60)} minutes.",
            429,
            "too-many-failures",
            ("Retry-After", str(answer.wait)),
        )
    status = 401 if straight else 407
    challenge = "WWW-Authenticate" if straight else "Proxy-Authenticate"
    return NotAdmittedError(
        "Winnow lets in only those whom its owner gave a name and a password.",
        status,
        "password",
        (challenge, _CHALLENGE),
    )
