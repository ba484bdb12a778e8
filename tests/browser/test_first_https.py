"""From a running Winnow to the first HTTPS article in Chromium, in few steps; and all undone."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme
from playwright.async_api import Page

from benchmarks.free_ports import free_port
from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.sites import SENTENCES, SITES
from tests.browser.test_accessibility import violations
from tests.browser.test_https_sites import HOSTS, web_server
from tests.browser.test_setup import YES, answers
from tests.browser.trust import trusting_home
from tests.programs import require_program
from tests.proxy.names import NamedOrigins
from tests.sweeps import rest_in_release
from winnow.compose.process.shares import SharedState
from winnow.compose.running import listening
from winnow.config.sources.settings_source import SettingsSource

ARTICLE = next(site for site in SITES if site.article)
FILE = """\
[server]
port = {port}

[extraction]
processes = 1
deadline = 60.0
extractor = "bte"

[access]
private_names = ["example", "test"]

[upstream]
ca_bundle = "{folder}/sites.pem"

[storage]
folder = "{folder}/data"
"""


@dataclass
class Steps:
    """What a person did, in order."""

    clicks: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.clicks) + len(self.commands)


async def typed(command: str, home: Path, file: Path) -> None:
    """A command in the user's terminal; ``chromium`` there records how it was started."""
    programs = home / "bin"
    programs.mkdir(exist_ok=True)
    started = programs / "chromium"
    started.write_text(
        f'#!/bin/sh\necho "$1" > {home}/started.new; mv {home}/started.new {home}/started\n'
    )
    started.chmod(0o755)
    path = f"{programs}:{require_program('certutil').parent}:/bin"
    environment = {"HOME": str(home), "PATH": path, "WINNOW_CONFIG": str(file)}
    words = command.split()[1:]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "winnow", *words, env={**os.environ, **environment}
    )
    assert await process.wait() in (0, 1)


async def switched_on(page: Page, steps: Steps) -> None:
    await page.get_by_label("I have read this").check()
    await page.click("text=Read HTTPS pages too >> nth=-1")
    await page.wait_for_url("**/-/setup?done=on#trust")
    steps.clicks.append("tick the consent and switch HTTPS on")


async def undone_at_once(page: Page) -> None:
    """Undo the set-up: message, live check and switch say one thing."""
    await page.click("text=Undo the set-up")
    await page.wait_for_url("**/-/setup?done=undo")
    said = page.get_by_role("status").filter(has_text="Undone: HTTPS is off")
    await said.wait_for()
    off = await answers(page)
    assert "trusts Winnow’s certificate, but HTTPS is off." in off[1]
    assert await page.get_by_role("button", name="Read HTTPS pages too").is_visible()


@pytest.mark.parametrize("scripts", rest_in_release([True, False], [False]))
async def test_four_steps_lead_to_the_first_https_page(tmp_path: Path, *, scripts: bool) -> None:
    steps, authority, port = Steps(), trustme.CA(), free_port()
    (tmp_path / "sites.pem").write_bytes(authority.cert_pem.bytes())
    file = tmp_path / "winnow.toml"
    file.write_text(FILE.format(port=port, folder=tmp_path))
    home = await trusting_home(tmp_path / "home", {"sites": authority.cert_pem.bytes()})
    source = SettingsSource(file)
    loaded, shared = source.load(), SharedState(source=source)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with web_server(authority) as origin:
        names = NamedOrigins({(host, 443): origin for host in HOSTS})
        async with listening(loaded.settings, names, loaded.origins, shared) as proxy:
            await proxy.begin(60)
            async with chromium(home=home) as browser:
                context = await browser.new_context(java_script_enabled=scripts)
                page = await context.new_page()
                page.set_default_timeout(120_000)
                await page.goto(f"http://127.0.0.1:{port}/")
                await page.screenshot(path=SCREENSHOTS / "guide-first.png", full_page=True)
                await switched_on(page, steps)
                await page.screenshot(path=SCREENSHOTS / "guide-second.png", full_page=True)
                said = await page.inner_text("main")
            assert "winnow setup" in said
            await typed("winnow setup --open", home, file)
            steps.commands.append("winnow setup --open")
            flag = (home / "started").read_text().strip()
            async with chromium(arguments=[flag], home=home) as browser:
                page = await (await browser.new_context(java_script_enabled=scripts)).new_page()
                response = await page.goto(ARTICLE.url)
                steps.clicks.append("open the page")
                assert response is not None
                assert response.headers["winnow-action"] == "extracted"
                text = await page.inner_text("body")
                assert all(each in text for each in SENTENCES)
                await page.goto(f"http://127.0.0.1:{port}/-/setup")
                green = await answers(page)
                await page.screenshot(path=SCREENSHOTS / "guide-green.png")
                assert [bool(YES.search(each)) for each in green] == [True, True]
                await undone_at_once(page)
            assert proxy.loaded.settings.interception.hosts == ()
            await typed("winnow setup --undo", home, file)
            async with chromium(arguments=[flag], home=home) as browser:
                page = await browser.new_page()
                await page.goto(f"http://127.0.0.1:{port}/-/setup")
                undone = await answers(page)
    assert not YES.search(undone[1])
    assert len(steps) <= 4
    assert len(steps.commands) <= 1
    assert ARTICLE.url.startswith("https:")


@pytest.mark.parametrize("scheme", rest_in_release(["dark", "light"], ["light"]))
@pytest.mark.parametrize("width", rest_in_release([1280, 360], [360]))
async def test_axe_objects_to_no_page_of_the_guide(tmp_path: Path, width: int, scheme: str) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text(
        f'[server]\nport = 0\n[extraction]\nprocesses = 1\n[storage]\nfolder = "{tmp_path}/d"\n'
    )
    source = SettingsSource(file)
    loaded, shared = source.load(), SharedState(source=source)
    wrong = []
    async with (
        listening(loaded.settings, None, loaded.origins, shared) as proxy,
        chromium() as browser,
    ):
        await proxy.begin(60)
        context = await browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page = await context.new_page()
        page.set_default_timeout(120_000)
        base = f"http://127.0.0.1:{proxy.port}"
        for name in ("first", "on"):
            for path in ("/", "/-/setup"):
                await page.goto(base + path, wait_until="load")
                wrong += [f"{name} {path}: {each}" for each in await violations(page)]
                if await page.evaluate("document.documentElement.scrollWidth") > width:
                    wrong.append(f"{name} {path}: wider than the screen")
                picture = f"guide-{name}-{path.rpartition('/')[2] or 'front'}-{width}-{scheme}.png"
                await page.screenshot(path=SCREENSHOTS / picture, full_page=True)
            if name == "first":
                await page.goto(base)
                await switched_on(page, Steps())
    assert wrong == [], "\n".join(wrong)
