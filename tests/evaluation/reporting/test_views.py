"""What was missed and what was added, and how a view is packed."""

import base64
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.evaluation.measuring.words import places, words
from winnow.evaluation.reporting import views
from winnow.evaluation.reporting.views import Ranges, difference, packed_view

TEXTS = st.text(st.sampled_from("abc de,中\n"), max_size=40)


def outside(text: str, ranges: Ranges) -> list[str]:
    return [
        word
        for word, start, end in places(text)
        if not any(first <= start and end <= last for first, last in ranges)
    ]


@given(TEXTS, TEXTS)
def test_what_is_neither_missed_nor_added_is_common(extracted: str, gold: str) -> None:
    found = difference(extracted, gold)
    assert outside(gold, found.missed) == outside(extracted, found.added)


@given(TEXTS)
def test_a_text_differs_nowhere_from_itself(text: str) -> None:
    assert difference(text, text) == views.Difference([], [])


def test_words_missed_in_a_row_are_one_range() -> None:
    found = difference("Home News. The dog barked", "The dog barked. By Ann")
    assert found.added == [(0, 9)]
    assert found.missed == [(16, 22)]


def test_texts_too_long_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_TOO_LONG", 3)
    assert not difference("a b", "c d").whole


def test_a_view_is_unpacked_as_the_script_does() -> None:
    raw = base64.b64decode(packed_view("The dog", {"bte": "Menu The dog"}))
    view = json.loads(zlib.decompress(raw, -zlib.MAX_WBITS))
    assert view["gold"] == "The dog"
    assert view["outputs"] == [
        {"subject": "bte", "text": "Menu The dog", "missed": [], "added": [0, 4], "whole": True}
    ]
    assert words(view["outputs"][0]["text"][0:4]) == ["menu"]
