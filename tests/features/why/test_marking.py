"""The mark at which a marked page is shown first."""

from __future__ import annotations

import re

import pytest

from winnow.document.values import Page, Recipe
from winnow.features.why.jobs import FIRST, MarkTexts, RemovalReason
from winnow.features.why.marking import with_marks

WORDS = "The ferry leaves at nine and comes back before the tide turns. " * 9
MARKUP = (
    f"<!doctype html><html lang=en><title>Harbour</title><body><main><h1>Harbour</h1>"
    f"<p>{WORDS}</p><p>{WORDS}</p></main><aside><p>Lodgings above the chandler are let by the week."
    "</aside><footer><p>Printed in the harbour office.</footer></body></html>"
)
PAGE = Page(MARKUP.encode(), "http://harbour.example/", "utf-8")


def shown_first(recipe: Recipe, stored: str = "") -> tuple[str, str]:
    """The kind of the mark that is shown first, and the words behind it."""
    gone = {each.value: "Left out." for each in RemovalReason}
    texts = MarkTexts(gone, "Kept.", "Keep", "Drop", "/", "/", "/part?", stored)
    markup = with_marks(PAGE, recipe, texts, {})
    marks = re.findall(
        rf'<i id="{FIRST}"></i><a data-winnow-note="(\w+)".*?</a>(?:<[^>]*>)*(\w+)', markup
    )
    ((kind, word),) = marks
    return kind, word


@pytest.mark.parametrize("stored", ["", "no-such-part", "h1:::"])
def test_it_is_that_of_the_first_part_left_out(stored: str) -> None:
    assert shown_first(Recipe("bte", drop=("aside",)), stored) == ("gone", "Lodgings")


def test_after_a_rule_was_stored_it_is_that_of_its_part() -> None:
    assert shown_first(Recipe("bte", drop=("aside",)), "footer") == ("kept", "Printed")
