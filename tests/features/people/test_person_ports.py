"""A port for each person of a computer: two browsers there have choices of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

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

CHECKS = list(checks(FEATURE))
SITE = "http://site.example/story"
GROUND = "getComputedStyle(document.documentElement).backgroundColor"
LIGHT, SEPIA = "rgb(253, 252, 250)", "rgb(246, 236, 217)"


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


@asynccontextmanager
async def household(folder: Path) -> AsyncIterator[Mapping[str, int]]:
    """The ports of anna, of ben, and of everybody else ("")."""
    anna, ben = free_port(), free_port()
    here = {
        "WINNOW_FEATURES__ENABLED": "people",
        "WINNOW_PEOPLE__PORTS": f"anna={anna},ben={ben}",
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    found = load(environment=here, of_features=sections_of).settings
    settings = open_names(replace(found, server=replace(found.server, port=0)))
    async with serving(Origin()) as origin:
        origin.replies["/story"] = html(PAGE.encode())
        names = NamedOrigins({("site.example", 80): origin.port})
        async with running(settings, names) as proxy:
            yield {"anna": anna, "ben": ben, "": proxy.port}


async def test_two_browsers_have_their_own_colours(tmp_path: Path) -> None:
    """Anna keeps sepia; Ben, at the same computer, reads on in what the device has."""
    async with (
        household(tmp_path) as ports,
        chromium(f"http://127.0.0.1:{ports['anna']}") as annas,
        chromium(f"http://127.0.0.1:{ports['ben']}") as bens,
    ):
        anna, ben = await annas.new_page(), await bens.new_page()
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


async def test_each_port_has_its_configuration_and_the_others_are_one_household(
    tmp_path: Path,
) -> None:
    async with household(tmp_path) as ports:
        for port in ports.values():
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
