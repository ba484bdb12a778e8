"""The content structure of pages whose boxes are written down: no browser."""

from itertools import pairwise

import pytest

from tests.extractors.vips.layouts import laid_out, text_in
from winnow.document.document import Document
from winnow.extractors.vips.content_structure import ContentBlock, coherence, content_structure
from winnow.extractors.vips.visual_tree import VisualTree

NEWS = """<body box='0 0 1000 1000'>
<header box='0 0 1000 100' bg=navy><p box='0 0 900 50'>Daily</p><p box='0 60 900 90'>Flood</p>
</header>
<main box='0 140 1000 940'>
 <nav box='0 140 200 940'><p box='0 140 200 160'>Home</p><p box='0 170 200 190'>Sport</p></nav>
 <article box='260 140 1000 940'>
  <p box='260 140 1000 400'>The river rose.</p><p box='260 405 1000 700'>It fell again.</p>
  <p box='260 705 1000 940'>All is well.</p>
 </article>
</main>
<footer box='0 980 1000 1000' bg=grey>Imprint</footer>"""


def texts(tree: VisualTree, blocks: tuple[ContentBlock, ...], parent: int) -> list[str]:
    return [
        " ".join(" ".join(text_in(tree, *each).split()) for each in block.ranges)
        for block in blocks
        if block.parent == parent
    ]


def test_the_strongest_separators_part_the_page_first() -> None:
    tree = laid_out(NEWS)
    blocks = content_structure(tree, 1)
    assert texts(tree, blocks, -1) == [
        "Daily Flood Home Sport The river rose. It fell again. All is well. Imprint"
    ]
    assert texts(tree, blocks, 0) == [
        "Daily Flood",
        "Home Sport The river rose. It fell again. All is well.",
        "Imprint",
    ]


def test_columns_are_parted_where_no_block_stands_across() -> None:
    tree = laid_out(NEWS)
    assert texts(tree, content_structure(tree, 5), 2) == []
    assert texts(tree, content_structure(tree, 6), 2) == [
        "Home Sport",
        "The river rose. It fell again. All is well.",
    ]


def test_a_finer_granularity_cuts_further_and_keeps_what_was_cut() -> None:
    tree = laid_out(NEWS)
    found = [{block.ranges for block in content_structure(tree, each)} for each in range(1, 11)]
    assert all(coarse <= fine for coarse, fine in pairwise(found))
    assert len(found[0]) < len(found[-1])


COLOURS = """<body box='0 0 1000 1000'><p box='0 0 900 100' bg=navy>Head</p><hr box='0 150 900 152'>
<p box='0 300 900 500' bg=red>One</p><p box='0 530 900 900' bg=blue font='20 700'>Two</p>"""


def test_what_is_coherent_enough_for_the_granularity_is_not_parted() -> None:
    tree = laid_out(COLOURS)
    found = [texts(tree, content_structure(tree, each), 0) for each in (1, 3, 4)]
    assert found == [["Head", "One Two"]] * 3
    parts = [texts(tree, content_structure(tree, each), 2) for each in (1, 3, 4)]
    assert parts == [[], [], ["One", "Two"]]


def test_at_10_a_text_is_parted_by_its_fonts() -> None:
    tree = laid_out("<body box='0 0 9 9'>one <b font='16 700'>two</b> three<p>four</p>")
    found = [content_structure(tree, each) for each in (9, 10)]
    leaves = [
        [text for at in range(len(blocks)) for text in texts(tree, blocks, at)] for blocks in found
    ]
    assert "one two three" in leaves[0]
    assert not {"one", "two", "three"} & set(leaves[0])
    assert {"one", "two", "three", "four"} <= set(leaves[1])


def test_a_block_is_nowhere_more_coherent_than_what_is_inside_it() -> None:
    blocks = content_structure(laid_out(NEWS), 10)
    assert all(blocks[block.parent].degree <= block.degree for block in blocks[1:])
    assert all(1 <= block.degree <= 10 for block in blocks)


def test_parents_come_first_and_hold_their_children() -> None:
    blocks = content_structure(laid_out(NEWS), 10)
    for index, block in enumerate(blocks[1:], 1):
        assert block.parent < index
        outer = blocks[block.parent].ranges
        assert all(any(a <= c and d <= b for a, b in outer) for c, d in block.ranges)


def test_what_cannot_be_seen_is_in_no_block() -> None:
    tree = laid_out("<body box='0 0 9 9'><p>seen</p><p hidden>hidden</p><p box='0 0 0 0'>no</p>")
    assert tree.shown.tolist() == [True, False, False]
    assert not content_structure(laid_out("<p>words</p>"), 8)


@pytest.mark.parametrize("html", ["<div box='0 0 9 9'>x" * 500, "<div box='0 0 9 9'>" * 500])
def test_no_depth_of_a_page_is_too_deep(html: str) -> None:
    blocks = content_structure(laid_out(html + "y"), 10)
    assert blocks[0].ranges


@pytest.mark.parametrize(("weight", "degree"), [(-1, 10), (0, 10), (3, 8), (9, 4), (99, 1)])
def test_the_stronger_the_separator_the_less_coherent(weight: int, degree: int) -> None:
    assert coherence(weight) == degree


def test_an_empty_page_has_no_blocks() -> None:
    assert content_structure(laid_out(""), 8) == ()
    assert len(Document.from_html("").pieces) == 0
