"""Asks the gate about a request, and gathers from its head what ``own_faces.decide`` needs.

A proxy asks by 407 and Proxy-Authenticate, its own pages ask by 401 and WWW-Authenticate (RFC 9110,
section 11).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_network
from typing import Final
from urllib.parse import parse_qsl

from winnow.proxy.access.authentication import Admitted, Authenticator, Denied
from winnow.proxy.access.ip_addresses import is_local
from winnow.proxy.access.own_faces import (
    REDIRECTED_COOKIE,
    Credential,
    FaceRequest,
    OwnFace,
    face_of,
)
from winnow.proxy.access.referrers import UNKNOWN, origin_of
from winnow.proxy.access.same_origin import host_is_ours
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import RequestHead
from winnow.proxy.decisions.routing import Face, ForwardRoute, OwnPageRoute, RedirectRoute, Route
from winnow.proxy.http.headers import Field
from winnow.proxy.http.origins import parse_url
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError

OPEN_PATHS = frozenset(
    {"/-/health", "/-/ready", "/-/setup", "/-/check", "/-/proxy.pac", "/-/ca.crt"}
)
"""What a device must get before it can be told a password; nothing there is secret."""
OPEN_GATE = Authenticator({}, (ip_network("0.0.0.0/0"), ip_network("::/0")))
"""Lets everybody in."""
CHALLENGE: Final = ("WWW-Authenticate", 'Basic realm="Winnow", charset="UTF-8"')
COOKIE: Final = "winnow-reach"
COOKIE_SECONDS: Final = 60
"""How long an address that was entered on our own page may be opened; one redirect needs it."""
_SMALL: Final = "/-/small/"


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


def face_request(
    head: RequestHead, route: Route, own: str, proof: Proof, tokens: FormTokens
) -> FaceRequest | None:
    """What decides about a request for one of our own faces; None for any other.

    ``own`` is our origin as the client names it.
    """
    face = _face(route, head.method)
    if face is None:
        return None
    targets = _targets(head, route)
    fields = head.headers
    return FaceRequest(
        face,
        own,
        head.method,
        fields.joined("sec-fetch-site").lower(),
        fields.joined("sec-fetch-mode").lower(),
        fields.joined("sec-fetch-dest").lower(),
        fields.joined("origin"),
        fields.joined("referer"),
        fields.joined("user-agent"),
        targets,
        _with_token(head, route, targets, proof.credential, tokens),
        proof.is_own_host,
        is_local(head.client),
        bool(head.upgrade),
        cookie_of(head, REDIRECTED_COOKIE) in targets | {UNKNOWN},
        proof.asks_password,
    )


def _face(route: Route, method: str) -> OwnFace | None:
    match route:
        case ForwardRoute(_, Face.GATEWAY) | RedirectRoute():
            return OwnFace.GATEWAY
        case OwnPageRoute(path):
            return face_of(path, method)
        case _:
            return None


def _targets(head: RequestHead, route: Route) -> frozenset[str]:
    """The origins that the request would have us fetch, as ``origin_of`` writes them."""
    match route:
        case ForwardRoute(target):
            return frozenset({origin_of(target.url)})
        case OwnPageRoute(path, query) if path.startswith(_SMALL):
            _, found, url = head.target.partition(_SMALL)[2].partition("http")
            named = ["http" + url] if found else _urls(query)
        case OwnPageRoute(_, query):
            named = _urls(query)
        case _:
            named = []
    return frozenset(map(_origin, named))


def _urls(query: str) -> list[str]:
    return [value.strip() for name, value in parse_qsl(query) if name == "url"]


def _origin(url: str) -> str:
    """The origin of an address as a person writes it, "" if it has none."""
    try:
        return origin_of(parse_url(url if "://" in url else f"https://{url}").url)
    except ClientFaultError:
        return ""


def _with_token(
    head: RequestHead,
    route: Route,
    targets: frozenset[str],
    credential: Credential,
    tokens: FormTokens,
) -> Credential:
    """The credential, or that of our own forms, if the request carries one."""
    now = datetime.now(UTC)
    query = dict(parse_qsl(route.query)) if isinstance(route, OwnPageRoute) else {}
    if "token" in query and tokens.holds(query["token"], own_purpose(head.client), now):
        return Credential.TOKEN
    cookie = cookie_of(head, COOKIE)
    if cookie and len(targets) == 1:
        purpose = reach_purpose(head.client, next(iter(targets)))
        return Credential.TOKEN if tokens.holds(cookie, purpose, now) else credential
    return credential


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
