"""Tokens of whole pages, and what each says of the page's type."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.features.page_tokens import (
    BITS,
    GROUPS,
    SEEN_ON,
    TypeLexicon,
    distinct,
    distinct_in_python,
    head_tokens,
    page_tokens,
    type_lexicon,
    worth,
)
from winnow.extractors.auto.training.training_examples import tokens_of

HEAD = """<title>Kettle 2 for sale</title><meta property="og:type" content="product">
<link rel="canonical" href="https://shop.example/en/kettles/p-1234/steel-kettle?x=1">
<script type="application/ld+json">{"@type": "Product"}</script>"""
PAGE = f"{HEAD}<body class=shop><div itemtype='https://schema.org/Offer'>Add to cart</div>"


def test_the_head_gives_words_of_title_address_and_structured_data() -> None:
    found = set(head_tokens(Document.from_html(PAGE)))

    assert {"kproduct", "ioffer", "oproduct", "tkettle", "fkettles", "lkettle", "hshop"} <= found
    assert {"na-0000", "d3", "-1", "q"} <= found


def test_an_address_that_is_none_gives_no_tokens() -> None:
    broken = '<link rel="canonical" href="http://[x/a">'

    assert set(head_tokens(Document.from_html(broken))) == {"o"}


def test_a_page_has_a_token_once_however_often_it_stands_there() -> None:
    document = Document.from_html("<p class=a>x y<p class=a>x y<p class=a>x y")
    groups = page_tokens(document, *tokens_of(document, blocks_of(document)))

    assert len(groups) == len(GROUPS)
    assert all(len(set(slots.tolist())) == len(slots) for slots in groups)


def test_a_token_of_one_type_speaks_for_it_and_against_the_others() -> None:
    pages, sizes = np.zeros((2, 4)), np.array([50.0, 50.0])
    pages[0, 1], pages[:, 2], pages[0, 3] = 40, 25, SEEN_ON - 1
    scores = worth(pages, sizes)

    assert scores[0, 1] > 6
    assert scores[1, 1] < -6
    assert scores[:, 0].tolist() == scores[:, 2].tolist() == scores[:, 3].tolist() == [0, 0]


def test_pages_like_those_learned_from_are_scored_as_their_type() -> None:
    typed = [(kind, (np.array([kind + 1, 7]),)) for kind in (0, 1) for _ in range(20)]
    found = type_lexicon(typed, 2).score((np.array([2, 7]), np.array([], dtype=np.intp)))

    assert found.shape == (4,)
    assert found[1] > 0 > found[0]
    assert found[2:].tolist() == [0, 0]


def test_tokens_that_are_worth_nothing_do_not_weaken_the_others() -> None:
    scores = np.zeros((1, 1 << BITS), dtype=np.int8)
    scores[0, 5] = 6
    lexicon = TypeLexicon(scores)

    assert lexicon.score([np.array([5])]) == lexicon.score([np.arange(9)]) == 1


@given(st.lists(st.integers(0, 2**32 - 1), max_size=60))
def test_the_compiled_slots_are_those_of_the_definition(tokens: list[int]) -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    row = np.array(tokens, dtype=np.uint32)

    assert distinct(row).tolist() == distinct_in_python(row).tolist()


@given(
    st.lists(st.lists(st.integers(0, 15), max_size=9), max_size=3),
    st.lists(st.integers(-15, 15), min_size=48, max_size=48),
)
def test_the_compiled_worths_are_those_of_the_definition(
    groups: list[list[int]], scores: list[int]
) -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    lexicon = TypeLexicon(np.array(scores, dtype=np.int8).reshape(3, 16))
    tokens = [np.array(slots, dtype=np.int64) for slots in groups] or [np.zeros(0, dtype=np.int64)]

    assert lexicon.score(tokens).tolist() == lexicon.score_in_python(tokens).tolist()


def test_slots_that_there_are_not_are_refused() -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    lexicon = TypeLexicon(np.zeros((3, 16), dtype=np.int8))

    for slot in (-1, 16):
        with pytest.raises(ValueError, match="row for each slot"):
            lexicon._score_compiled([np.array([slot])])
