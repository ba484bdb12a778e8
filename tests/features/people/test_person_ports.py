"""A port or a name for each person of a computer: two browsers have choices of their own."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Page

from benchmarks.free_ports import free_port
from tests.browser.browsers import chromium
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, ask, html, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.errors import ConfigError
from winnow.config.sources.source_precedence import load
from winnow.feature_contract import checks
from winnow.feature_list import sections_of
from winnow.features.people import FEATURE
from winnow.features.people.person_ports import people
from winnow.proxy.access.admission import OPEN_GATE, NotAdmittedError, admit
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers

CHECKS = list(checks(FEATURE))
SITE = "http://site.example/story"
GROUND = "getComputedStyle(document.documentElement).backgroundColor"
LIGHT, SEPIA = "rgb(253, 252, 250)", "rgb(246, 236, 217)"


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


@asynccontextmanager
async def household(folder: Path) -> AsyncIterator[Mapping[str, int]]:
    """The ports of anna, of ben, of who says a name ("?"), and of everybody else ("")."""
    anna, ben, asking = free_port(), free_port(), free_port()
    here = {
        "WINNOW_FEATURES__ENABLED": "people",
        "WINNOW_PEOPLE__PORTS": f"anna={anna},ben={ben}",
        "WINNOW_PEOPLE__NAMES_PORT": str(asking),
        "WINNOW_PEOPLE__NAMES": "anna,cleo",
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    found = load(environment=here, of_features=sections_of).settings
    settings = open_names(replace(found, server=replace(found.server, port=0)))
    async with serving(Origin()) as origin:
        origin.replies["/story"] = html(PAGE.encode())
        names = NamedOrigins({("site.example", 80): origin.port})
        async with running(settings, names) as proxy:
            yield {"anna": anna, "ben": ben, "?": asking, "": proxy.port}


async def test_two_browsers_have_their_own_colours(tmp_path: Path) -> None:
    """Anna keeps sepia; Ben, at the same computer, reads on in what the device has."""
    async with (
        household(tmp_path) as ports,
        chromium(f"http://127.0.0.1:{ports['anna']}") as annas,
        chromium(f"http://127.0.0.1:{ports['ben']}") as bens,
    ):
        await _differ(await annas.new_page(), await bens.new_page())


async def _differ(anna: Page, ben: Page) -> None:
    await anna.goto(SITE)
    await anna.click("#winnow-bar summary[title='Text and colours']")
    await anna.get_by_label("Colours").select_option("Sepia")
    async with anna.expect_navigation():
        await anna.click("button:has-text('Keep for all pages')")
    await ben.goto(SITE)
    assert await anna.evaluate(GROUND) == SEPIA
    assert await ben.evaluate(GROUND) == LIGHT
    await anna.goto("http://winnow.internal/-/settings")
    assert "They are those of anna" in await anna.inner_text("main")


async def test_two_browsers_that_say_two_names_have_their_own_colours(tmp_path: Path) -> None:
    async with household(tmp_path) as ports, chromium() as browser:
        door = f"http://127.0.0.1:{ports['?']}"
        anna, cleo = [
            await browser.new_page(proxy={"server": door, "username": name, "password": ""})
            for name in ("anna", "cleo")
        ]
        await _differ(anna, cleo)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("", 407),
        ("Proxy-Authorization: Basic " + b64encode(b"nobody:").decode() + "\r\n", 407),
        ("Proxy-Authorization: Basic " + b64encode(b"cleo:x").decode() + "\r\n", 200),
    ],
)
async def test_who_says_no_name_is_asked_for_one(tmp_path: Path, said: str, status: int) -> None:
    async with household(tmp_path) as ports:
        head = f"GET {SITE} HTTP/1.1\r\nHost: site.example\r\n{said}\r\n"
        assert (await ask(ports["?"], head.encode())).status == status


async def test_no_page_of_a_rebound_name_says_a_name_by_script(tmp_path: Path) -> None:
    async with household(tmp_path) as ports:
        said = b64encode(b"anna:").decode()
        head = f"GET /-/settings HTTP/1.1\r\nHost: HERE\r\nAuthorization: Basic {said}\r\n\r\n"
        own = head.replace("HERE", f"127.0.0.1:{ports['?']}")
        assert b"They are those of anna" in (await ask(ports["?"], own.encode())).body
        strange = await ask(ports["?"], head.replace("HERE", "rebound.example").encode())
        assert strange.status == 421
    fields = (("Host", "rebound.example"), ("Authorization", f"Basic {said}"))
    asked = RequestHead("GET", "/-/settings", Headers(fields), names=frozenset({"anna"}))
    assert not (await admit(OPEN_GATE, asked)).user


async def test_who_has_a_password_says_it_with_the_name() -> None:
    secret = await asyncio.to_thread(hash_password, "right")
    gate = Authenticator({"anna": secret}, ())
    for said, user in (("anna:", ""), ("anna:right", "anna"), ("ben:", "ben"), ("cleo:", "")):
        words = f"Basic {b64encode(said.encode()).decode()}"
        head = RequestHead("GET", SITE, Headers((("Proxy-Authorization", words),)))
        with nullcontext() if user else pytest.raises(NotAdmittedError):
            proof = await admit(gate, replace(head, names=frozenset({"anna", "ben"})))
            assert proof.user == user


async def test_each_port_has_its_configuration_and_the_others_are_one_household(
    tmp_path: Path,
) -> None:
    async with household(tmp_path) as ports:
        for port in ports.values():  # without a name too: a browser asks for it before it says one
            head = f"GET /-/proxy.pac HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            pac = (await ask(port, head.encode())).body.decode()
            assert f"PROXY 127.0.0.1:{port}" in pac
        head = f"GET /-/settings HTTP/1.1\r\nHost: 127.0.0.1:{ports['']}\r\n\r\n"
        shown = (await ask(ports[""], head.encode())).body.decode()
        assert "Everybody at this computer has them in common" in shown


@pytest.mark.parametrize(
    "lines",
    [
        ("anna",),
        ("anna=0",),
        ("anna=70000",),
        ("a=1=2",),
        ("a:b=1",),
        ("a=1", "a=2"),
        ("a=1", "b=1"),
    ],
)
def test_what_names_no_person_is_refused(lines: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match=r"people\.ports"):
        people(lines, ())


def test_who_has_a_password_has_no_port_without() -> None:
    with pytest.raises(ConfigError, match="password"):
        people(("anna=8091",), ("anna:scrypt$x",))
    assert people(("anna=8091", "ben=8092"), ("carl:x",)) == {"anna": 8091, "ben": 8092}
