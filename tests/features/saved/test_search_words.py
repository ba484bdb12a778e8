"""Words for FTS5, compared with their definition in a real index."""

from __future__ import annotations

import sqlite3
import unicodedata
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.features.saved.stores.search_words import TOKENIZER, folded, indexed, match_of

HAN = st.text("東京都庁の風ไทยลาว", min_size=1, max_size=12)


def found(text: str, query: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as database:
        table = f'CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = "{TOKENIZER}")'
        database.execute(table)
        database.execute("INSERT INTO search VALUES (?)", (indexed(text),))
        if not (match := match_of(query)):
            return False
        rows = database.execute("SELECT 1 FROM search WHERE search MATCH ?", (match,))
        return rows.fetchone() is not None


@given(HAN, HAN)
def test_letters_without_spaces_are_found_wherever_they_stand(text: str, query: str) -> None:
    assert found(text, query) == (query in text)


@given(HAN, HAN)
def test_the_same_in_quotation_marks(text: str, query: str) -> None:
    assert found(text, f'"{query}"') == (query in text)


@given(st.text(), st.text())
def test_no_text_and_no_query_is_an_error(text: str, query: str) -> None:
    found(text.encode("utf-8", "replace").decode(), query.encode("utf-8", "replace").decode())


@given(st.lists(st.text("abcdé", min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_every_word_is_found_by_its_beginning(words: list[str], data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(words))
    size = data.draw(st.integers(min(2, len(word)), len(word)))
    assert found(" ".join(words), word[:size]) or size < 2


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Der Zürcher Föhn", "zurcher fohn"),
        ("Ελλάδα", "ελλαδα"),
        ("हिन्दी भाषा", "हिन्दी"),
        ("한국어 신문", "한국어"),
        ("東京tower", "tower"),
        ("東京tower", "東京 tow"),
        ("the wind in the willows", '"wind in the"'),
        ("don't panic", "don't"),
        ("カ゛ガ", "ガ"),
    ],
)
def test_found(text: str, query: str) -> None:
    assert found(text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the wind in the willows", '"willows wind"'),
        ("the wind", "window"),
        ("another", "a"),
        ("東京都", "京東"),
        ("anything", "..."),
    ],
)
def test_not_found(text: str, query: str) -> None:
    assert not found(text, query)


@given(st.text())
def test_case_and_accents_are_no_difference(text: str) -> None:
    upper = unicodedata.normalize("NFD", text.casefold())
    assert folded(upper) == folded(text)
