"""Whether a client may use the proxy: its credentials, its address and the name it uses for us.

The proxy challenges by 407 and Proxy-Authenticate, own pages by 401 and WWW-Authenticate (RFC 9110,
section 11).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import Final

from winnow.proxy.access.credentials.authentication import (
    Admitted,
    Authenticator,
    Denied,
    credentials_in,
    is_api_key,
)
from winnow.proxy.access.credentials.same_origin import host_is_ours
from winnow.proxy.access.own_addresses import NO_FACES, OwnFaces
from winnow.proxy.access.own_faces import (
    Credential,
    FaceRequest,
    Reach,
    Refused,
    decide,
)
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.access.requester import REQUESTER, Requester, RequestHead, client_key
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.sentences import says

OPEN_GATE = Authenticator({}, (ip_network("0.0.0.0/0"), ip_network("::/0")))
"""Admits every client."""
DEVICE_COOKIE: Final = "winnow-device"
"""User and password as RFC 7617 writes them, of a device that scanned them (features.setup)."""
_CHALLENGE: Final = 'Basic realm="Winnow", charset="UTF-8"'


class NotAdmittedError(ProxyError):
    """The client is not authenticated or not authorized; ``fields`` go into the response."""

    def __init__(self, message: str, status: int, reason: str, *fields: Field) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Proof:
    """What a request proved at the gate; ``is_own_host``: it names us by a name of ours.

    ``user`` is the authenticated user, "" for none; ``asks_password``: users are configured.
    """

    credential: Credential = Credential.NONE
    is_own_host: bool = True
    asks_password: bool = False
    user: str = ""


async def identify(
    gate: Authenticator, request: RequestHead, names: tuple[str, ...], faces: OwnFaces
) -> tuple[RequestHead, Proof]:
    """Admit a request; its head with the user, and as ``known_as`` gives it. Sets REQUESTER.

    Raises NotAdmittedError.
    """
    proof = await admit(gate, request, names, faces)
    if request.inside:  # there it is the user of the CONNECT
        REQUESTER.set(replace(REQUESTER.get(), headers=request.headers))
    else:
        client = client_key(proof.user, request.client)
        REQUESTER.set(Requester(client, headers=request.headers))
    if proof.user:
        request = replace(request, user=proof.user)
    return known_as(request, names), proof


async def admit(
    gate: Authenticator,
    request: RequestHead,
    names: tuple[str, ...] = (),
    faces: OwnFaces = NO_FACES,
) -> Proof:
    """Raises ``NotAdmittedError`` if the client may not go on.

    Requests inside an intercepted connection were admitted with their CONNECT. What is open by
    ``faces`` asks for nothing. Under a name that is
    not ours ``own_faces.decide`` refuses, not this function.
    """
    straight = request.target.startswith("/")
    if request.inside or (straight and faces.is_open(request.target.partition("?")[0])):
        return Proof()
    is_own_host = _is_own_host(request, names)
    name = "authorization" if straight else "proxy-authorization"
    credentials = request.headers.get(name) if name in request.headers else None
    if straight and not credentials and (kept := request.cookie(DEVICE_COOKIE)):
        credentials = f"Basic {kept}"
    if not straight and credentials and is_api_key(credentials):
        credentials = None  # a key is for the API, not for the proxy
    result = await _admitted(gate, request, credentials, is_open=is_own_host)
    if isinstance(result, Denied) and (is_own_host or result.wait):
        raise _refusal(result, request)
    user = result.user if isinstance(result, Admitted) else ""
    return Proof(_credential(result), is_own_host, bool(gate.users), user)


async def _admitted(
    gate: Authenticator, request: RequestHead, credentials: str | None, *, is_open: bool
) -> Admitted | Denied:
    """What the gate says; where names are asked for, one that has no password is enough.

    Not under a host that is no name of ours: a page there could say one by script (DNS rebinding).
    """
    name = credentials_in(credentials or "")[0] if request.names and is_open else ""
    if name in request.names and name not in gate.users:
        return Admitted(name)
    return await gate.admit(request.client, credentials, is_open=is_open and not request.names)


def check_rate(rate: RequestRate, request: RequestHead) -> None:
    """Count an admitted request. Raises NotAdmittedError where its client sent too many."""
    wait = rate.wait(request)
    if wait:
        raise NotAdmittedError(
            says("There were too many requests from you. Try again in {wait} seconds.", wait=wait),
            429,
            "too-many-requests",
            ("Retry-After", str(wait)),
        )


def is_restricted(request: FaceRequest) -> bool:
    """Whether a request for an own face reaches public addresses only. Raises NotAdmittedError."""
    decision = decide(request)
    if isinstance(decision, Refused):
        challenge = (("WWW-Authenticate", _CHALLENGE),) if decision.status == 401 else ()
        raise NotAdmittedError(decision.sentence, decision.status, decision.reason, *challenge)
    return decision.reach is Reach.PUBLIC


def _credential(result: Admitted | Denied) -> Credential:
    if isinstance(result, Denied) or not result.user:
        return Credential.NONE
    return Credential.API_KEY if result.by_key else Credential.PASSWORD


def _is_own_host(request: RequestHead, names: tuple[str, ...]) -> bool:
    host = request.headers.get("host")
    straight = request.target.startswith("/") and not request.inside
    return not straight or not host or host_is_ours(host, names)


def known_as(request: RequestHead, names: tuple[str, ...]) -> RequestHead:
    """The request, without a client address where its Host is not ours (DNS rebinding).

    A site's own name may resolve to this computer: such a request must reach nothing that a
    stranger could not.
    """
    return request if _is_own_host(request, names) else replace(request, client="")


def _refusal(denied: Denied, request: RequestHead) -> NotAdmittedError:
    if denied.wait:
        return NotAdmittedError(
            says(
                "There were too many wrong passwords. Try again in {minutes} minutes.",
                minutes=-(-denied.wait // 60),
            ),
            429,
            "too-many-failures",
            ("Retry-After", str(denied.wait)),
        )
    if request.redirected:  # its client knows of no proxy that it could send a password to
        return NotAdmittedError(
            "Winnow is not open to your address: its owner names networks in access.open_to.",
            403,
            "not-open",
        )
    straight = request.target.startswith("/")
    status, name = (401, "WWW-Authenticate") if straight else (407, "Proxy-Authenticate")
    return NotAdmittedError(
        says("Winnow requires a user name and a password, which its owner assigns."),
        status,
        "password",
        (name, _CHALLENGE),
    )
