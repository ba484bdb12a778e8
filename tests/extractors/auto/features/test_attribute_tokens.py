"""Tokens of opening tags and of texts: spelled as defined, and found alike by both programs."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.features import attribute_tokens

LETTERS = "aBz09_- .,©é中ǅİßΣ٣१\u0301\u00a0\ufffc𝔸😀"


def test_a_class_is_read_as_a_word_and_by_its_parts() -> None:
    found = list(attribute_tokens.tokens_of_value("siteHeader nav-2024", "c"))

    assert found == ["c.siteheader", "c-site", "c-header", "c.nav-0", "c-nav"]


def test_a_short_text_is_one_token_and_its_words_too() -> None:
    found = list(attribute_tokens.tokens_of_text("Read 120 more"))

    assert found == ["=read 0 more", "wread", "w0", "wmore", "^read", "$more"]


def test_of_a_long_text_only_the_ends_are_read() -> None:
    found = list(attribute_tokens.tokens_of_text("Nobody knows " + "the sea " * 40 + "at night."))

    assert found == [">nobody knows", "^nobody", "$."]


def test_a_text_without_words_and_signs_says_nothing() -> None:
    assert list(attribute_tokens.tokens_of_text(" \u00a0 ")) == []


def test_only_tokens_of_classes_bear_their_bit() -> None:
    document = Document.from_html('<div class="story"></div><div id="story"></div>')

    of_class, of_id = attribute_tokens.element_tokens(document).token[[0, 2]].tolist()

    assert of_class == of_id | attribute_tokens.OF_CLASS
    assert of_id == crc32(b"c.story") & ~attribute_tokens.OF_CLASS


def test_custom_elements_speak_by_their_names() -> None:
    document = Document.from_html("<app-story>x</app-story>")

    found = attribute_tokens.element_tokens(document)

    assert found.token.tolist() == [crc32(b"napp-story") & ~attribute_tokens.OF_CLASS]


@given(st.text(LETTERS, max_size=90), st.text(LETTERS, max_size=200))
def test_the_compiled_program_finds_the_same(value: str, text: str) -> None:
    document = Document.from_html(
        f'<x-y id="{value}" class="{value}">{text}<p role="{text}">{value}'
    )
    blocks = blocks_of(document)
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")

    for mine, defined in (
        (
            attribute_tokens.element_tokens(document),
            attribute_tokens.element_tokens_in_python(document),
        ),
        (
            attribute_tokens.block_tokens(document, blocks),
            attribute_tokens.block_tokens_in_python(document, blocks),
        ),
    ):
        np.testing.assert_array_equal(mine.owner, defined.owner)
        np.testing.assert_array_equal(mine.token, defined.token)


VALUES = st.sampled_from(["", "a", "b", "card", "cart", "col-6 md", "col-6 ml", "Σίγμα", "x😀y"])


@given(st.lists(st.tuples(st.sampled_from(["id", "class", "role", "dir"]), VALUES), max_size=40))
def test_values_that_come_again_give_the_same_tokens_again(pairs: list[tuple[str, str]]) -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    document = Document.from_html("".join(f'<p {name}="{value}">' for name, value in pairs))

    found = attribute_tokens._element_tokens_compiled(document)
    defined = attribute_tokens.element_tokens_in_python(document)

    assert found.owner.tolist() == defined.owner.tolist()
    assert found.token.tolist() == defined.token.tolist()


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2**32 - 1)), max_size=40))
def test_the_compiled_scores_are_those_of_the_definition(pairs: list[tuple[int, int]]) -> None:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    owners, tokens = [owner for owner, _ in pairs], [token for _, token in pairs]
    found = attribute_tokens.AttributeTokens(
        np.array(owners, dtype=np.int32), np.array(tokens, dtype=np.uint32)
    )
    lexicon = attribute_tokens.Lexicon(np.arange(64, dtype=np.int8) - 9)

    scores = lexicon.score(found, 5)

    assert scores.tolist() == lexicon.score_in_python(found, 5).tolist()


def test_letters_are_folded_as_they_are_alone() -> None:
    assert attribute_tokens.fold("\u039f\u0394\u039f\u03a3 \u0130") == "\u03bf\u03b4\u03bf\u03c3 i"
