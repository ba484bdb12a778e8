"""mss-site learns a site while it is read: from the settings to what the reader sees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.engine.fingerprints import fingerprint
from tests.extractors.mss.pages import news
from tests.extractors.mss.test_mss_learner import LETTERS, LINKS, PAGES
from winnow.compose.stores import (
    learning_of,
)
from winnow.config.settings import Settings
from winnow.document.values import Format, Page, Recipe, Rendered
from winnow.engine.pipeline import transform
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.learning.service import LearningService, LearningTransform

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
    learning = replace(plain.learning, words=words, pages=PAGES)
    return replace(plain, learning=learning, storage=replace(plain.storage, folder=folder))


async def read(through: Transform, learning: LearningService, path: str, html: str) -> str:
    recipe = Recipe("mss-site", Format.TEXT, knowledge=learning.knowledge(HOST))
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
    assert learning.knowledge(HOST).memory
    await learning.aclose()
