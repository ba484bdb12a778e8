"""Pages of a corpus teach each other: lessons, memories, and the rows of the second pass."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.extractors.layout.pages import WIDGET, document
from tests.features.batch.test_rows import NoClock
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe, SiteKnowledge
from winnow.extractors.layout.layout_learner import LEARNER
from winnow.extractors.registry import make
from winnow.extractors.site_learners import pack
from winnow.features.batch.page_locations import page_locations
from winnow.features.batch.plan import Chunk, ChunkRows
from winnow.features.batch.rows import BY_SITE, BatchJob, ChunkTask, rows, sites_of
from winnow.features.batch.site_lessons import (
    KEY,
    PageLesson,
    as_lines,
    from_lines,
    memories_of,
    site_at,
)

SITE = "https://shop.example"


def lesson(number: int) -> bytes:
    return pack({"layout": LEARNER.observe(document(number), make("auto"), KEY, 0)})


@pytest.mark.parametrize(
    ("url", "site"),
    [("https://www.shop.example/a", SITE), (None, ""), ("http://[", ""), ("no address", "")],
)
def test_the_site_of_an_address(url: str | None, site: str) -> None:
    assert site_at(url) == site


def test_lessons_are_lines() -> None:
    lessons = [PageLesson("a.example", b"\0\n"), PageLesson("b.example", b"")]
    assert list(from_lines(as_lines(lessons))) == lessons


def test_a_memory_counts_from_more_pages_than_wanted(tmp_path: Path) -> None:
    parts = [tmp_path / "1", tmp_path / "2"]
    few = [PageLesson("few.example", lesson(number)) for number in range(8)]
    parts[0].write_bytes(as_lines([PageLesson(SITE, lesson(number)) for number in range(5)]))
    parts[1].write_bytes(as_lines([*(PageLesson(SITE, lesson(n)) for n in range(5, 9)), *few]))
    with memories_of(parts, tmp_path / "sites", 8) as sites:
        known = sites.knowledge({SITE, "few.example", "unknown.example"})
    with memories_of(parts[::-1], tmp_path / "sites", 8) as sites:
        assert sites.knowledge({SITE}) == known
    assert known.keys() == {SITE}
    assert (known[SITE].key, known[SITE].pages, known[SITE].learn) == (KEY, 8, False)


def both_passes(folder: Path, number: int) -> tuple[ChunkRows, ChunkRows]:
    """The chunk of a folder with so many pages of a site, and a page of it that was fetched."""
    for page in range(number):
        (folder / f"{page:02}.html").write_text(document(page).markup)
        (folder / f"{page:02}.json").write_text(json.dumps({"url": f"{SITE}/{page}"}))
    chunk = Chunk(1, tuple(page_locations([str(folder), f"{SITE}/fetched"])))
    files = replace(chunk, locations=chunk.locations[:-1])
    teaching = SiteKnowledge(key=KEY, pages=8, learn=True)
    job = BatchJob(Recipe("auto", Format.TEXT, knowledge=teaching), Settings())
    first = rows(ChunkTask(files), job, {}, NoClock())
    fetched = json.loads(first.rows.splitlines()[0])
    whole = ChunkRows(first.rows + json.dumps(fetched).encode() + b"\n", first.lessons)
    part = folder / "lessons"
    part.write_bytes(first.lessons)
    with memories_of([part], folder / "sites", 8) as sites:
        known = sites.knowledge(sites_of(whole.rows))
    again = ChunkTask(chunk, whole.rows, known)
    return whole, rows(again, job, {}, NoClock()) if known else whole


def parsed(found: ChunkRows) -> list[dict[str, Any]]:
    return [json.loads(line) for line in found.rows.splitlines()]


def test_what_is_the_same_on_all_pages_goes_in_the_second_pass(tmp_path: Path) -> None:
    first, again = both_passes(tmp_path, 10)
    assert [site for site, _ in from_lines(first.lessons)] == [SITE] * 10
    assert all(WIDGET in row["text"] for row in parsed(first))
    *files, fetched = parsed(again)
    assert not any(WIDGET in row["text"] for row in files)
    assert [row["url"] for row in files] == [f"{SITE}/{page}" for page in range(10)]
    assert {row["fingerprint"] for row in files} == {fetched["fingerprint"] + BY_SITE}
    assert fetched == parsed(first)[-1]  # it would have to be fetched again


def test_of_a_site_with_few_pages_the_first_rows_stay(tmp_path: Path) -> None:
    first, again = both_passes(tmp_path, 4)
    assert again.rows == first.rows
