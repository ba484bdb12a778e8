"""What a step behind the method takes of a page's gold text."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.evaluation.measuring.steps import lost_recall, steps_table, that_lose_much

TEXT = "one two three four five six seven eight"


def test_a_step_loses_what_it_takes_of_the_gold_text() -> None:
    document = Document.from_html(f"<p>{TEXT}</p>")
    every = Extraction("some", (Span(0, len(TEXT)),))
    half = Extraction("some", (Span(0, TEXT.index(" five")),))

    losses = lost_recall(document, [("method", every), ("first", half), ("next", every)], TEXT)

    assert losses == {"first": pytest.approx(0.5), "next": pytest.approx(-0.5)}


def test_pages_that_lose_much_are_counted_and_named_with_what_explains_it() -> None:
    pages = {"713": {"first": 0.5}, "b": {"first": 0.4}, "c": {"first": 0.0}}
    losses = {"canola": pages}

    line = ["canola", "first", "3", "+0.3000", "2", "2", "1"]
    assert steps_table(losses).splitlines()[1].split() == line
    assert list(that_lose_much(losses)) == [
        "canola\t713\tfirst\t0.500\tthe gold has readers' comments",
        "canola\tb\tfirst\t0.400\tunexplained",
    ]
