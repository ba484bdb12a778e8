"""How pages look: a word that is kept, a style that is put in."""

from __future__ import annotations

from itertools import product

import pytest

from winnow.config.appearance import Appearance, Spacing, TextSize, Theme, Typeface, Width
from winnow.proxy.own.templates.appearance_style import (
    CHOICES,
    css_of,
    read_fields,
    read_word,
    style_of,
    word_of,
)

DARK = Appearance(theme=Theme.DARK)
CHANGED = Appearance(TextSize.HUGE, Width.WIDE, Spacing.WIDE, Typeface.LEGIBLE, Theme.SEPIA)


def test_what_is_usual_leaves_the_page_alone() -> None:
    assert style_of(Appearance()) == b""


def test_every_other_choice_has_rules_of_its_own() -> None:
    found = {
        css_of(read_fields({name: choice}, Appearance()))
        for name, kind in CHOICES.items()
        for choice in kind
    }
    assert len(found) == sum(len(kind) - 1 for kind in CHOICES.values()) + 1


def test_a_word_says_all_of_it() -> None:
    for chosen in product(*CHOICES.values()):
        looks = Appearance(*chosen)  # type: ignore[arg-type]  # product forgets which is which
        assert read_word(word_of(looks), DARK) == looks


@pytest.mark.parametrize("word", ["", "huge", "huge.wide.wide.legible.sepia.more", "....", "a.b"])
def test_what_is_no_word_is_as_usual(word: str) -> None:
    assert read_word(word, DARK) == DARK


def test_nonsense_in_one_field_leaves_the_others() -> None:
    assert read_word("huge.</style>.wide.legible.sepia", DARK) == Appearance(
        TextSize.HUGE, Width.USUAL, Spacing.WIDE, Typeface.LEGIBLE, Theme.SEPIA
    )


def test_the_style_is_for_the_screen_and_closes_what_it_opens() -> None:
    css = css_of(CHANGED)
    assert css.startswith("@media screen{")
    assert css.count("{") == css.count("}")
    assert style_of(CHANGED) == f"<style>{css}</style>".encode()
