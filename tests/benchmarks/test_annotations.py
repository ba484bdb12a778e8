"""Labels without text: what was labelled comes back, blanks or not; other pages are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.annotations.__main__ import GIVEN, scores_by_type
from benchmarks.annotations.offsets import (
    ANNOTATORS,
    DATA,
    AnnotatedPage,
    annotated,
    joined,
    marked,
    read,
    text_of,
    write,
)
from winnow.evaluation.errors import PackageError
from winnow.evaluation.labels import LABELS
from winnow.evaluation.measures import word_f1
from winnow.evaluation.packages import PackageEntry

PAGE = b"""<!doctype html><html lang=en><title>Ferry</title><nav><a href=/>Home</a></nav>
<h1>Ferry</h1>
<p>The ferry crossed the strait.<p>It was  Monday. <table><tr><td>One<td>two</table><footer>End"""
MARKS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from(LABELS)).map(
        lambda each: (min(each[:2]), max(each[:2]), each[2])
    )
)


def entry(**notes: object) -> PackageEntry:
    return PackageEntry("0001", PAGE, "", {"url": "https://ferry.example/", **notes})


@given(st.lists(st.integers(0, 60), min_size=2, max_size=2))
def test_what_was_labelled_comes_back(ends: list[int]) -> None:
    text, (start, end) = text_of(entry()), sorted(ends)
    page = annotated("0001", entry(page_spans=[[start, end, "body"]]))
    assert marked(page, entry()).gold.split() == text[start:end].split()


@given(MARKS)
def test_joined_ranges_hold_the_same_letters(marks: list[tuple[int, int, str]]) -> None:
    for label in LABELS:
        before = {i for a, b, each in marks if each == label for i in range(a, b)}
        after = {i for a, b, each in joined(marks) if each == label for i in range(a, b)}
        assert before == after


def test_touching_ranges_of_one_label_are_one() -> None:
    marks = [(0, 3, "body"), (3, 5, "body"), (5, 6, "heading"), (6, 6, "body"), (8, 9, "heading")]
    assert joined(marks) == [(0, 5, "body"), (5, 6, "heading"), (8, 9, "heading")]


def test_a_file_of_an_annotator(tmp_path: Path) -> None:
    page = annotated("0001", entry(page_type="article", page_spans=[[0, 5, "title"]]))
    write(tmp_path / "anna.json", [page])
    assert read(tmp_path / "anna.json") == [page]
    assert page.page_type == "article"


@pytest.mark.parametrize("change", [{"digest": "0"}, {"letters": 1}])
def test_another_page_is_refused(change: dict[str, object]) -> None:
    page = annotated("0001", entry(page_spans=[]))
    other = AnnotatedPage(**{**{f: getattr(page, f) for f in page.__slots__}, **change})
    with pytest.raises(PackageError, match="0001"):
        marked(other, entry())


def test_a_row_for_each_type() -> None:
    golds = {
        "given": {"1": PackageEntry("1", b"", "a b", {}), "2": PackageEntry("2", b"", "c", {})}
    }
    texts = {"given": {"1": "a b", "2": "d"}}
    rows = scores_by_type(texts, golds, {"1": "article", "2": "forum"})
    assert [row[:2] for row in rows] == [
        ["pages of", "count"],
        ["all", "2"],
        ["article", "1"],
        ["forum", "1"],
    ]
    assert [row[2][:5] for row in rows[1:]] == ["0.500", "1.000", "0.000"]


def test_the_committed_files_hold_no_text() -> None:
    files = [read(DATA / f"{annotator}.json") for annotator in ANNOTATORS]
    assert [len(pages) for pages in files] == [198, 198]
    names = [[page.name for page in pages] for pages in files]
    assert names[0] == names[1]
    for page in files[0] + files[1]:
        assert {label for _, _, label in page.marks} <= set(LABELS)
        assert all(0 <= a < b <= page.letters for a, b, _ in page.marks)
    assert GIVEN not in ANNOTATORS


def test_a_gold_from_marks_is_what_words_are_counted_of() -> None:
    whole = text_of(entry())
    page = annotated("0001", entry(page_spans=[[0, len(whole), "body"]]))
    assert word_f1(marked(page, entry()).gold, whole).f1 == 1.0
