"""Which requests that a gate let in a later gate would not."""

from __future__ import annotations

import json
from ipaddress import ip_network

import pytest

from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.credentials.withdrawal import admits, withdrawn
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers

ANN, BOB, ROBOT, OTHER = (hash_password(word) for word in ("a", "b", "c", "d"))
NETWORKS = (ip_network("127.0.0.0/8"), ip_network("10.20.0.0/16"))
BEFORE = Authenticator({"ann": ANN, "bob": BOB}, NETWORKS, keys={"robot": ROBOT})


def head(user: str = "", client: str = "10.20.0.1") -> RequestHead:
    return RequestHead("CONNECT", "a.example:443", Headers(()), client, user=user)


@pytest.mark.parametrize(
    ("later", "gone"),
    [
        (BEFORE, set()),
        (Authenticator({"ann": ANN}, NETWORKS, keys={"robot": ROBOT}), {"bob"}),
        (Authenticator({"ann": OTHER, "bob": BOB}, NETWORKS, keys={"robot": ROBOT}), {"ann"}),
        (Authenticator({"ann": ANN, "bob": BOB, "robot": ROBOT}, NETWORKS), {"robot"}),
        (Authenticator({"ann": ANN, "bob": BOB}, NETWORKS[:1], keys={"robot": ROBOT}), {""}),
    ],
)
def test_who_is_gone(later: Authenticator, gone: set[str]) -> None:
    told = json.loads(json.dumps(admits(later)))
    is_withdrawn = withdrawn(BEFORE, told)
    assert {user for user in ("ann", "bob", "robot", "") if is_withdrawn(head(user))} == gone


def test_whom_no_network_let_in_loses_nothing() -> None:
    """Own pages without a password, such as /-/ready, are answered to all."""
    later = admits(Authenticator({}, ()))
    assert not withdrawn(BEFORE, later)(head(client="192.0.2.1"))


def test_no_hash_is_told() -> None:
    assert str(ANN) not in json.dumps(admits(BEFORE))
