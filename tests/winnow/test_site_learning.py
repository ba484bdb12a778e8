"""mss-site learns a site while it is read: from the settings to what the reader sees."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine.fingerprints import fingerprint
from tests.extractors.mss.pages import news
from tests.extractors.mss.test_mss_learner import LETTERS, LINKS, PAGES
from winnow.cli import main
from winnow.commands.site_knowledge import site_knowledge
from winnow.compose.stores import learning_of
from winnow.config.settings import Settings
from winnow.document.values import NO_KNOWLEDGE, Format, Page, Recipe, Rendered
from winnow.engine.pipeline import transform
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.request_target import Origin
from winnow.proxy.learning.service import LearningService
from winnow.proxy.learning.teaching import LearningTransform

HOST = "news.example"


class Here:
    """The pipeline in this process; keeps the rows that pass by."""

    def __init__(self) -> None:
        self.rows: list[bytes] = []

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        rendered = transform(page, recipe)
        self.rows.append(rendered.row)
        return rendered

    async def fingerprint(self, recipe: Recipe) -> str:
        return fingerprint(recipe)

    async def aclose(self) -> None:
        pass


def settings(folder: Path, words: bool) -> Settings:
    plain = Settings()
    learning = replace(plain.learning, words=words, pages=PAGES, on_disk=True)
    return replace(plain, learning=learning, storage=replace(plain.storage, folder=folder))


async def read(through: Transform, learning: LearningService, path: str, html: str) -> str:
    recipe = Recipe(
        "mss-site", Format.TEXT, knowledge=learning.knowledge(Origin("https", HOST, 443))
    )
    shown = await through(Page(html.encode(), f"https://www.{HOST}/{path}"), recipe)
    await learning.settled()
    return shown.body.decode()


async def last_of_many(folder: Path, words: bool) -> tuple[str, list[bytes]]:
    """What is shown of a page on which the letters look like the story's end."""
    here, learning = Here(), await learning_of(settings(folder, words))
    assert learning is not None
    through = LearningTransform(here, learning)
    for seed in range(PAGES):
        shown = await read(through, learning, str(seed), news(seed, behind=LINKS + LETTERS))
        assert "so it ended" in shown
    shown = await read(through, learning, "last", news(6, behind=LETTERS))
    await learning.aclose()
    return shown, here.rows


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_the_site_is_known_after_some_pages(tmp_path: Path) -> None:
    shown, _ = await last_of_many(tmp_path, words=True)
    assert "so it ended" in shown
    assert "Readers of the paper" not in shown


async def test_without_consent_nothing_is_learned(tmp_path: Path) -> None:
    shown, rows = await last_of_many(tmp_path, words=False)
    assert "Readers of the paper" in shown
    assert not any(rows)


async def test_no_row_reaches_the_disk_and_what_was_taught_outlives_the_process(
    tmp_path: Path,
) -> None:
    _, rows = await last_of_many(tmp_path, words=True)
    kept = on_disk(tmp_path)
    hashes = [row[len(row) // 2 : len(row) // 2 + 16] for row in rows]
    assert all(hashes)
    assert not any(part in kept for part in hashes)
    learning = await learning_of(settings(tmp_path, words=False))
    assert learning is not None
    assert learning.knowledge(Origin("https", HOST, 443)).memory
    await learning.aclose()


async def test_the_command_reads_a_page_as_the_proxy_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shown, _ = await last_of_many(tmp_path / "data", words=True)
    page = tmp_path / "last.html"
    page.write_text(news(6, behind=LETTERS))
    monkeypatch.setenv("WINNOW_STORAGE__FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("WINNOW_LEARNING__PAGES", str(PAGES))
    monkeypatch.setenv("WINNOW_LEARNING__ON_DISK", "true")
    command = ["extract", str(page), "--extractor", "mss-site"]
    there, elsewhere = ["--url", f"https://www.{HOST}/last"], ["--url", "https://other.example/x"]

    async def extracted(*more: str) -> str:
        assert await asyncio.to_thread(main, [*command, *more]) == 0
        return capfd.readouterr().out

    assert await extracted(*there) == shown
    for more in ([], elsewhere, [*there, "--untaught"]):
        assert "Readers of the paper" in await extracted(*more)
    monkeypatch.setenv("WINNOW_LEARNING__PAGES", str(PAGES + 5))
    assert "Readers of the paper" in await extracted(*there)


async def test_a_command_makes_no_files_where_nothing_was_learned(tmp_path: Path) -> None:
    found = await asyncio.to_thread(site_knowledge, f"https://{HOST}/", settings(tmp_path, True))
    assert found == NO_KNOWLEDGE
    assert on_disk(tmp_path) == b""


@pytest.mark.parametrize("on_disk", [False, True])
async def test_by_default_nothing_that_was_learned_is_on_disk(
    tmp_path: Path, on_disk: bool
) -> None:
    plain = Settings()
    assert not plain.learning.on_disk
    learned = replace(plain.learning, on_disk=on_disk)
    storage = replace(plain.storage, folder=tmp_path)
    learning = await learning_of(replace(plain, learning=learned, storage=storage))
    assert learning is not None
    learning.taught(f"https://{HOST}", b"")
    await learning.settled()
    assert list(learning.memories()) == [f"https://{HOST}"]
    await learning.aclose()
    found = await asyncio.to_thread(lambda: [each.name for each in tmp_path.iterdir()])
    assert bool(found) is on_disk
