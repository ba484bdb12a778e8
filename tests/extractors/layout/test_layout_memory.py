"""A memory is the same whatever order its pages came in, is bounded, and holds no text."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extractors.layout.pages import WIDGET, document
from winnow.document.document import Document
from winnow.extractors.layout.layout_memory import (
    LARGEST,
    MOST_BLOCKS,
    MOST_DAYS,
    MOST_PAGES,
    merge,
    rows,
    trace,
    traces,
)
from winnow.extractors.layout.page_rows import page_rows_of

KEY = b"secret"
LESSONS = [trace(page_rows_of(document(number), KEY), 20_000 + number % 7) for number in range(100)]
LONG = "".join(f'<div class="c{i}"><p>Paragraph {"x" * i} is here.</p></div>' for i in range(900))


def large(number: int, day: int = 1) -> bytes:
    found = Document.from_html(LONG, f"https://a.example/{number}")
    return trace(page_rows_of(found, KEY), day)


LARGE = [large(number, 1 + number % 3) for number in range(30)]


def folded(lessons: list[bytes]) -> bytes:
    return reduce(merge, lessons, b"")


ALL = folded(LESSONS)


@given(st.permutations(LESSONS))
@settings(max_examples=30, deadline=None)
def test_the_same_hundred_pages_in_any_order_give_the_same_memory(lessons: list[bytes]) -> None:
    assert folded(lessons) == ALL


@given(st.permutations(LARGE), st.integers(0, len(LARGE)))
@settings(max_examples=30, deadline=None)
def test_it_does_not_matter_who_saw_which_pages(lessons: list[bytes], cut: int) -> None:
    left, right = folded(lessons[:cut]), folded(lessons[cut:])
    assert merge(left, right) == merge(right, left) == folded(LARGE)
    assert merge(merge(left, right), left) == merge(left, right)


def test_a_memory_is_bounded() -> None:
    assert len(ALL) <= LARGEST
    assert sum(1 for _ in traces(ALL)) <= MOST_PAGES
    assert LARGEST // 2 < len(folded(LARGE)) <= LARGEST


def test_the_latest_pages_stay() -> None:
    days = [one.day for one in traces(ALL)]
    assert days == sorted(days, reverse=True)
    assert min(days) >= 20_003


def test_old_days_are_forgotten() -> None:
    old, new = large(1, 100), large(2, 100 + MOST_DAYS + 1)
    assert merge(old, new) == new


def test_a_page_counts_once_as_it_was_last_seen() -> None:
    old, new = large(1, 5), large(1, 6)
    assert merge(old, new) == merge(new, old) == new


def test_no_text_is_stored() -> None:
    packed = folded(LESSONS[:3])
    for word in WIDGET.split():
        if len(word) > 3:
            assert word.encode() not in packed


def test_another_key_gives_other_hashes() -> None:
    ours, theirs = (rows(trace(page_rows_of(document(1), key), 1)) for key in (b"one", b"two"))
    assert not set(ours.text.tolist()) & set(theirs.text.tolist())
    assert not set(ours.path.tolist()) & set(theirs.path.tolist())


def test_of_a_long_page_the_same_blocks_are_stored() -> None:
    found = rows(merge(large(1), large(2)))
    assert len(found.text) == 2 * MOST_BLOCKS
    assert set(found.text[found.page == 0].tolist()) == set(found.text[found.page == 1].tolist())
    assert 0 < found.share[0] < 1


@pytest.mark.parametrize("broken", [b"x", LESSONS[0][:-1], LESSONS[0] + b"y"])
def test_other_bytes_are_refused(broken: bytes) -> None:
    with pytest.raises(ValueError, match="no memory"):
        merge(broken, b"")


@given(st.binary(max_size=80))
def test_any_bytes_are_a_memory_or_refused(packed: bytes) -> None:
    try:
        merge(packed, b"")
    except ValueError:
        return
    rows(packed)
