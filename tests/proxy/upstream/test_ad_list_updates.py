"""Ad lists are downloaded and refreshed; a failure leaves the last one in use."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.upstream.ad_list_updates import RETRY_SECONDS, AdLists
from winnow.proxy.upstream.fetcher import FetchedResponse

LIST = "http://lists.example/ads.txt"


class Origin:
    """Responds with a text and its entity tag, with 304, or fails."""

    def __init__(self, text: str) -> None:
        self.text, self.fails = text, False
        self.requests: list[tuple[Field, ...]] = []

    async def get(self, url: str, conditions: tuple[Field, ...]) -> FetchedResponse:
        self.requests.append(conditions)
        if self.fails:
            raise OriginFaultError("The origin is away.")
        tag = f'"{self.text}"'
        if ("If-None-Match", tag) in conditions:
            return FetchedResponse(url, 304, Headers(), b"")
        return FetchedResponse(url, 200, Headers((("ETag", tag),)), self.text.encode())


def lists(origin: Origin, folder: Path, *sources: str) -> AdLists:
    return AdLists(sources or (LIST,), folder, 1000, origin.get, lambda _: ())


async def refreshed(ad_lists: AdLists) -> str:
    await ad_lists.refresh()
    return text_of(ad_lists.path)


def text_of(path: str) -> str:
    return Path(path).read_text("utf-8") if path else ""


def exist(paths: list[str]) -> list[bool]:
    return [Path(path).exists() for path in paths]


async def test_lists_of_files_and_addresses_become_one(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("own.example\n", "utf-8")
    ad_lists = lists(Origin("ads.example"), tmp_path / "stored", str(file), LIST)
    assert (await refreshed(ad_lists)).split() == ["own.example", "ads.example"]


async def test_a_list_that_has_not_changed_costs_a_304(tmp_path: Path) -> None:
    origin = Origin("ads.example")
    first = await refreshed(lists(origin, tmp_path))
    again = lists(origin, tmp_path)
    assert await refreshed(again) == first == "ads.example"
    assert origin.requests == [(), (("If-None-Match", '"ads.example"'),)]


async def test_the_path_changes_when_the_list_does_and_the_last_one_stays(tmp_path: Path) -> None:
    origin = Origin("one.example")
    ad_lists = lists(origin, tmp_path)
    paths = []
    for origin.text in ("one.example", "two.example", "three.example"):
        await ad_lists.refresh()
        paths.append(ad_lists.path)
    assert len(set(paths)) == 3
    assert exist(paths) == [False, True, True]


async def test_a_failed_list_stays_and_is_tried_again_soon(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    origin, time = Origin("ads.example"), [0.0]
    ad_lists = lists(origin, tmp_path)
    ad_lists.clock = lambda: time[0]
    await ad_lists.refresh()
    origin.fails = True
    with caplog.at_level(logging.WARNING):
        assert await refreshed(ad_lists) == "ads.example"
    assert "http://lists.example/ads.txt cannot be read: The origin is away." in caplog.text
    origin.fails, origin.text = False, "new.example"
    time[0] = RETRY_SECONDS + 1000
    assert ad_lists.now()
    await ad_lists.aclose()


async def test_a_list_that_was_never_loaded_gives_no_file(tmp_path: Path) -> None:
    origin = Origin("ads.example")
    origin.fails = True
    assert await refreshed(lists(origin, tmp_path, LIST, str(tmp_path / "no-such-file"))) == ""


async def test_bad_lines_are_logged_and_the_rest_is_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ad_lists = lists(Origin("ads.example"), tmp_path)
    ad_lists.faults = lambda _: ("line 2 (x$y): option 'y' is unknown",)
    with caplog.at_level(logging.WARNING):
        assert await refreshed(ad_lists) == "ads.example"
    assert "1 lines of the list of ads http://lists.example/ads.txt are not used" in caplog.text
    assert "line 2" in caplog.text
