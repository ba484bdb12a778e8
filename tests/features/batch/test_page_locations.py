"""A corpus is listed once: folders, WARC files, lists of addresses; what is no page says why."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from tests.features.batch.archives import archive
from tests.winnow.conftest import PAGE
from winnow.command_errors import UsageError
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.features.batch import page_locations as module
from winnow.features.batch.page_locations import FoundPage, PageLocation, page_locations, pages

SETTINGS = Settings()
URLS = ("http://a.example/1", "http://a.example/2", "http://b.example/3")


def read(location: PageLocation, settings: Settings = SETTINGS) -> Page:
    """The one page of a location."""
    (found,) = pages(location, settings)
    assert found.page is not None, found.fault
    return found.page


def all_of(source: Path, settings: Settings = SETTINGS) -> list[FoundPage]:
    return [each for one in page_locations([str(source)]) for each in pages(one, settings)]


def test_a_folders_pages_are_listed_by_name(tmp_path: Path) -> None:
    (tmp_path / "site.example").mkdir()
    for name in ("site.example/b.html", "site.example/a.htm", "site.example/notes.txt"):
        (tmp_path / name).write_text(PAGE)
    listed = list(page_locations([str(tmp_path)]))
    found = [read(location, SETTINGS) for location in listed]
    assert [Path(location.source).name for location in listed] == ["a.htm", "b.html"]
    assert [page.url for page in found] == [
        "http://site.example/a.htm",
        "http://site.example/b.html",
    ]
    assert {page.body for page in found} == {PAGE.encode()}


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("size", [1, 300, 1000, 1 << 20])
def test_ranges_have_each_record_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool, size: int
) -> None:
    monkeypatch.setattr(module, "RANGE", size)
    path = archive(tmp_path / "crawl.warc", *URLS, packed=packed)
    found = all_of(path)
    assert [each.url for each in found] == [*URLS]
    assert {(each.page.body, each.page.charset) for each in found if each.page} == {
        (PAGE.encode(), "utf-8")
    }
    length = len(path.read_bytes()) // 3
    assert [int(each.source.rpartition("@")[2]) // length for each in found] == [0, 1, 2]


def test_a_record_has_what_a_crawls_index_knows(tmp_path: Path) -> None:
    (found, *_) = all_of(archive(tmp_path / "crawl.warc", *URLS))
    assert (found.date, found.record_id) == ("2026-01-01T00:00:00Z", "<urn:uuid:1>")
    assert (found.digest, found.status, found.payload_type) == ("sha1:AB", 200, "text/html")


@pytest.mark.parametrize("packed", [True, False])
def test_a_cut_archive_costs_the_record_that_is_cut(tmp_path: Path, packed: bool) -> None:
    path = archive(tmp_path / "crawl.warc", *URLS, packed=packed)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    first, cut = all_of(path)
    assert first.url == URLS[0]
    assert "bytes end before the record does" in cut.fault


@pytest.mark.parametrize("packed", [True, False])
def test_a_damaged_record_costs_itself_alone(tmp_path: Path, packed: bool) -> None:
    """Until now all that stood behind it was lost."""
    path = archive(tmp_path / "crawl.warc", *URLS, packed=packed)
    whole = bytearray(path.read_bytes())
    middle = whole.index(b"WARC/", 5) if not packed else whole.index(b"\x1f\x8b\x08", 5)
    whole[middle : middle + 60] = b"x" * 60
    path.write_bytes(whole)
    found = all_of(path)
    assert [each.url for each in found if each.page] == [URLS[0], URLS[2]]
    assert [each.fault for each in found if each.fault] or packed


def test_a_member_that_breaks_off_inside_costs_itself_alone(tmp_path: Path) -> None:
    path = archive(tmp_path / "crawl.warc.gz", *URLS)
    whole = bytearray(path.read_bytes())
    second = whole.index(b"\x1f\x8b\x08", 5)
    whole[second + 120 : second + 160] = b"\xff" * 40
    path.write_bytes(whole)
    first, damaged, last = all_of(path)
    assert (first.url, last.url) == (URLS[0], URLS[2])
    assert "damaged" in damaged.fault
    assert damaged.source == f"{path}@{second}"


def test_a_list_of_paths_names_archives(tmp_path: Path) -> None:
    names = [str(archive(tmp_path / f"{n}.warc.gz", url)) for n, url in enumerate(URLS)]
    listed = tmp_path / "warc.paths.gz"
    listed.write_bytes(gzip.compress("\n".join(names).encode()))
    assert [each.url for each in all_of(listed)] == [*URLS]


def test_what_is_no_archive_at_a_file_systems_address_is_wrong_use() -> None:
    with pytest.raises(UsageError, match="is no WARC file"):
        list(page_locations(["s3://crawl/page.html"]))


def test_an_address_that_needs_an_extra_names_it() -> None:
    with pytest.raises(UsageError, match=r"gcsfs.*\[batch,gs\]"):
        list(page_locations(["gs://crawl/one.warc.gz"]))


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
        (found,) = pages(location, small)
        assert "larger than 100 bytes" in found.fault
        assert found.url in {URLS[0], f"http://{page.name}"}
    (listed,) = page_locations([str(page)])
    page.unlink()
    (found,) = pages(listed, SETTINGS)
    assert "No such file" in found.fault


def test_of_a_line_that_is_no_address_the_beginning_is_told(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"# pages\n\nhttps://a.example/\n{'x' * 300}\n")
    good, bad = page_locations([str(file)])
    assert (good.source, good.fault) == ("https://a.example/", "")
    assert (bad.source, bad.fault) == ("x" * 200, "line 4 of list.txt is no http or https address")
