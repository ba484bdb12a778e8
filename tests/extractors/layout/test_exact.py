"""Webstemmer's formulas: blocks, similarity, DiffScore, clusters, patterns, titles, labels."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.layout.pages import FOOTER, document, markup, prose
from winnow.document.document import Document
from winnow.document.values import Label
from winnow.extractors.layout.layout_blocks import layout_blocks, letters
from winnow.extractors.layout.pattern_learning import (
    LearnedPage,
    Thresholds,
    clusters,
    learn,
    repeated,
    similarity,
)
from winnow.extractors.layout.pattern_matching import MatchingLimits, best_match, match_patterns
from winnow.extractors.layout.patterns import (
    LayoutPattern,
    PatternBlock,
    Patterns,
    difference,
    matching,
    sections,
)

short = st.text("abc", max_size=8)


def longest_common(left: str, right: str) -> int:
    """By the recurrence of every textbook."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


@given(short, short)
def test_matching_is_a_common_sequence(left: str, right: str) -> None:
    pairs = matching(left, right)
    assert all(left[i] == right[j] for i, j in pairs)
    assert pairs == sorted(pairs)
    assert len(pairs) <= longest_common(left, right)
    assert bool(pairs) == bool(set(left) & set(right))


@given(st.lists(short, min_size=2, max_size=5))
def test_difference_is_the_printed_formula(texts: list[str]) -> None:
    pairs = [*combinations(filter(None, texts), 2)]
    every = sum(len(a) + len(b) for a, b in pairs)
    apart = sum(len(a) + len(b) - 2 * len(matching(a, b)) for a, b in pairs)
    assert difference(texts) == pytest.approx(apart / every if every else 0)


def test_two_english_texts_differ_by_the_programs_matching_alone() -> None:
    """Letters repeat so often that half of any two texts is a common sequence."""
    texts = [letters(prose(number, 30)) for number in range(3)]
    assert longest_common(texts[0], texts[1]) > 0.4 * len(texts[0])
    assert difference(texts) > 0.8
    assert difference([texts[0], texts[0]]) == 0


@given(st.text("ab", max_size=3), st.text("ab", max_size=5))
def test_sections_hold_as_many_blocks_as_can_be(paths: str, features: str) -> None:
    found = sections(paths, features)
    places = [index for group in found for index in group]
    assert len(found) == len(paths)
    assert places == sorted(set(places))
    assert all(
        features[index] == path for path, group in zip(paths, found, strict=True) for index in group
    )
    choices = product(*([-1, *range(len(paths))] for _ in features))
    assert len(places) == max(
        (
            sum(place >= 0 for place in choice)
            for choice in choices
            if _fits(choice, paths, features)
        ),
        default=0,
    )


def _fits(choice: tuple[int, ...], paths: str, features: str) -> bool:
    taken = [place for place in choice if place >= 0]
    return taken == sorted(taken) and all(
        paths[place] == feature
        for place, feature in zip(choice, features, strict=True)
        if place >= 0
    )


def test_a_block_is_known_by_three_elements_and_their_attributes() -> None:
    blocks = layout_blocks(document(7))
    assert blocks[0].feature == "title"
    assert blocks[-1].feature == "div:class=foot/p"
    assert "div:class=story-7:id=story/h1" in [block.feature for block in blocks]
    assert blocks[-1].weight == len(letters(FOOTER))
    assert blocks[1].plain == 0


def test_inline_elements_of_layouts_cut_and_short_blocks_go() -> None:
    html = "<p>Four</p><p>one two<font>three</font><b>four five</b><br>six seven</p><hr>eight nine"
    found = layout_blocks(Document.from_html(html))
    assert [(block.feature, block.text) for block in found] == [
        ("p", "onetwo"),
        ("p/font", "three"),
        ("p", "fourfive"),
        ("p", "sixseven"),
        ("", "eightnine"),
    ]


def test_attributes_stand_in_order_and_in_lower_case() -> None:
    html = "<center><table ID=Main ALIGN=Left width=1><tr><td class=X>some text"
    (block,) = layout_blocks(Document.from_html(html))
    assert block.feature == "table:align=left:id=main/tr/td:class=x"


def learned(*numbers: int) -> list[LearnedPage]:
    """Pages whose story has no number in its class."""
    return [
        LearnedPage(
            layout_blocks(Document.from_html(markup(number, story="story"))),
            (prose(number, 1),),
            f"https://paper.example/story/{number}",
        )
        for number in numbers
    ]


def test_pages_of_one_layout_make_one_pattern() -> None:
    pages = learned(*range(6))
    assert clusters(pages, Thresholds()) == [pages]
    (pattern,) = learn(pages).patterns
    scores = {block.feature.rpartition("/")[2]: block for block in pattern.blocks}
    assert pattern.blocks[-1].difference == 0
    assert pattern.blocks[pattern.title].feature.endswith("/h1")
    assert scores["h1"].main == pytest.approx(
        scores["h1"].difference * sum(len(letters(prose(number, 1))) for number in range(6)) / 6
    )
    assert pattern.score == pytest.approx(math.log(6) * sum(block.main for block in pattern.blocks))


def with_weights(name: str, **weights: int) -> LearnedPage:
    html = "".join(f"<{tag}>{'x' * size}</{tag}>" for tag, size in weights.items())
    return LearnedPage(layout_blocks(Document.from_html(html)), url=f"https://x.example/{name}")


def test_a_page_joins_a_cluster_in_which_it_is_alike_to_every_page() -> None:
    """Single linkage would join all three: the middle page is like both others."""
    left = with_weights("1", h1=100, p=60)
    middle = with_weights("2", h1=100, p=60, h2=60)
    right = with_weights("3", h1=100, h2=60)
    assert similarity(left, middle) > 0.8 < similarity(middle, right)
    assert similarity(left, right) < 0.8
    assert clusters([left, middle, right], Thresholds(cluster=0.8)) == [[left, middle], [right]]


@given(st.permutations(range(6)))
def test_the_order_of_pages_makes_no_difference(order: list[int]) -> None:
    assert learn(learned(*order)) == learn(learned(*range(6)))


def test_a_title_is_elected_by_links_else_by_the_text_that_repeats_it() -> None:
    def titled(anchors: bool) -> str:
        pages = learned(*range(4))
        pages = pages if anchors else [replace(page, anchors=()) for page in pages]
        (pattern,) = learn(pages).patterns
        return pattern.blocks[pattern.title].feature

    assert titled(True).endswith("/h1")
    assert repeated("abc", "xxabcxx") == 3
    assert repeated("abc", "cba") == pytest.approx(1 / 3)
    assert titled(False) != "div:class=foot/p"


def block(feature: str, varies: float, main: float) -> PatternBlock:
    return PatternBlock(feature, varies, main)


LEARNED = Patterns(
    (
        LayoutPattern(
            (
                block("h4", 0.9, 60),
                block("h1", 0.9, 20),
                block("h2", 0.1, 0),
                block("p", 0.9, 80),
                block("h3", 0.9, 20),
            ),
            5,
            1,
        ),
    )
)
PAGE = "<h4>Early</h4><h1>Title</h1><h2>Static</h2><p>First text</p><p>Second</p><h3>Later</h3>"


def labels(html: str, limits: MatchingLimits) -> list[tuple[str, Label]]:
    page = Document.from_html(html)
    found = match_patterns(page, LEARNED, limits, "layout")
    return [(page.plain(span.start, span.end), span.label) for span in found.spans]


def test_main_text_stands_behind_the_title_and_what_else_varies_is_a_sub_line() -> None:
    assert labels(PAGE, MatchingLimits(sub="all")) == [
        ("Early", Label.HEADING),
        ("Title", Label.TITLE),
        ("First text\n\nSecond", Label.BODY),
        ("Later", Label.HEADING),
    ]


@pytest.mark.parametrize(("sub", "kept"), [("all", 2), ("inside", 1), ("none", 0)])
def test_which_sub_lines_are_kept(sub: str, kept: int) -> None:
    (pattern,) = LEARNED.patterns
    longer = Patterns((replace(pattern, blocks=(*pattern.blocks, block("dl/dd", 0.9, 80))),))
    page = Document.from_html(f"{PAGE}<dl><dd>The last one</dl>")
    found = match_patterns(page, longer, MatchingLimits(sub=sub), "layout").spans
    assert sum(span.label is Label.HEADING for span in found) == kept


def test_a_pattern_must_cover_most_of_a_page() -> None:
    other = f"{PAGE}<address>{'of another layout ' * 3}</address>"
    assert labels(PAGE, MatchingLimits())
    assert labels(other, MatchingLimits()) == []
    assert labels(other, MatchingLimits(match=0.4))


def test_strict_refuses_a_page_that_lacks_a_block() -> None:
    lacking = PAGE.replace("<h3>Later</h3>", "")
    assert labels(lacking, MatchingLimits())
    assert labels(lacking, MatchingLimits(strict=True)) == []
    assert labels(PAGE, MatchingLimits(strict=True))


def test_the_share_is_of_the_pages_letters_and_not_symmetric() -> None:
    found = best_match(
        layout_blocks(Document.from_html("<p>Alone here</p>")), LEARNED, MatchingLimits()
    )
    assert found is not None
    assert found.share == 1
