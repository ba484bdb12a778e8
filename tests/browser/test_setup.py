"""A new user follows the set-up page word for word in Chromium, and it ends in a green check."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Frame, Locator, Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.programs import require_program
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.proxy.own.languages import Language

YES = re.compile(r"✓ Yes, (HTTPS?) goes through Winnow\.")
NO = re.compile(r"No: [^.]*\.")


def settings(folder: Path) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
        storage=replace(plain.storage, folder=folder / "winnow"),
        interception=replace(plain.interception, hosts=("*",)),
    )


async def answers(page: Page) -> list[str]:
    """What the two rows of the live check say to a person, the frames' text included."""
    said = []
    checks = next((frame for frame in page.frames if frame.url.endswith("/checks")), None)
    for row in await (checks or page).locator("table:has(th:text-is('HTTPS')) tr").all():
        frames = [frame for frame in page.frames if frame not in (page.main_frame, checks)]
        inside = [await frame.inner_text("body") for frame in frames if await _within(frame, row)]
        said.append(" ".join([await row.inner_text(), *inside]))
    return said


async def _within(frame: Frame, row: Locator) -> bool:
    element = await frame.frame_element()
    return bool(await row.evaluate("(row, element) => row.contains(element)", element))


async def opened(browser: Browser, address: str, picture: str) -> list[str]:
    page = await browser.new_page()
    await page.goto(f"{address}/-/setup", wait_until="load")
    said = await answers(page)
    for frame in page.frames:
        if "/-/check" in frame.url:
            beyond = "document.documentElement.scrollHeight - innerHeight"
            assert await frame.evaluate(beyond) <= 0, frame.url
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / f"setup-{picture}.png")
    await page.close()
    return said


async def next_step(browser: Browser, address: str) -> str:
    """What the start page says below *Read everywhere*, by the frame that answers, if any."""
    page = await browser.new_page()
    await page.goto(f"{address}/", wait_until="networkidle")
    place = page.locator("h2:has-text('Read everywhere') + *")
    said = await place.inner_text()
    for frame in page.frames:
        if "next=1" in frame.url:
            said = await frame.inner_text("main")
            assert await frame.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    await page.close()
    return " ".join(said.split())


async def saved_certificate(browser: Browser, address: str, folder: Path) -> None:
    """Click the page's link to the certificate and keep the file under the name it suggests."""
    page = await browser.new_page()
    await page.goto(f"{address}/-/setup")
    async with page.expect_download() as waiting:
        await page.click("text=Download the certificate")
    download = await waiting.value
    assert download.suggested_filename == "winnow-ca.crt"
    await download.save_as(folder / download.suggested_filename)
    await page.close()


async def commands(browser: Browser, address: str) -> list[str]:
    """The commands that the page gives for Chromium on Linux: to trust, and to undo it."""
    page = await browser.new_page()
    await page.goto(f"{address}/-/setup")
    guides = page.locator("details", has_text="chromium --proxy-pac-url").first
    proxied = await guides.inner_text() if await guides.count() else ""
    said = "\n".join(await page.locator("details pre.command").all_text_contents())
    await page.close()
    assert f"chromium --proxy-pac-url={address}/-/proxy.pac" in said + proxied
    make = re.search(r"\[ -e .* && certutil .*?--empty-password\)", said)
    trust = re.search(r"certutil -d \S+ -A .*? -i winnow-ca\.crt", said)
    undo = re.search(r"certutil -d \S+ -D -n Winnow", said)
    assert make
    assert trust
    assert undo
    return [make[0], trust[0], undo[0]]


async def run(command: str, home: Path) -> None:
    """What the user types in a terminal."""
    environment = {"HOME": str(home), "PATH": str(require_program("certutil").parent) + ":/bin"}
    process = await asyncio.create_subprocess_shell(command, cwd=home, env=environment)
    assert await process.wait() == 0


async def test_a_new_user_ends_in_a_green_check(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    async with running(settings(tmp_path)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        async with chromium(home=home) as browser:
            before = await opened(browser, address, "before")
            assert (await next_step(browser, address)).startswith("Set 127.0.0.1:")
            make, trust, undo = await commands(browser, address)
            await saved_certificate(browser, address, home)
        assert [bool(NO.search(answer)) for answer in before] == [True, True]
        flag = f"--proxy-pac-url={address}/-/proxy.pac"
        async with chromium(arguments=[flag], home=home) as browser:
            proxied = await opened(browser, address, "proxied")
            assert "Next step: Trust Winnow’s certificate" in await next_step(browser, address)
        assert YES.search(proxied[0])
        assert NO.search(proxied[1])
        await run(make, home)
        await run(trust, home)
        async with chromium(arguments=[flag], home=home) as browser:
            done = await opened(browser, address, "done")
            inside = await opened(browser, "https://winnow.internal", "inside")
            for each in (address, "https://winnow.internal"):
                read = "✓ This browser reads HTTP and HTTPS pages through Winnow."
                assert read in await next_step(browser, each)
        assert [bool(YES.search(answer)) for answer in done] == [True, True]
        assert [bool(YES.search(answer)) for answer in inside] == [True, True]
        await run(undo, home)
        async with chromium(arguments=[flag], home=home) as browser:
            undone = await opened(browser, address, "undone")
        assert NO.search(undone[1])


@pytest.mark.parametrize("secure", [True, False])
async def test_a_button_copies_a_command(tmp_path: Path, *, secure: bool) -> None:
    """``navigator.clipboard`` is missing on pages by plain HTTP under a name."""
    async with running(settings(tmp_path)) as proxy, chromium() as browser:
        context = await browser.new_context(viewport={"width": 360, "height": 800})
        await context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = await context.new_page()
        if not secure:
            await page.add_init_script(
                "const reads = navigator.clipboard;"
                "window.pasted = () => reads.readText();"
                "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
            )
        await page.goto(f"http://127.0.0.1:{proxy.port}/-/setup#trust")
        guide = page.locator("#trust ~ details", has_text="nssdb").first
        assert await guide.evaluate("fold => fold.open"), "it is that of this browser"
        command = guide.locator("pre.command").first
        await guide.get_by_role("button", name="Copy").first.click()
        await guide.get_by_text("Copied.").wait_for()
        pasted = await page.evaluate(
            "window.pasted ? window.pasted() : navigator.clipboard.readText()"
        )
        assert pasted == await command.text_content()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await guide.screenshot(path=SCREENSHOTS / "setup-command.png")
        still = await (await browser.new_context(java_script_enabled=False)).new_page()
        await still.goto(f"http://127.0.0.1:{proxy.port}/-/setup")
        assert not await still.get_by_role("button", name="Copy").count()


@pytest.mark.parametrize("width", [1280, 360])
async def test_the_live_check_takes_the_room_of_its_words_in_every_language(
    tmp_path: Path, width: int
) -> None:
    async with running(settings(tmp_path)) as proxy, chromium() as browser:
        for language in Language:
            context = await browser.new_context(
                viewport={"width": width, "height": 800}, locale=language.value
            )
            page = await context.new_page()
            await page.goto(f"http://127.0.0.1:{proxy.port}/-/setup", wait_until="load")
            checks = next(frame for frame in page.frames if frame.url.endswith("/checks"))
            below, beyond = await checks.evaluate(
                "[innerHeight - document.querySelector('.quiet').getBoundingClientRect().bottom,"
                " document.documentElement.scrollHeight - innerHeight]"
            )
            assert beyond <= 0, language
            assert 0 <= below < 30, language
            await context.close()
