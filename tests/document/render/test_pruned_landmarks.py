"""The pruned page keeps its headline, its main landmark, and what the reader page keeps."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Recipe, Span

STEP = "Stir the butter and the sugar until the mixture is pale and light."


def pruned(html: str) -> str:
    """A page of which a method keeps the paragraphs with STEP alone."""
    document = Document.from_html(html)
    pieces = zip(document.pieces.start.tolist(), document.pieces.end.tolist(), strict=True)
    kept = tuple(Span(*piece) for piece in pieces if STEP in document.text[slice(*piece)])
    renderer = renderer_for(Recipe(format=Format.PRUNED))
    return renderer.render(document, Extraction("some", kept)).body.decode()


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        ("<header><h1>The <i>cake</i></h1></header>", "<h1>The <i>cake</i></h1>"),
        ("<h1 hidden>Menu</h1><h1>The cake</h1>", "<h1>The cake</h1>"),
        ("<h1><img src=logo.png></h1><h1>The cake</h1>", "<h1>The cake</h1>"),
    ],
)
def test_the_headline_stays(head: str, kept: str) -> None:
    found = pruned(f"{head}<nav>Home</nav><main><p>{STEP}</p></main><h1>Another</h1>")
    assert kept in found
    assert found.count("<h1") == 1
    assert f"<main><p>{STEP}</p></main>" in found
    assert "Home" not in found


def test_a_headline_that_was_kept_is_enough() -> None:
    assert "Site" not in pruned(f"<h1>Site</h1><h1>{STEP}</h1><p>{STEP}</p>")


def test_a_caption_and_a_quoted_post_stay() -> None:
    figure = f"<figure><p>{STEP}</p><figcaption>The bowl</figcaption></figure>"
    post = "<blockquote class=twitter-tweet><p>What a cake</p></blockquote>"
    found = pruned(f"{figure}{post}<p>{STEP}</p>")
    assert "The bowl" in found
    assert "What a cake" in found
