"""Debian's Firefox behind Winnow: the guide to the first HTTPS page, the bar, log-ins, formulas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trustme

from benchmarks.free_ports import free_port
from tests.browser.sites import SENTENCES, SITES
from tests.browser.test_accessibility import reader_page
from tests.browser.test_first_https import ARTICLE, FILE, Steps, typed
from tests.browser.test_https_sites import HOSTS, web_server
from tests.extension.drivers import until
from tests.extension.firefox import Marionette, firefox
from tests.proxy.names import NamedOrigins
from winnow.compose.process.shares import SharedState
from winnow.compose.running import listening
from winnow.config.sources.settings_source import SettingsSource

PROFILE = ".mozilla/firefox/anna.default"
LOGIN = next(site for site in SITES if site.host == "login.example")


class Tab:
    """The browser's tab, by what a person does there."""

    def __init__(self, session: Marionette) -> None:
        self.session = session

    async def open(self, url: str) -> None:
        await self.session("WebDriver:Navigate", url=url)

    async def value(self, expression: str) -> Any:
        return await self.session.run(f"return {expression}")

    async def text(self) -> str:
        return str(await self.value("document.body.innerText"))

    async def click(self, kind: str, value: str) -> None:
        """Click an element as a pointer does: one that is hidden or covered is an error."""
        found = await self.session("WebDriver:FindElement", using=kind, value=value)
        await self.session("WebDriver:ElementClick", id=next(iter(found.values())))


async def switched_on(tab: Tab, port: int) -> None:
    await tab.open(f"http://127.0.0.1:{port}/")
    await tab.click("xpath", "//label[contains(., 'I have read this')]//input")
    await tab.click("xpath", "(//button[contains(., 'Read HTTPS pages too')])[last()]")
    await until(tab.value, "location.pathname === '/-/setup' && document.readyState === 'complete'")


async def keeps_the_bar_s_choice(tab: Tab) -> None:
    """Text in another size at once, by the style sheet alone; then kept by the form."""
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    usual = await tab.value(size)
    await tab.click("xpath", "//*[@id='winnow-bar']//summary[@title='Text and colours']")
    await tab.click("xpath", "//*[@id='winnow-bar']//option[contains(., 'Huge')]")
    assert await tab.value(size) > usual * 1.5
    await tab.value("document.body.dataset.old = 'yes'")
    await tab.click("xpath", "//button[contains(., 'Keep for all pages')]")
    await until(tab.value, "document.readyState === 'complete' && !document.body.dataset.old")
    assert await tab.value(size) > usual * 1.5


async def shows_original_and_back(tab: Tab) -> None:
    await tab.click("xpath", "//*[@id='winnow-bar']//*[contains(., 'Original')][self::a]")
    await until(
        tab.value, "document.readyState === 'complete' && !document.querySelector('#winnow-bar')"
    )
    assert "sport" in await tab.text()
    await tab.click("xpath", "//a[contains(., 'Read')]")
    await until(
        tab.value, "document.readyState === 'complete' && document.querySelector('#winnow-bar')"
    )
    assert "sport" not in await tab.text()


@pytest.mark.release
async def test_firefox_from_the_guide_to_https_pages_the_bar_and_a_log_in(tmp_path: Path) -> None:
    steps, authority, port = Steps(), trustme.CA(), free_port()
    (tmp_path / "sites.pem").write_bytes(authority.cert_pem.bytes())
    file, home = tmp_path / "winnow.toml", tmp_path / "home"
    file.write_text(FILE.format(port=port, folder=tmp_path))
    source = SettingsSource(file)
    loaded, shared = source.load(), SharedState(source=source)
    async with web_server(authority) as origin:
        names = NamedOrigins({(host, 443): origin for host in HOSTS})
        async with listening(loaded.settings, names, loaded.origins, shared) as proxy:
            await proxy.begin(60)
            async with firefox(home, PROFILE) as session:
                await switched_on(Tab(session), port)
                steps.clicks.append("tick the consent and switch HTTPS on")
            await typed("winnow setup", home, file)
            steps.commands.append("winnow setup")
            pac = f"http://127.0.0.1:{port}/-/proxy.pac"
            steps.clicks.append("name the proxy's address in the browser's settings")
            preferences = {"network.proxy.type": 2, "network.proxy.autoconfig_url": pac}
            async with firefox(home, PROFILE, **preferences) as session:
                tab = Tab(session)
                await tab.open(ARTICLE.url)
                steps.clicks.append("open the page")
                text = await tab.text()
                assert all(each in text for each in SENTENCES)
                assert "sport" not in text
                await keeps_the_bar_s_choice(tab)
                await shows_original_and_back(tab)
                await tab.open(LOGIN.url)
                await until(tab.value, "location.pathname === '/inside' && window.result")
                assert await tab.value("window.result") == "Zoë"
                assert not await tab.value("document.querySelector('#winnow-bar')")
    assert len(steps) <= 4
    assert len(steps.commands) == 1


async def test_formulas_are_laid_out_in_firefox(tmp_path: Path) -> None:
    page = tmp_path / "formulas.html"
    page.write_text(reader_page("formulas"))
    async with firefox(tmp_path / "home") as session:
        tab = Tab(session)
        await tab.open(page.as_uri())
        script = (
            "['mi', 'mfrac'].map(name => document.querySelector(`math[display=block] > ${name}`))"
            ".map(each => each.getBoundingClientRect())"
            ".map(box => [box.top, box.bottom, box.width])"
        )
        (top, bottom, _width), (above, below, width) = await tab.value(script)
    assert above < top < bottom < below
    assert width > 0
