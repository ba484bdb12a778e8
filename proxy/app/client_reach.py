"""What a request may reach: public addresses alone where another site's page may have sent it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from winnow.proxy.access.admission import Proof, is_restricted
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.decisions.face_requests import face_request, from_extension
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.private_permits import permit_by_proxy
from winnow.proxy.decisions.request.routing import (
    Face,
    ForwardRoute,
    OwnPageRoute,
    Route,
    is_own_face,
)
from winnow.proxy.forwarding.forwarder import gateway_prefix
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import PrivateAddressError
from winnow.proxy.http.request_target import completed
from winnow.proxy.own.problem_details import asks_for_page
from winnow.proxy.own.router import read_query
from winnow.proxy.own.templates.in_page.choice_links import private_question
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.stores.paired_extensions import Paired


@dataclass(frozen=True, slots=True)
class ClientReach:
    """``paired``: the browser extensions that are paired now."""

    tokens: FormTokens
    paired: Callable[[], Paired] = tuple

    def permit(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> tuple[Permit, bool]:
        """What a request may reach, and whether that is public addresses only, since another site's
        page sent it. Raises NotAdmittedError."""
        if isinstance(route, ForwardRoute) and route.face is not Face.GATEWAY:
            return permit_by_proxy(exchange.head, route.target.origin.host, policy), False
        if self._is_only_public(exchange, route, policy, proof):
            REQUESTER.set(replace(REQUESTER.get(), is_sent=True))
            return public_only, True
        return policy.permit_of(exchange.head), False

    def question(
        self, exchange: Exchange, route: Route, policy: Policy, error: PrivateAddressError
    ) -> Headers | None:
        """The fields of a redirect to the page that asks whether a private address is meant."""
        head = exchange.head
        if not error.asks or not asks_for_page(head.headers):
            return None
        match route:
            case ForwardRoute(target, face):
                base = gateway_prefix(exchange, policy) if face is Face.GATEWAY else ""
                location = private_question(target.url, base)
            case OwnPageRoute(_, query):
                url = completed(read_query(query)["url"])
                location = private_question(url, gateway_prefix(exchange, policy))
            case _:
                return None
        return Headers((("Location", location), ("Cache-Control", "no-store")))

    def _is_only_public(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> bool:
        """Whether the request may reach public addresses only. Raises NotAdmittedError."""
        if not is_own_face(route):
            return False
        own = gateway_prefix(exchange, policy).rstrip("/")
        head = exchange.head
        request = face_request(head, route, own, proof, self.tokens, faces=policy.faces)
        if request is None:
            return False
        return is_restricted(from_extension(request, head, route, self.paired()))
