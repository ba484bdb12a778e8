"""The report of a measurement, opened as a file in a real browser."""

from __future__ import annotations

from pathlib import Path

from tests.browser.browsers import SCREENSHOTS, chromium
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.measures import Texts, measured
from winnow.evaluation.reporting.page import write
from winnow.evaluation.running.runs import ResultRow

GOLD = "The dog 🐕 barked at the moon, all night long."
ANSWERS = {
    ("story", "bte"): "Home News The dog 🐕 barked at the moon.",
    ("story", "dsc"): GOLD,
    ("shop", "bte"): "",
    ("shop", "dsc"): "<img src=x onerror=document.title='RUN'>",
}


def report(folder: Path) -> str:
    names = ("characters", "sequence", "set")
    rows = [
        ResultRow(
            "small", page, "", subject, measured(Texts(text, GOLD), names), 9, 0.01, 0.002, "", text
        )
        for (page, subject), text in ANSWERS.items()
    ]
    write(
        folder / "report.html",
        rows,
        [("small", PackageEntry(p, b"", GOLD, {})) for p in ("story", "shop")],
    )
    return (folder / "report.html").as_uri()


async def test_a_page_s_row_leads_to_gold_and_output_side_by_side(tmp_path: Path) -> None:
    async with chromium() as browser:
        tab = await browser.new_page()
        failures: list[str] = []
        tab.on("pageerror", lambda error: failures.append(str(error)))
        await tab.goto(report(tmp_path))
        await tab.get_by_role("button", name="story").press("Enter")
        missed = tab.locator("#gold del")
        assert await missed.all_text_contents() == ["all night long"]
        assert await tab.locator("#output ins").all_text_contents() == ["Home News"]
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / "report-view.png")
        await tab.get_by_label("Subject").select_option("dsc")
        assert await tab.locator("#output").inner_text() == GOLD
        await tab.get_by_role("button", name="Next").click()
        await tab.wait_for_function("document.querySelector('#output').textContent.includes('img')")
        assert await tab.title() == "Content extraction, measured"
        await tab.keyboard.press("Escape")
        assert not await tab.locator("dialog").is_visible()
        await tab.screenshot(path=SCREENSHOTS / "report.png", full_page=True)
        assert failures == []


async def test_pages_are_sorted_and_filtered(tmp_path: Path) -> None:
    async with chromium() as browser:
        tab = await browser.new_page()
        await tab.goto(report(tmp_path))
        names = tab.locator("#pages tbody tr:visible th")
        assert await names.all_text_contents() == ["story", "shop"]
        await tab.get_by_role("button", name="bte").click()
        assert await names.all_text_contents() == ["shop", "story"]
        await tab.get_by_label("Page", exact=True).fill("sto")
        assert await names.all_text_contents() == ["story"]
