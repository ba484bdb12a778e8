"""Strips that no block crosses, and the five cues of their weight (report, section 4.2)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.extractors.vips.separators import BlockSides, horizontal, strongest, vertical


def sides(*boxes: tuple[float, float, float, float]) -> BlockSides:
    count = len(boxes)
    fonts = np.tile(np.array([16.0, 400.0], dtype=np.float32), (count, 1))
    return BlockSides(
        boxes=np.array(boxes, dtype=np.float32),
        background=np.zeros(count, dtype=np.int32),
        first_font=fonts,
        last_font=fonts,
        text=np.zeros(count, dtype=bool),
        rules=np.zeros((0, 4), dtype=np.float32),
    )


TWO = sides((0, 0, 100, 40), (0, 50, 100, 90))


def weight(of: BlockSides) -> int:
    return strongest(horizontal(of)[1])


def test_the_strip_between_two_blocks_is_a_separator() -> None:
    _, (found,) = horizontal(TWO)
    assert (found.position, found.start, found.end) == (1, 40, 50)
    assert not vertical(TWO)[1]


def test_a_block_that_crosses_the_strip_removes_it() -> None:
    crossing = sides((0, 0, 100, 40), (0, 50, 100, 90), (0, 30, 100, 60))
    assert not horizontal(crossing)[1]


def test_columns_are_parted_by_vertical_separators() -> None:
    _, found = vertical(sides((200, 0, 300, 90), (0, 0, 90, 90), (95, 10, 190, 50)))
    assert [(each.start, each.end) for each in found] == [(90, 95), (190, 200)]


def test_blocks_that_touch_are_parted_weakly() -> None:
    assert weight(sides((0, 0, 9, 9), (0, 9, 9, 20))) == 0


@pytest.mark.parametrize(("overlap", "parted"), [(0.5, True), (1.0, True), (1.5, False)])
def test_blocks_that_overlap_by_a_pixel_touch(overlap: float, parted: bool) -> None:
    found = horizontal(sides((0, 0, 9, 9), (0, 9 - overlap, 9, 20)))[1]
    assert [(each.start, each.end) for each in found] == ([(9, 9)] if parted else [])


@pytest.mark.parametrize(
    ("top", "bottom", "inside"), [(39, 51, True), (38, 46, False), (44, 52, False)]
)
def test_a_rule_that_reaches_a_pixel_into_its_blocks_counts(
    top: float, bottom: float, inside: bool
) -> None:
    ruled = replace(TWO, rules=np.array([[0, top, 100, bottom]], dtype=np.float32))
    assert (weight(ruled) > weight(TWO)) is inside


def test_1_a_wider_strip_weighs_more() -> None:
    assert weight(sides((0, 0, 100, 40), (0, 90, 100, 130))) > weight(TWO)


def test_2_a_rule_in_it_weighs_more() -> None:
    ruled = replace(TWO, rules=np.array([[0, 44, 100, 46]], dtype=np.float32))
    elsewhere = replace(TWO, rules=np.array([[0, 84, 100, 86]], dtype=np.float32))
    assert weight(ruled) > weight(TWO) == weight(elsewhere)


def test_3_another_background_weighs_more() -> None:
    assert weight(replace(TWO, background=np.array([0, 1], dtype=np.int32))) > weight(TWO)


def test_4_another_font_weighs_more_and_most_where_the_larger_is_below() -> None:
    small, large = [14, 400], [20, 400]
    grows = np.array([small, large], dtype=np.float32)
    shrinks = np.array([large, small], dtype=np.float32)
    larger_below = weight(replace(TWO, first_font=grows, last_font=grows))
    larger_above = weight(replace(TWO, first_font=shrinks, last_font=shrinks))
    assert larger_below > larger_above > weight(TWO)


def test_5_two_texts_weigh_less() -> None:
    assert weight(replace(TWO, text=np.array([True, True]))) < weight(TWO)


SPANS = st.tuples(st.integers(0, 300), st.integers(2, 40)).map(lambda at: (at[0], sum(at)))


@given(spans=st.lists(SPANS, min_size=1, max_size=12))
def test_no_block_crosses_a_separator_and_no_strip_is_missed(spans: list[tuple[int, int]]) -> None:
    order, found = horizontal(sides(*((0, top, 10, bottom) for top, bottom in spans)))
    assert sorted(order) == list(range(len(spans)))
    free = {y for y in range(400) if not any(top <= y < bottom for top, bottom in spans)}
    inner = {y for y in free if min(spans)[0] < y < max(bottom for _, bottom in spans)}
    strips = {y for each in found for y in range(int(each.start), int(each.end))}
    assert strips == inner
