"""How pages look: a word that is kept, a style that is put in."""

from __future__ import annotations

from itertools import product

import pytest

from winnow.config.appearance import Appearance, Spacing, TextSize, Theme, Typeface, Width
from winnow.document.render.reader.style import STYLE
from winnow.proxy.own.templates.in_page.appearance_style import (
    CHOICES,
    IN_BAR,
    css_of,
    live_css,
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
    styled = [kind for name, kind in CHOICES.items() if name != "voice"]
    assert len(found) == sum(len(kind) - 1 for kind in styled) + 1


def test_a_word_says_all_of_it() -> None:
    for chosen in product(*CHOICES.values()):
        looks = Appearance(*chosen)  # type: ignore[arg-type]  # product forgets which is which
        assert read_word(word_of(looks), DARK) == looks


@pytest.mark.parametrize(
    "word", ["", "huge", "huge.wide.wide.legible.sepia.on.more", "....", "a.b"]
)
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


def test_a_word_of_before_reading_aloud_could_be_chosen_is_read() -> None:
    assert read_word("huge.wide.wide.legible.sepia", DARK) == CHANGED


def test_the_defaults_are_what_the_style_sheet_says() -> None:
    """They are written out where another choice is stored, and the default is tried."""
    live = live_css()
    spaces = str.maketrans("", "", " ")
    for name in IN_BAR:
        value = getattr(Appearance(), name)
        rules = live.partition(f"[name={name}] [value={value}]:checked)")[2]
        declared = rules.partition("{")[2].partition("}")[0].split(";")
        for declaration in filter(None, declared):
            property_, _, text = declaration.partition(":")
            if property_ not in ("font-size", "letter-spacing", "word-spacing"):
                assert text.translate(spaces) in STYLE.translate(spaces), declaration


def test_every_choice_has_a_rule_the_defaults_too() -> None:
    live = live_css()
    assert "[name=theme] [value=dark]:checked" in live
    assert "[name=size] [value=usual]:checked" in live
    assert live.count("{") == live.count("}")
