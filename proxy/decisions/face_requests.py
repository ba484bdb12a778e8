"""The input of ``own_faces.decide``, read from a request and its route. Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.admission import Proof
from winnow.proxy.access.credentials.extension_pairing import is_let_in
from winnow.proxy.access.credentials.image_signatures import is_signed, without_signature
from winnow.proxy.access.credentials.tokens import (
    REACH_COOKIE,
    FormTokens,
    form_purpose,
    reach_purpose,
)
from winnow.proxy.access.own_addresses import OwnFace, OwnFaces
from winnow.proxy.access.own_faces import (
    REDIRECTED_COOKIE,
    Credential,
    FaceRequest,
)
from winnow.proxy.access.referrers import UNKNOWN, origin_of
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.request.routing import (
    Face,
    ForwardRoute,
    OwnPageRoute,
    RedirectRoute,
    Route,
)
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.stores.paired_extensions import Paired


def face_request(  # noqa: PLR0913 - each is another part of the request
    head: RequestHead,
    route: Route,
    own: str,
    proof: Proof,
    tokens: FormTokens,
    *,
    faces: OwnFaces,
) -> FaceRequest | None:
    """What decides about a request for one of our own faces; None for any other.

    ``own`` is our origin as the client names it.
    """
    face = _face(route, head.method, faces)
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
        head.cookie(REDIRECTED_COOKIE) in targets | {UNKNOWN},
        proof.asks_password,
    )


def from_extension(
    request: FaceRequest, head: RequestHead, route: Route, paired: Paired
) -> FaceRequest:
    """The request, with the credential of a browser extension where it has one."""
    if request.credential is Credential.API_KEY or not isinstance(route, OwnPageRoute):
        return request
    is_paired = is_let_in(head, route.path, paired)
    return replace(request, credential=Credential.EXTENSION) if is_paired else request


def _face(route: Route, method: str, faces: OwnFaces) -> OwnFace | None:
    match route:
        case ForwardRoute(_, Face.GATEWAY) | RedirectRoute():
            return OwnFace.GATEWAY
        case OwnPageRoute(path):
            return faces.of(path, method)
        case _:
            return None


def _targets(head: RequestHead, route: Route) -> frozenset[str]:
    """The origins that the request would have us fetch, as ``origin_of`` writes them."""
    match route:
        case ForwardRoute(target):
            return frozenset({origin_of(target.url)})
        case OwnPageRoute(path, query) if path.startswith(SMALL_PATH):
            _, rest = without_signature(head.target.partition(SMALL_PATH)[2])
            _, found, url = rest.partition("http")
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
    is_own = isinstance(route, OwnPageRoute) and credential is Credential.NONE
    if is_own and is_signed(head.target, head.owner, tokens):
        return Credential.IMAGE
    if "token" in query and tokens.holds(query["token"], form_purpose(head.client), now):
        return Credential.TOKEN
    cookie = head.cookie(REACH_COOKIE)
    if cookie and len(targets) == 1:
        purpose = reach_purpose(head.client, next(iter(targets)))
        return Credential.TOKEN if tokens.holds(cookie, purpose, now) else credential
    return credential
