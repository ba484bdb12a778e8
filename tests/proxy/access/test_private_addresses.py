"""What a page of another site makes us fetch reaches no private address, however it is written.

The client itself may reach everything, as on the computer that Winnow runs on.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import quote

import pytest

from tests.proxy.access.test_cross_site import BROWSER, EVIL, request
from tests.proxy.origins import Answer, Origin, ask, html, reply
from tests.proxy.proxies import Proxy, proxying
from winnow.proxy.access.private_addresses import ClientPermit, usable
from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.connections import connector
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver

PUBLIC = "93.184.216.34"
SPELLINGS = (
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
    "017700000001", "0", "0.0.0.0", "127.0.0.1.", "127.255.255.254", "localhost", "LOCALHOST",
    "localhost.", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]",
    "[fe80::1%25lo]", "[::1%25lo]", "%31%32%37.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1",
    f"{PUBLIC}@127.0.0.1", "127.0.0.1%23@evil.example", "printer", "rebinding.example",
    "inside.example", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1",
    "[fd00::1]", "[fec0::1]", "168.63.129.16",
)  # fmt: skip
FACES = (
    "/http://{}/x",
    "/-/read?url={}&mode=original",
    "/-/api/extract?url={}",
    "/-/api/extract?format=text&url={}",
)
LINK = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
PAGES = {
    "a link of another site": LINK,
    "an image without Fetch Metadata": (),
    "a link without Fetch Metadata": (f"Referer: {EVIL}/",),
    "a page in the gateway": (
        "Sec-Fetch-Site: same-origin",
        f"Referer: http://127.0.0.1:PORT/{EVIL}/http://127.0.0.1/",
    ),
    "the same, hidden": ("Sec-Fetch-Site: same-origin",),
    "the same, half hidden": ("Sec-Fetch-Site: same-origin", "Referer: http://127.0.0.1:PORT/"),
    "a redirect of a page in the gateway": (
        "Sec-Fetch-Site: none",
        "Cookie: winnow-redirected=null",
    ),
}


class Odd(Resolver):
    """Knows how numbers are read; one name changes its answer each time, two lead inside."""

    turns = 0

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        self.turns += 1
        inside = {
            "inside.example": "127.0.0.1",
            "printer": "192.168.1.9",
            "rebinding.example": (PUBLIC, "127.0.0.1")[self.turns % 2],
        }
        numeric = socket.AI_NUMERICHOST if host.rstrip(".") != "localhost" else 0
        try:
            found = socket.getaddrinfo(
                inside.get(host, host), port, type=socket.SOCK_STREAM, flags=numeric
            )
        except (OSError, UnicodeError) as error:
            raise OriginUnreachableError(f"The name {host} could not be resolved.") from error
        return list(found)


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were connected to; nothing leaves this computer."""
    found: list[str] = []

    async def start(infos: list[AddressInfo], **_: object) -> socket.socket:
        found.extend(str(info[4][0]) for info in infos)
        raise OSError("nothing leaves this computer")

    monkeypatch.setattr(connector, "start_connection", start)
    return found


@pytest.fixture
async def odd() -> AsyncIterator[Proxy]:
    async with proxying(connector=Connector(Odd(), timeout=60)) as proxy:
        yield proxy


async def response_to(proxy: Proxy, target: str, *fields: str) -> Answer:
    named = [field.replace("PORT", str(proxy.port)) for field in fields]
    return await ask(proxy.port, request(proxy.port, target, *named))


@pytest.mark.parametrize("page", PAGES)
async def test_no_spelling_of_a_private_address_is_reached_for_another_site(
    odd: Proxy, reached: list[str], page: str
) -> None:
    for spelling in SPELLINGS:
        for face in FACES:
            written = quote(spelling, safe="[]:.%@") if "url=" not in face else spelling
            url = quote(f"http://{spelling}:8081/x") if "url=" in face else f"{written}:8081"
            answer = await response_to(odd, face.format(url), *PAGES[page])
            assert answer.status in (400, 403, 502), (spelling, face, answer)
    assert set(reached) <= {PUBLIC}
    assert reached, "the name that changes its answer was public at times"


async def test_the_person_at_this_computer_reaches_them(odd: Proxy, reached: list[str]) -> None:
    fields = ("Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
    for target in ("/http://127.0.0.1:8081/", "/-/api/extract?url=http://127.0.0.1:8081/"):
        assert (await response_to(odd, target, *fields)).status == 502
    assert reached == ["127.0.0.1", "127.0.0.1"]


class Hosts(Resolver):
    """Public names of origins on this computer, and the name of one that only it may reach."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", self.port))]


@pytest.fixture
async def led(origin: Origin, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Proxy]:
    """A proxy for which ``site.example`` is public; ``public_only`` here goes by names alone."""

    def public(address: str, port: int) -> bool:
        return False

    for module in (
        "winnow.proxy.access.private_addresses",
        "winnow.proxy.app.client_reach",
    ):
        monkeypatch.setattr(f"{module}.public_only", public)
    async with proxying(connector=Connector(Hosts(origin.port), timeout=60)) as proxy:
        names = frozenset({"site.example"})  # it leads to this computer, as all do here
        proxy.policy = replace(proxy.policy, private_names=lambda _owner: names)
        yield proxy


async def test_a_fetched_page_leads_the_api_nowhere_private(led: Proxy, origin: Origin) -> None:
    origin.replies["/a"] = reply(b"", "Location: http://router.lan/b", status="302 Found")
    origin.replies["/same"] = reply(b"", "Location: /c", status="302 Found")
    origin.replies["/c"] = html(b"<p>C")
    script = b"GET /-/api/extract?url=http://site.example%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    assert (await ask(led.port, script % b"/same")).status == 200
    count = len(origin.requests)
    assert (await ask(led.port, script % b"/a")).status == 403
    assert len(origin.requests) == count + 1


async def test_a_page_in_the_gateway_redirects_a_typed_address_nowhere_private(
    led: Proxy, origin: Origin
) -> None:
    origin.replies["/a"] = reply(b"", "Location: http://router.lan/b", status="302 Found")
    origin.replies["/secure"] = reply(b"", "Location: https://site.example/", status="301 Moved")
    typed = "Sec-Fetch-Site: none"
    answer = await response_to(led, "/http://site.example/a", typed)
    assert answer.field("location").endswith("/http://router.lan/b")
    cookie = answer.field("set-cookie").partition(";")[0]
    assert cookie == "winnow-redirected=http://router.lan"
    assert "HttpOnly; SameSite=Lax" in answer.field("set-cookie")
    count = len(origin.requests)
    refused = await response_to(led, "/http://router.lan/b", typed, f"Cookie: {cookie}")
    assert (refused.status, refused.field("winnow-reason")) == (403, "address-refused")
    assert len(origin.requests) == count
    assert (await response_to(led, "/http://router.lan/b", typed)).status == 404
    assert not (await response_to(led, "/http://site.example/secure", typed)).field("set-cookie")


async def test_an_address_entered_on_our_front_page_is_opened(led: Proxy, origin: Origin) -> None:
    """On plain HTTP, where browsers send no Fetch Metadata."""
    origin.replies["/x"] = html(b"<p>X")
    front = await response_to(led, "/")
    token = front.body.partition(b'name="token" value="')[2].partition(b'"')[0].decode()
    url = "http://router.lan/x"
    bare = await response_to(led, f"/-/read?url={url}")
    assert not bare.field("set-cookie")
    assert (await response_to(led, f"/{url}")).status == 403
    entered = await response_to(led, f"/-/read?url={url}&token={token}")
    assert entered.field("location") == f"/{url}"
    cookie = entered.field("set-cookie").partition(";")[0]
    assert (await response_to(led, f"/{url}", f"Cookie: {cookie}")).status == 200
    other = await response_to(led, "/http://other.example/x", f"Cookie: {cookie}")
    assert other.status == 403
    inside = f"Referer: http://127.0.0.1:{led.port}/{url}"
    assert (await response_to(led, f"/{url}", inside)).status == 200
    assert BROWSER.startswith("User-Agent: Mozilla")


_HOME = "192.168.1.7"


@pytest.mark.parametrize(("name", "usable_ones"), [("wiki.acme", (_HOME,)), ("wiki.acme.com", ())])
def test_a_name_that_nobody_could_register_is_what_a_person_typed(
    name: str, usable_ones: tuple[str, ...]
) -> None:
    permit = ClientPermit(asks=True)
    assert usable(name, (_HOME,), 80, permit) == usable_ones
    # The list of suffixes may be an old one: a page that came from outside stays there.
    assert usable(name, (_HOME,), 80, permit, was_public=True) == ()
    assert usable(name, (_HOME, "93.184.215.14"), 80, permit) == ("93.184.215.14",)
