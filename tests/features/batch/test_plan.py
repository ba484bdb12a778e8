"""A plan holds every record in one chunk, and knows after a fall which chunks are done."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.command_errors import CommandError
from winnow.features.batch.page_locations import MOST_PAGES, PageLocation, grouped
from winnow.features.batch.plan import BatchPlan, ChunkRows, planned

OPTIONS = {"sources": ["corpus"], "format": "text", "method": "auto-1"}
FOUND = [PageLocation(f"page {number}") for number in range(1, 8)]


def test_every_record_stands_in_one_chunk_in_order(tmp_path: Path) -> None:
    with planned(tmp_path / "run", OPTIONS, 3, FOUND) as plan:
        chunks = list(plan.chunks())
        assert [(chunk.number, len(chunk.locations)) for chunk in chunks] == [
            (1, 3),
            (2, 3),
            (3, 1),
        ]
        assert [location for chunk in chunks for location in chunk.locations] == FOUND
        assert plan.parts == 3


def test_a_range_of_an_archive_is_a_chunk_of_its_own(tmp_path: Path) -> None:
    ranges = [PageLocation(f"a@{first}", "a", offset=first) for first in (0, 100)]
    found = [*FOUND[:2], *ranges, FOUND[2]]
    with planned(tmp_path / "run", OPTIONS, 3, found) as plan:
        assert [len(chunk.locations) for chunk in plan.chunks()] == [2, 1, 1, 1]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    with planned(tmp_path / "run", OPTIONS, 3, FOUND) as plan:
        plan.write(3, ChunkRows(b"rows"))
        plan.rows(1).with_name("000001.jsonl.new").write_bytes(b"half a ro")
    with planned(tmp_path / "run", OPTIONS, 5, []) as again:
        assert [chunk.number for chunk in again.left()] == [1, 2]
        assert again.done() == 1


def test_of_a_chunk_that_was_begun_what_is_left_is_to_be_done(tmp_path: Path) -> None:
    with planned(tmp_path / "run", OPTIONS, 3, FOUND) as plan:
        plan.write(1, ChunkRows(b"a\n", b"b\n", tuple(FOUND[1:3])))
        plan.write(1, ChunkRows(b"c\n", b"", (FOUND[2],)))
    with planned(tmp_path / "run", OPTIONS, 3, []) as again:
        assert next(iter(again.left())).locations == (FOUND[2],)
        again.write(1, ChunkRows(b"d\n", b"e\n"))
        assert [chunk.number for chunk in again.left()] == [2, 3]
        assert again.rows(1).read_bytes() == b"a\nc\nd\n"
        assert again.lessons(1).read_bytes() == b"b\ne\n"
        assert again.begun(again.rows(1)) is None


def test_both_passes_of_a_chunk_are_begun_apart(tmp_path: Path) -> None:
    plan = BatchPlan(tmp_path, 1)
    plan.write(1, ChunkRows(b"first\n", b"lesson\n"))
    plan.write(1, ChunkRows(b"again\n", left=(FOUND[0],)), is_second=True)
    assert plan.begun(plan.rows(1)) is None
    assert plan.begun(plan.rows_by_site(1)) == ChunkRows(b"again\n", left=(FOUND[0],))
    assert plan.lessons(1).read_bytes() == b"lesson\n"


def test_a_large_corpus_has_larger_chunks() -> None:
    sizes = [len(chunk) for chunk in grouped([FOUND[0]] * 200_000, 64)]
    assert sum(sizes) == 200_000
    assert (sizes[0], max(sizes)) == (64, MOST_PAGES)
    assert len(sizes) < 600


def test_a_listing_that_was_cut_short_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "chunks.jsonl").write_text('[{"source": "page 1", "pa')
    with planned(tmp_path, OPTIONS, 3, FOUND) as plan:
        assert sum(len(chunk.locations) for chunk in plan.chunks()) == len(FOUND)


def test_a_run_with_other_options_is_not_gone_on_with(tmp_path: Path) -> None:
    with planned(tmp_path, OPTIONS, 3, FOUND):
        pass
    other = planned(tmp_path, {**OPTIONS, "method": "auto-2"}, 3, FOUND)
    with pytest.raises(CommandError, match="a run with other method"), other:
        pass


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    second = planned(tmp_path, OPTIONS, 3, FOUND)
    with planned(tmp_path, OPTIONS, 3, FOUND), pytest.raises(CommandError, match="another"), second:
        pass
