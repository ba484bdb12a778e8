"""Clients that are not admitted get 407 or 401; the set-up pages are open to all."""

from __future__ import annotations

from base64 import b64encode
from ipaddress import ip_network

import pytest

from winnow.feature import faces_of
from winnow.feature_list import FEATURES
from winnow.proxy.access.admission import DEVICE_COOKIE, NotAdmittedError, admit, known_as
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin

HASH = hash_password("secret")
RIGHT = "Basic " + b64encode(b"ann:secret").decode()
STRANGER = "203.0.113.9"


def gate() -> Authenticator:
    return Authenticator({"ann": HASH}, (ip_network("127.0.0.0/8"),))


def request(
    target: str, *fields: tuple[str, str], client: str = STRANGER, inside: Origin | None = None
) -> RequestHead:
    return RequestHead("GET", target, Headers(fields), client, inside=inside)


@pytest.mark.parametrize(
    ("target", "status", "challenge"),
    [
        ("http://site.example/", 407, "Proxy-Authenticate"),
        ("site.example:443", 407, "Proxy-Authenticate"),
        ("/", 401, "WWW-Authenticate"),
        ("/https://site.example/", 401, "WWW-Authenticate"),
        ("/-/settings", 401, "WWW-Authenticate"),
    ],
)
async def test_a_password_is_requested(target: str, status: int, challenge: str) -> None:
    with pytest.raises(NotAdmittedError) as caught:
        await admit(gate(), request(target))
    assert caught.value.status == status
    assert caught.value.fields[0][0] == challenge
    assert caught.value.fields[0][1].startswith("Basic realm=")


async def test_a_right_password_is_admitted() -> None:
    await admit(gate(), request("http://site.example/", ("Proxy-Authorization", RIGHT)))
    await admit(gate(), request("/", ("Authorization", RIGHT)))


async def test_the_field_of_the_other_kind_does_not_count() -> None:
    with pytest.raises(NotAdmittedError):
        await admit(gate(), request("http://site.example/", ("Authorization", RIGHT)))


async def test_a_device_s_cookie_is_its_password_at_our_own_address_alone() -> None:
    cookie = ("Cookie", f"a=b; {DEVICE_COOKIE}={RIGHT.removeprefix('Basic ')}")
    for path in ("/-/settings", "/https://site.example/"):
        assert (await admit(gate(), request(path, cookie))).user == "ann"
    wrong = ("Cookie", f"{DEVICE_COOKIE}={b64encode(b'ann:guessed').decode()}")
    for target, field in (("http://site.example/", cookie), ("/-/settings", wrong)):
        with pytest.raises(NotAdmittedError):
            await admit(gate(), request(target, field))


async def test_an_api_key_opens_the_api_and_not_the_proxy() -> None:
    keyed = Authenticator({"ann": HASH}, (), keys={"robot": HASH})
    key = "Bearer robot.secret"
    assert (await admit(keyed, request("/-/api/extract", ("Authorization", key)))).user == "robot"
    with pytest.raises(NotAdmittedError):
        await admit(keyed, request("http://site.example/", ("Proxy-Authorization", key)))


FACES = faces_of(FEATURES)
OPEN = {path for path, face in FACES.exact.items() if face is OwnFace.HARMLESS}


@pytest.mark.parametrize("path", sorted(OPEN))
async def test_set_up_needs_no_password(path: str) -> None:
    await admit(gate(), request(f"{path}?x"), faces=FACES)


async def test_a_client_on_this_computer_needs_none() -> None:
    await admit(gate(), request("http://site.example/", client="127.0.0.1"))


async def test_requests_inside_a_tunnel_were_admitted_with_it() -> None:
    await admit(gate(), request("/", inside=Origin("https", "site.example", 443)))


async def test_guessing_is_slowed_down() -> None:
    door = gate()
    for number in range(5):
        guess = "Basic " + b64encode(f"ann:{number}".encode()).decode()
        with pytest.raises(NotAdmittedError):
            await admit(door, request("http://site.example/", ("Proxy-Authorization", guess)))
    with pytest.raises(NotAdmittedError) as caught:
        await admit(door, request("http://site.example/", ("Proxy-Authorization", RIGHT)))
    assert caught.value.status == 429
    assert caught.value.fields == (("Retry-After", "300"),)


@pytest.mark.parametrize(
    ("target", "host", "is_ours"),
    [
        ("/", "127.0.0.1:8080", True),
        ("/", "localhost", True),
        ("/", "reader.example:8080", True),
        ("/", "rebinding.example", False),
        ("/https://10.0.0.1/", "rebinding.example", False),
        ("http://site.example/", "site.example", True),
    ],
)
def test_a_client_under_a_foreign_name_is_a_stranger(target: str, host: str, is_ours: bool) -> None:
    head = known_as(request(target, ("Host", host), client="127.0.0.1"), ("reader.example",))
    assert head.client == ("127.0.0.1" if is_ours else "")


def test_inside_a_tunnel_the_name_is_the_sites_own() -> None:
    inside = Origin("https", "site.example", 443)
    head = request("/", ("Host", "site.example"), client="127.0.0.1", inside=inside)
    assert known_as(head, ()).client == "127.0.0.1"
