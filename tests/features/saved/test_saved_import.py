"""What other programs export is read; Winnow's own export comes back as it was."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.attack.memory import begun_peak, peak_memory
from winnow.features.saved import saved_archives as module
from winnow.features.saved.saved_export import json_of, markdown_file, zipped
from winnow.features.saved.saved_import import ImportJob, imported, pages_in
from winnow.features.saved.stores.saved_page import Note, SavedPage, tags_of
from winnow.jobs.job_types import PipelineError
from winnow.proxy.http.proxy_errors import ClientFaultError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
SAID = TEXT.filter(bool)
NOTES = st.lists(st.builds(Note, SAID, TEXT, TEXT), max_size=3, unique=True).map(tuple)
PAGES = st.builds(
    SavedPage,
    url=st.from_regex(r"https?://[a-z]{1,9}\.example/[a-z0-9?=&%+]{0,20}", fullmatch=True),
    title=TEXT,
    content=TEXT,
    text=TEXT,
    byline=TEXT,
    site=TEXT,
    language=TEXT,
    direction=st.sampled_from(["", "ltr", "rtl"]),
    published=TEXT,
    excerpt=TEXT,
    saved=TEXT,
    tags=st.lists(TEXT, max_size=4).map(tags_of),
    notes=NOTES,
)
IMAGES = st.dictionaries(
    SAID,
    st.tuples(st.binary(max_size=20), st.sampled_from(["image/png", "image/jpeg"])),
    max_size=2,
)


@given(st.lists(st.tuples(PAGES, IMAGES), max_size=4))
def test_an_export_comes_back_as_it_was(pages: list[tuple[SavedPage, Any]]) -> None:
    found = imported(json_of(pages))
    assert [(each.page, dict(each.images)) for each in found.pages] == pages
    assert found.left_out == 0


def test_half_a_character_is_no_text() -> None:
    """A surrogate alone can neither be stored nor sent."""
    with pytest.raises(ClientFaultError):
        imported(b'[{"url": "http://a.example/", "title": "\\ud800"}]')


WALLABAG = [
    {
        "is_archived": 0,
        "tags": ["news", {"label": "water"}],
        "title": "The flood",
        "url": "https://a.example/flood",
        "content": "<p>The river <script>x</script>rose.</p>",
        "created_at": "2023-05-01T10:00:00+0000",
        "published_at": "2023-04-30T08:00:00+0000",
        "published_by": ["B. Baker", None],
        "language": "en_GB",
        "annotations": [{"quote": "river", "text": "which?", "created_at": "2023-05-02"}],
    },
    {"title": "No address", "url": None, "tags": None},
    {"title": "Script", "url": "javascript:alert(1)"},
]


def test_wallabag() -> None:
    found = imported(json.dumps(WALLABAG).encode())
    (each,) = found.pages
    assert each.page == SavedPage(
        "https://a.example/flood",
        title="The flood",
        content="<p>The river <script>x</script>rose.</p>",
        byline="B. Baker",
        language="en-GB",
        published="2023-04-30T08:00:00+0000",
        saved="2023-05-01T10:00:00+0000",
        tags=("news", "water"),
        notes=(Note("river", "which?", "2023-05-02"),),
    )
    assert found.left_out == 2


def archive(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return out.getvalue()


CSV = (
    "title,url,time_added,tags,status\nFlood,https://a.example/flood,1682935200,news|water,unread\n"
)


def test_pocket_as_csv_and_as_archive_with_highlights() -> None:
    flood = SavedPage(
        "https://a.example/flood",
        title="Flood",
        saved="2023-05-01T10:00:00+00:00",
        tags=("news", "water"),
    )
    assert [each.page for each in imported(CSV.encode()).pages] == [flood]
    marks = [{"url": flood.url, "highlights": [{"quote": "river", "created_at": 1682935200}]}]
    files = {"part_000000.csv": CSV, "annotations/part_000000.json": json.dumps(marks)}
    (each,) = imported(archive(**files)).pages
    assert each.page.notes == (Note("river", "", "2023-05-01T10:00:00+00:00"),)


def test_pockets_html_and_bookmarks() -> None:
    page = (
        '<!DOCTYPE html><ul><li><a href="https://a.example/1?a=1&amp;b=2" time_added="1682935200" '
        'tags="news,water">The &amp; flood</a></li><li><a href="/relative">No</a></li></ul>'
    )
    found = imported(page.encode())
    (each,) = found.pages
    assert (each.page.url, each.page.title) == ("https://a.example/1?a=1&b=2", "The & flood")
    assert each.page.tags == ("news", "water")
    assert found.left_out == 1
    marks = '<DL><DT><A HREF="https://b.example/" ADD_DATE="1682935200">B</A></DL>'
    assert [each.page.title for each in imported(marks.encode()).pages] == ["B"]


def test_readeck() -> None:
    info = {
        "URL": "https://a.example/flood",
        "Title": "The flood",
        "SiteName": "The Daily",
        "Authors": ["B. Baker"],
        "Lang": "en",
        "TextDirection": "ltr",
        "Description": "Water.",
        "Created": "2023-05-01T10:00:00Z",
        "Labels": ["news"],
        "Annotations": [{"text": "river", "note": "which?", "created": "2023-05-02T00:00:00Z"}],
    }
    files = {
        "data.json": "{}",
        "bookmarks/abc/info.json": json.dumps(info),
        "bookmarks/abc/container/index.html": "<p>The river rose.</p>",
    }
    (each,) = imported(archive(**files)).pages
    assert each.page == SavedPage(
        "https://a.example/flood",
        title="The flood",
        content="<p>The river rose.</p>",
        byline="B. Baker",
        site="The Daily",
        language="en",
        direction="ltr",
        excerpt="Water.",
        saved="2023-05-01T10:00:00Z",
        tags=("news",),
        notes=(Note("river", "which?", "2023-05-02T00:00:00Z"),),
    )


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.text(), st.lists).map(lambda found: json.dumps(found).encode())
    | st.dictionaries(st.sampled_from(["url", "tags", "notes", "format", "pages"]), st.text()).map(
        lambda found: json.dumps([found]).encode()
    )
)
@example(b"\r\x00")
def test_no_file_is_more_than_an_error(data: bytes) -> None:
    with suppress(ClientFaultError):
        imported(data)


@pytest.mark.parametrize("deep", [b"[" * 100_000, b'{"a":' * 100_000])
def test_depth_is_an_error(deep: bytes) -> None:
    with pytest.raises(ClientFaultError):
        imported(deep)


def test_an_archive_that_unpacks_to_too_much_is_refused() -> None:
    bomb = archive(**{f"{number}.csv": "x" * 30_000_000 for number in range(9)})
    assert len(bomb) < 1_000_000
    with pytest.raises(ClientFaultError, match="too much"):
        imported(bomb)


def test_no_archive_is_believed_what_it_says_of_its_sizes() -> None:
    """A member of 300 MB says that it has a byte; the same ones are read over and over."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.csv", "url\n" + "x" * 300_000_000)
    size = (300_000_004).to_bytes(4, "little")
    lying = made.getvalue().replace(size, (1).to_bytes(4, "little"))
    assert lying != made.getvalue()
    begun = begun_peak()
    with pytest.raises(ClientFaultError):
        imported(lying)
    assert peak_memory() - begun < 20_000_000


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_stored_and_deflated_members_are_read(packing: int) -> None:
    """These unpack a kilobyte to gigabytes in one step."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packing) as packed:
        packed.writestr("a.csv", "url\nhttps://a.example/" + "\n" * 50_000_000)
    begun = begun_peak()
    with pytest.raises(ClientFaultError, match="no export"):
        imported(made.getvalue())
    assert peak_memory() - begun < 20_000_000


def test_all_that_is_read_of_an_archive_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not its stated sizes alone: the article that many entries name is read for each."""
    monkeypatch.setattr(module.Members, "left", 1000)
    monkeypatch.setattr(module.Members.__init__, "__defaults__", (1000,))
    row = "https://a.example/" + "x" * 600
    with pytest.raises(ClientFaultError, match="too much"):
        imported(archive(**{"a.csv": f"url\n{row}", "b.csv": f"url\n{row}"}))


def test_what_a_worker_read_comes_back_in_portions(tmp_path: Path) -> None:
    source, sink = tmp_path / "body", tmp_path / "pages"
    rows = "".join(f"https://a.example/{number}\n" for number in range(7))
    source.write_bytes(b"--b\r\n" + f"url\n{rows}nowhere".encode() + b"\r\n--b--")
    job = ImportJob(str(source), 5, source.stat().st_size - 7, str(sink))
    assert job.run() == (7, 1)
    with sink.open("rb") as pages:
        portions = [[each.page.url[-1] for each in pages_in(pages, 3)] for _ in range(4)]
    assert portions == [["0", "1", "2"], ["3", "4", "5"], ["6"], []]
    source.write_bytes(b"\0")
    with pytest.raises(PipelineError, match="no export"):
        job.run()


def test_a_list_that_is_too_long_is_refused() -> None:
    lines = "".join(f"https://a.example/{number}\n" for number in range(20_001))
    with pytest.raises(ClientFaultError, match="At most 20000 pages"):
        imported(b"url\n" + lines.encode())


def test_markdown_has_the_facts_in_front_and_the_notes_behind() -> None:
    page = SavedPage(
        "https://a.example/", 'A "title": x', tags=("a", "b"), notes=(Note("two\nlines", "So."),)
    )
    assert markdown_file(page, "# A\n\nText.\n") == (
        '---\ntitle: "A \\"title\\": x"\nurl: "https://a.example/"\ntags: ["a", "b"]\n---\n\n'
        "# A\n\nText.\n\n## Highlights and notes\n\n> two\n> lines\n\nSo.\n\n"
    )


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6))
def test_no_file_of_an_archive_replaces_another_or_leaves_its_folder(
    files: list[tuple[str, str]],
) -> None:
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as made:
        names = made.namelist()
    assert len(set(names)) == len(files)
    assert all(name.startswith("saved/") and name.count("/") == 1 for name in names)
    assert not any("/." in name for name in names)
