"""Which addresses a proxied request or a tunnel may reach, by what is known of it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from winnow.proxy.access.private_addresses import (
    ClientPermit,
    is_public_host,
    private_address_error,
)
from winnow.proxy.access.private_requests import (
    PrivateAnswer,
    decide,
    is_inside,
    private_request,
)
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import Permit

PlainCheck = Callable[[str, Headers], bool]
"""Whether a plain request in a tunnel is answered, by its method and its fields."""


def permit_by_proxy(head: RequestHead, host: str, policy: Policy) -> Permit:
    """What a request by proxy for a host may reach.

    Raises PrivateAddressError where a page of another site, or nobody that is known, asks for an
    address of the reader's own network.
    """
    permit = policy.permit_of(head)
    if not isinstance(permit, ClientPermit) or not is_inside(host, permit.names):
        return permit
    answer = decide(private_request(host, head.method, head.headers, permit.names))
    if answer is PrivateAnswer.ALLOW:
        return permit
    raise private_address_error(host, asks=answer is PrivateAnswer.ASK)


def unasked(permit: Permit) -> Permit:
    """The permit of a tunnel: no page can be shown there, and TLS proves whose the name is."""
    return replace(permit, asks=False) if isinstance(permit, ClientPermit) else permit


def plain_check(host: str, permit: Permit, peer: str) -> PlainCheck | None:
    """What judges a request that is sent through a tunnel in clear text, as browsers do for
    ``ws://``; None where the tunnel leads to a public address or its client is no browser."""
    if not isinstance(permit, ClientPermit) or not permit.asks or is_public_host(peer):
        return None
    names = permit.names

    def is_answered(method: str, headers: Headers) -> bool:
        inside = is_inside(host, names)
        return inside and decide(private_request(host, method, headers, names)) is (
            PrivateAnswer.ALLOW
        )

    return is_answered
