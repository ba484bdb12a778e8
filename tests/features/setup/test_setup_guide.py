"""The setup guide by its handler: certificate, PAC file and checks."""

from __future__ import annotations

import plistlib
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography import x509

from tests.proxy.own.own_requests import asked
from winnow.features.setup.setup_guide import SetupGuide
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority


@pytest.fixture
def guide(tmp_path: Path) -> SetupGuide:
    return SetupGuide(
        LazyAuthority(tmp_path, "desk"),
        InterceptionPolicy(Hosts.of(["*"])),
        lambda: ListeningAddress("127.0.0.1", 8080),
    )


async def test_the_certificate_can_be_downloaded_without_its_key(
    guide: SetupGuide,
) -> None:
    answer = await guide.certificate(asked("/-/ca.crt"))
    certificate = x509.load_pem_x509_certificate(answer.body)
    assert certificate == (await guide.keys.authority()).certificate
    assert answer.media_type == "application/x-x509-ca-cert"
    assert b"PRIVATE" not in answer.body


async def test_nobody_gets_a_certificate_before_https_is_switched_on(
    guide: SetupGuide,
) -> None:
    off = replace(guide, policy=InterceptionPolicy())
    for page, path in ((off.certificate, "/-/ca.crt"), (off.profile, "/-/winnow.mobileconfig")):
        with pytest.raises(ClientFaultError, match="no certificate yet") as caught:
            await page(asked(path))
        assert caught.value.status == 404
    assert b"none to trust" in (await off.setup(asked("/-/setup"))).body
    assert await off.keys.existing() is None
    made = await guide.certificate(asked("/-/ca.crt"))
    assert (await off.certificate(asked("/-/ca.crt"))).body == made.body, "switched off again"


async def test_set_up_names_the_listener_as_this_client_reached_it(
    guide: SetupGuide,
) -> None:
    straight = await guide.setup(asked("/-/setup", ("Host", "192.168.1.5:8080")))
    assert b"http://127.0.0.1:8080/-/proxy.pac" in straight.body
    head = RequestHead("GET", "/-/setup", Headers((("Host", "192.168.1.5:8080"),)))
    reached = await guide.setup(OwnRequest(head, "/-/setup", {}, "http://192.168.1.5:8080/"))
    assert b"http://192.168.1.5:8080/-/proxy.pac" in reached.body
    assert (await guide.keys.authority()).fingerprint.encode() in straight.body.replace(
        b"<wbr>", b""
    )


async def test_the_pac_file_leads_to_the_listener(guide: SetupGuide) -> None:
    answer = await guide.pac(asked("/-/proxy.pac"))
    assert b"PROXY 127.0.0.1:8080" in answer.body
    assert answer.media_type == "application/x-ns-proxy-autoconfig"


@pytest.mark.parametrize(("through", "said"), [("http", b"HTTP goes"), ("https", b"HTTPS goes")])
async def test_the_check_says_how_it_was_reached(
    guide: SetupGuide, through: str, said: bytes
) -> None:
    assert said in (await guide.check(asked("/-/check", through=through))).body


async def test_the_check_is_not_there_without_the_proxy(guide: SetupGuide) -> None:
    with pytest.raises(ClientFaultError) as caught:
        await guide.check(asked("/-/check"))
    assert caught.value.status == 404


async def test_a_new_authority_in_place_of_a_damaged_one_is_told(
    guide: SetupGuide, tmp_path: Path
) -> None:
    (tmp_path / "authority.pem").write_bytes(b"nothing")
    setup = (await guide.setup(asked("/-/setup"))).body.decode()
    assert "every device that trusted the earlier one must trust this one" in setup
    assert "authority.pem.damaged-" in setup


async def test_apples_profile_has_the_certificate_and_a_networks_proxy_where_it_is_named(
    guide: SetupGuide,
) -> None:
    answer = await guide.profile(asked("/-/winnow.mobileconfig", ("Host", "192.168.1.5:8080")))
    assert answer.media_type == "application/x-apple-aspen-config"
    profile = plistlib.loads(answer.body)
    (trusted,) = profile["PayloadContent"]
    certificate = x509.load_der_x509_certificate(trusted["PayloadContent"])
    assert certificate == (await guide.keys.authority()).certificate
    assert (profile["PayloadType"], trusted["PayloadType"]) == (
        "Configuration",
        "com.apple.security.root",
    )
    again = await guide.profile(asked("/-/winnow.mobileconfig"))
    assert plistlib.loads(again.body) == profile, "a newer one replaces an older one"
    head = RequestHead("GET", "/", Headers((("Host", "192.168.1.5:8080"),)))
    request = replace(asked("/-/winnow.mobileconfig"), head=head, query={"network": "Home & away"})
    _, network = plistlib.loads((await guide.profile(request)).body)["PayloadContent"]
    assert network["SSID_STR"] == "Home & away"
    assert network["ProxyPACURL"] == "http://192.168.1.5:8080/-/proxy.pac"
    assert network["PayloadUUID"] != trusted["PayloadUUID"]
