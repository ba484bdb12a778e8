"""The sentence between headline and text by which a page describes itself is its deck."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.engine.net.deck import deck_of

DECK = "Rope wears out sooner than those who buy it believe, a survey finds."
PAGE = (
    '<meta property="og:description" content="{said}"><body>{above}<h1>Rope</h1><p>{deck}</p>'
    "<p>By A. Ferris</p><p>The harbour bought 90 metres.</p>"
)


def deck(said: str = DECK, above: str = "", said_below: str = DECK) -> str:
    """What is added where the paragraph on the harbour is kept."""
    document = Document.from_html(PAGE.format(said=said, above=above, deck=said_below))
    pieces = document.pieces
    texts = [document.text[a:b] for a, b in zip(pieces.start, pieces.end, strict=True)]
    kept = np.array([text.startswith("The harbour") for text in texts], dtype=np.bool_)
    return " ".join(np.array(texts, dtype=object)[deck_of(document, kept)])


@pytest.mark.parametrize("said", [DECK, f"{DECK[:-15]}\u2026", DECK.upper()])
def test_it_belongs_to_the_text(said: str) -> None:
    assert deck(said) == DECK


def test_another_sentence_there_is_none() -> None:
    assert deck("All about rope, twine, hawsers and what holds them.") == ""
    assert deck("Rope wears out") == deck("") == ""


def test_a_hidden_one_is_none() -> None:
    assert deck(said_below="", above="").strip() == ""
    assert deck(said_below=f"</p><p hidden>{DECK}").strip() == ""


def test_what_a_site_says_of_itself_above_the_headline_is_none() -> None:
    assert deck(above=f"<p>{DECK}</p>", said_below="Tuesday") == ""
