"""A phone that scans the code beside a new password is let in without typing, once."""

from __future__ import annotations

import plistlib
import re
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.features.setup.test_https_switching import BARE
from tests.features.setup.test_network_switching import DEVICE, asked, here
from tests.winnow.compose.test_own_pages import post
from tests.winnow.compose.test_settings_editing import edited
from winnow.compose.running import Running
from winnow.features.setup.devices.apple_profile import SignedProxy, apple_profile
from winnow.features.setup.devices.device_offers import SECONDS, DeviceOffers
from winnow.features.setup.devices.network_switch import NETWORK


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_offer_is_taken_once_and_not_late_nor_after_the_next() -> None:
    clock = Clock()
    offers = DeviceOffers(clock)
    first = offers.offer("devices", "abcd")
    second = offers.offer("devices", "efgh")
    assert offers.take(first) == ""
    assert offers.take(second) == "ZGV2aWNlczplZmdo"
    assert offers.take(second) == ""
    late = offers.offer("devices", "abcd")
    clock.now += SECONDS
    assert offers.take(late) == ""
    assert offers.take("") == ""


async def let_in(proxy: Running, printed: pytest.CaptureFixture[str]) -> None:
    """Make a password."""
    here(proxy)
    code, form = await asked(proxy, printed)
    done = await post(proxy, NETWORK, {**form, "code": code})
    assert done.status == 200
    assert "Android" in done.body.decode()


async def test_a_phone_is_let_in_by_a_button_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    draw = "winnow.features.setup.devices.network_switch.qr_code"

    def drawing(text: str, _label: str) -> str:
        drawn.append(text)
        return ""

    monkeypatch.setattr(draw, drawing)
    async with edited(tmp_path, BARE) as (proxy, _), chromium() as browser:
        await let_in(proxy, capsys)
        (address,) = drawn
        assert re.fullmatch(rf"http://{DEVICE}:{proxy.port}/-/pair#[\w-]{{16}}", address)
        screen = await browser.new_context(viewport={"width": 360, "height": 640})
        phone = await screen.new_page()
        await phone.goto(address)
        assert "#" not in phone.url, "the token stands in no history"
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await phone.screenshot(path=SCREENSHOTS / "pair-360.png")
        await pressed(phone)
        assert await phone.title() == "This device is let in – Winnow"
        await phone.screenshot(path=SCREENSHOTS / "paired-360.png")
        (cookie,) = [each for each in await screen.cookies() if each["name"] == "winnow-device"]
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Lax"
        other = await (await browser.new_context()).new_page()
        await other.goto(address)
        await pressed(other)
        assert "used already" in await other.inner_text("main")


async def pressed(page: Page) -> None:
    async with page.expect_navigation():
        await page.get_by_role("button").click()


def test_a_profile_holds_the_password_where_the_device_has_one() -> None:
    pem = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    signed = SignedProxy("192.168.1.2", 8080, "devices", "abcd-efgh")
    made = plistlib.loads(apple_profile(pem, "Winnow", "Home", "http://x/-/proxy.pac", signed))
    wifi = made["PayloadContent"][1]
    assert (wifi["ProxyType"], wifi["ProxyServer"], wifi["ProxyServerPort"]) == (
        *("Manual", "192.168.1.2"),
        8080,
    )
    assert (wifi["ProxyUsername"], wifi["ProxyPassword"]) == ("devices", "abcd-efgh")
    assert "ProxyPACURL" not in wifi
