"""A disk without room, or a folder that cannot be written, costs one answer and no more."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.settings_form import post_setting, post_site
from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.winnow.test_whole_path import ARTICLE, BROWSER, settings
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.access.requester import LOOPBACK


def here(folder: Path) -> Settings:
    plain = settings()
    return replace(
        plain,
        storage=replace(plain.storage, folder=folder),
        learning=replace(plain.learning, on_disk=True),
        interception=replace(plain.interception, hosts=("opened.example",)),
        cache=replace(plain.cache, disk=1 << 20),
    )


@asynccontextmanager
async def reading(folder: Path) -> AsyncIterator[tuple[Origin, Running]]:
    """An origin with a page, and a proxy with that data folder."""
    origin = Origin({"/page": html(ARTICLE)})
    async with serving(origin), running(here(folder)) as proxy:
        yield origin, proxy


def in_house_form(answer: Answer, status: int, sentence: str) -> None:
    assert answer.status == status
    assert sentence.encode() in answer.body
    assert b"Traceback" not in answer.body


async def goes_on(proxy: Running, origin: Origin) -> None:
    """Pages are read as before, and the status page answers."""
    answer = await ask(proxy.port, get(origin.url("/page"), BROWSER))
    assert answer.field("winnow-action") == "extracted"
    status = f"http://127.0.0.1:{proxy.port}/-/status"
    assert (await ask(proxy.port, get(status, BROWSER))).status == 200


def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)


async def test_an_authority_for_which_there_is_no_room_is_a_507(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        serving(Origin({"/page": html(ARTICLE)})) as origin,
        running(here(tmp_path)) as proxy,
    ):
        no_room(monkeypatch)
        own = f"http://127.0.0.1:{proxy.port}"
        for path in ("/-/ca.crt", "/-/setup"):
            answer = await ask(proxy.port, get(own + path, BROWSER))
            in_house_form(answer, 507, "could not be read or created: the disk is full.")
        await goes_on(proxy, origin)
        monkeypatch.undo()
        assert (await ask(proxy.port, get(f"{own}/-/ca.crt"))).status == 200
    warned = [each for each in caplog.records if "disk is full" in each.message]
    assert len(warned) == 2  # one line an answer
    assert not any(each.exc_info for each in caplog.records)


async def test_a_choice_for_which_there_is_no_room_is_a_507_and_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        serving(Origin({"/page": html(ARTICLE)})) as origin,
        running(here(tmp_path)) as proxy,
    ):
        store = proxy.state.choices
        await store._file.run(lambda database: database.execute("PRAGMA max_page_count = 1"))  # type: ignore[attr-defined]  # SQLite's own full disk
        for number in range(100):
            site = f"{number}.{'x' * 60}.{'y' * 60}.{'z' * 60}.example"
            answer = await post_site(proxy.port, site, mode="never")
            if answer.status != 303:
                break
        in_house_form(answer, 507, "The choice could not be saved: the disk is full.")
        assert len(store.now.of(LOOPBACK).choices) == number
        await goes_on(proxy, origin)
    assert sum("disk is full" in each.message for each in caplog.records) == 1
    assert not any(each.exc_info for each in caplog.records)


async def test_a_folder_that_cannot_be_written_keeps_nothing_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file stands where the data folder should be: the same errors as of a read-only disk."""
    folder = tmp_path / "data"
    folder.write_text("in the way")
    async with reading(folder) as (origin, proxy):
        await goes_on(proxy, origin)
        answer = await post_setting(proxy.port, change="pause", value="10")
        in_house_form(answer, 503, "The choice could not be saved: ")
        own = f"http://127.0.0.1:{proxy.port}"
        in_house_form(
            await ask(proxy.port, get(f"{own}/-/ca.crt")), 503, "could not be read or created"
        )
        status = (await ask(proxy.port, get(f"{own}/-/status", BROWSER))).body
        assert b"Needs attention" in status
        assert b"choices are not saved" in status
        assert str(tmp_path).encode() not in status
    assert not any(each.exc_info for each in caplog.records)


async def test_what_is_damaged_is_told_on_the_status_page(tmp_path: Path) -> None:
    names = ("choices.sqlite3", "sites.sqlite3", "sites.key", "shelf.json", "cache.sqlite3")
    for name in names:
        (tmp_path / name).write_bytes(b"garbage " * 1000)
    async with (
        serving(Origin({"/page": html(ARTICLE)})) as origin,
        running(here(tmp_path)) as proxy,
    ):
        await goes_on(proxy, origin)
        own = f"http://127.0.0.1:{proxy.port}"
        status = (await ask(proxy.port, get(f"{own}/-/status", BROWSER))).body.decode()
        for name in names[:-1]:  # a cache is a cache: it is begun anew without a word
            assert f"{name}.damaged-" in status
