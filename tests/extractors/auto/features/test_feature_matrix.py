"""The matrix of features: what some of them mean; the compiled program writes the defined ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.extractors.auto.pages import article, page
from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.features import attribute_tokens, feature_matrix

WORDS = ("Boats", "come", "home.", "Read", "more,", "12", "€", "海上の船。", "😀", "come home now")
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join)
OPEN = st.sampled_from(
    """<div> <div/class="card"> <div/class="card"> <ul><li> <li> <p> <h1> <h3> <a/href=x> <nav>
    <article> <table><tr><td> <td> <p/class="lead"/hidden> <img/src=x> <br><br> <hr>""".split()
)
CLOSE = st.sampled_from(("</div>", "</ul>", "</p>", "</a>", "</nav>", "</article>", "</table>"))
PAGES = st.lists(st.one_of(TEXT, OPEN, CLOSE), max_size=120).map("".join)


def _both(html: str) -> tuple[feature_matrix.Matrix, feature_matrix.Matrix] | None:
    document = Document.from_html(html)
    blocks, lexicon = blocks_of(document), shipped().lexicon
    if not len(blocks):
        return None
    tokens = attribute_tokens.element_tokens(document)
    element_scores = lexicon.score(tokens, len(document.elements))
    block_scores = lexicon.score(attribute_tokens.block_tokens(document, blocks), len(blocks))
    told = (document, blocks, tokens, element_scores, block_scores)
    return feature_matrix.matrix_of(*told), feature_matrix.matrix_in_python(*told)


@given(st.builds(page, PAGES, title=TEXT))
def test_the_compiled_program_finds_the_same(html: str) -> None:
    require_module(
        "winnow.extractors.auto.features._features", "a C compiler (gcc) and Python's headers"
    )

    both = _both(html)

    assert both is not None  # the chrome has text
    for mine, defined in zip(*both, strict=True):
        np.testing.assert_array_equal(mine, defined)


def test_the_compiled_program_finds_the_same_where_there_is_little() -> None:
    require_module(
        "winnow.extractors.auto.features._features", "a C compiler (gcc) and Python's headers"
    )

    for html in ("x", "<p>x", "<img src=x>", "<title>come home now</title><h1>come home now</h1>"):
        both = _both(html)
        assert both is not None
        for mine, defined in zip(*both, strict=True):
            np.testing.assert_array_equal(mine, defined)


def test_no_row_is_without_a_name_and_the_model_knows_them_all() -> None:
    both = _both(article())

    assert both is not None
    assert both[1].rows.shape[1] == len(feature_matrix.names())
    assert feature_matrix.names() == shipped().names


def _row(html: str, feature: str) -> list[float]:
    both = _both(html)
    assert both is not None
    found: list[float] = both[0].rows[:, feature_matrix.names().index(feature)].tolist()
    return found


def test_repeated_texts_are_counted_and_marked() -> None:
    html = "<p>Boats</p><p>come</p><p>Boats</p>"

    assert _row(html, "times said") == [2, 1, 2]
    assert _row(html, "said before") == [0, 0, 1]


def test_blocks_are_counted_from_the_one_that_the_title_names() -> None:
    html = "<title>Boats come home - Herald</title><p>x</p><h1>Boats come home</h1><p>y</p><p>z</p>"

    assert _row(html, "blocks since the title") == [-1, 0, 1, 2]


def test_three_siblings_that_look_alike_make_a_row_of_cards() -> None:
    card = '<div class="card"><p>Boats come home</p></div>'

    assert _row(f"<div>{card * 3}</div><p>x</p>", "cards") == [3, 3, 3, -1]
    assert _row(f"<div>{card * 2}</div><p>x</p>", "cards") == [-1, -1, -1]


def test_blocks_of_the_same_path_are_alike_whether_or_not_they_are_neighbours() -> None:
    both = _both('<p class="a">x</p><h2>y</h2><p class="b">x</p><p class="a">z</p>')

    assert both is not None
    assert both[0].alike.tolist() == [[0, 1, 2, 0], [0, 1, 0, 0]]
