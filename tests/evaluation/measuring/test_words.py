"""How texts are cut into words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.evaluation.measuring.words import places, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The dog, the DOG!", ["the", "dog", "the", "dog"]),
        ("a_b c-d 3.14", ["a_b", "c", "d", "3", "14"]),
        ("Straße Ελλάδα", ["straße", "ελλάδα"]),
        ("中文。字", ["中", "文", "字"]),
        ("GDP增长5%", ["gdp", "增", "长", "5"]),
        ("カタ ひら", ["カ", "タ", "ひ", "ら"]),
        ("กขค", ["ก", "ข", "ค"]),
        ("ກຂ", ["ກ", "ຂ"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("image \ufffc here", ["image", "here"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(st.characters(max_codepoint=0x0DFF)))
def test_without_unspaced_scripts_words_are_plain_word_runs(text: str) -> None:
    assert words(text) == re.findall(r"\w+", text.lower())


@given(st.text(st.sampled_from("aé1_ ,中あカกກ한。")))
def test_no_word_character_is_lost(text: str) -> None:
    assert "".join(words(text)) == "".join(re.findall(r"\w", text.lower()))


@given(st.text(st.sampled_from("aÉ1_ ,中あカกກ한。")))
def test_places_are_the_words_where_they_stand(text: str) -> None:
    found = places(text)
    assert [word for word, _, _ in found] == words(text)
    assert all(text[start:end].lower() == word for word, start, end in found)
