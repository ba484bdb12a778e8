"""A corpus is listed once: folders, WARC files, lists of addresses; what is no page says why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.winnow.batch.archives import archive
from tests.winnow.conftest import PAGE
from winnow.batch.page_locations import page_locations, read
from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.evaluation.errors import PackageError

SETTINGS = Settings()
URLS = ("http://a.example/1", "http://a.example/2", "http://b.example/3")


def test_a_folders_pages_are_listed_by_name(tmp_path: Path) -> None:
    (tmp_path / "site.example").mkdir()
    for name in ("site.example/b.html", "site.example/a.htm", "site.example/notes.txt"):
        (tmp_path / name).write_text(PAGE)
    listed = list(page_locations([str(tmp_path)]))
    pages = [read(location, SETTINGS) for location in listed]
    assert [Path(location.source).name for location in listed] == ["a.htm", "b.html"]
    assert [page.url for page in pages] == [
        "http://site.example/a.htm",
        "http://site.example/b.html",
    ]
    assert {page.body for page in pages} == {PAGE.encode()}


@pytest.mark.parametrize("packed", [True, False])
def test_each_record_of_an_archive_is_found_by_its_byte(tmp_path: Path, packed: bool) -> None:
    path = archive(tmp_path / "crawl.warc", *URLS, packed=packed)
    listed = list(page_locations([str(path)]))
    pages = [read(location, SETTINGS) for location in reversed(listed)]
    assert [page.url for page in pages] == [*reversed(URLS)]
    assert {(page.body, page.charset) for page in pages} == {(PAGE.encode(), "utf-8")}


@pytest.mark.parametrize("packed", [True, False])
def test_a_damaged_archive_says_what_is_lost(tmp_path: Path, packed: bool) -> None:
    path = archive(tmp_path / "crawl.warc", *URLS, packed=packed)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    first, cut, rest = page_locations([str(path)])
    assert read(first, SETTINGS).url == URLS[0]
    with pytest.raises(PackageError, match="cut off"):
        read(cut, SETTINGS)
    with pytest.raises(CommandError, match="are lost"):
        read(rest, SETTINGS)


def test_a_list_names_addresses_and_says_which_lines_are_none(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# mine\n\nhttps://a.example/1\nftp://a.example\n http://b.example/ \n")
    listed = list(page_locations([str(path)]))
    assert [(location.source, location.fault) for location in listed] == [
        ("https://a.example/1", ""),
        ("ftp://a.example", "line 4 of list.txt is no http or https address"),
        ("http://b.example/", ""),
    ]


def test_a_file_and_an_address_stand_for_themselves(page: Path) -> None:
    sources = [str(page), URLS[0]]
    assert [location.source for location in page_locations(sources)] == sources


def test_a_source_that_is_not_there_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="nowhere is no folder, WARC file"):
        list(page_locations(["nowhere"]))


def test_a_page_over_the_limit_and_a_deleted_one_are_errors(page: Path, tmp_path: Path) -> None:
    archived = archive(tmp_path / "crawl.warc", URLS[0])
    small = replace(SETTINGS, extraction=replace(SETTINGS.extraction, max_page=100))
    for location in page_locations([str(page), str(archived)]):
        with pytest.raises(PackageError, match="larger than 100 bytes") as raised:
            read(location, small)
        assert raised.value.url in URLS or raised.value.url == f"http://{page.name}"
    (listed,) = page_locations([str(page)])
    page.unlink()
    with pytest.raises(CommandError, match="No such file"):
        read(listed, SETTINGS)
