"""The 41 features, feature by feature, on a page made for this."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.extractors.memory.element_features import (
    ABSENT,
    NAMES,
    NO,
    NUMERIC,
    SYMBOLS,
    YES,
    features,
)
from winnow.extractors.memory.text_slots import slots_of

PAGE = "<body><h1>LOUD TITLE</h1><p>A sentence.<b>bold</b> and a tail”</p></body>"


def row(name: str, html: str = PAGE) -> dict[str, int]:
    """The features of the first element of a name."""
    document = Document.from_html(html)
    slots = slots_of(document)
    names = [document.name_of(element) for element in slots.elements]
    return dict(zip(NAMES, features(document, slots)[names.index(name)].tolist(), strict=True))


def test_there_are_41_and_12_to_25_are_numbers() -> None:
    assert len(NAMES) == 41
    assert [index + 1 for index, number in enumerate(NUMERIC) if number] == list(range(12, 26))


def test_tags_around_an_element_count() -> None:
    found = row("p")
    around = [SYMBOLS[found[f"tag {step:+d}"]] for step in range(-5, 6)]
    assert around == ["#", "#", "html", "body", "h1", "p", "b", "#", "#", "#", "#"]


def test_lengths_are_characters_of_texts_and_tails() -> None:
    found = row("p")
    assert [found[f"text length {step:+d}"] for step in (-1, 0, 1, 2)] == [10, 11, 4, 0]
    assert [found[f"tail length {step:+d}"] for step in (0, 1)] == [0, 11]


def test_capitals_are_more_than_seven_tenths_of_the_letters() -> None:
    assert row("h1")["text in capitals"] == YES
    assert row("p")["text in capitals"] == NO
    assert row("h1", "<h1>ABCDEFG hij</h1>")["text in capitals"] == NO
    assert row("body")["text in capitals"] == ABSENT


def test_a_sentence_ends_with_a_mark_or_a_quote() -> None:
    found = row("p")
    assert found["text ends a sentence +0"] == YES
    assert found["text ends a sentence +1"] == NO
    assert found["tail ends a sentence +1"] == YES
    assert found["tail ends a sentence +0"] == ABSENT


def test_a_page_without_text_has_features_too() -> None:
    document = Document.from_html("")
    assert features(document, slots_of(document)).shape == (2, 41)
