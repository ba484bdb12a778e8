"""The pruned page keeps its headline, its main landmark, and what the reader page keeps."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.spans import Record
from winnow.document.values import Extraction, Format, Page, Recipe, Span
from winnow.engine.pipeline import transform

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


def test_where_no_main_landmark_is_kept_the_element_around_the_text_is_it() -> None:
    text = f"<div id=b><p>{STEP}<p>{STEP}</div>Menu"
    assert '<div id="a" role="main">' in pruned(f"<div id=a><h1>Cake</h1>{text}</div>")
    found = pruned(f"<main></main><header><h1>Cake</h1></header>{text}")
    assert '<div id="b" role="main">' in found
    assert found.count("main") == 1
    assert "main" not in pruned(f"<h1>Outside of all landmarks</h1>{text}")


def test_a_main_landmark_of_the_page_is_enough() -> None:
    assert "role" not in pruned(f"<main><div><p>{STEP}</div></main>")
    assert pruned(f"<div role=main><div><p>{STEP}</div></div>").count("role") == 1


def test_author_and_day_stand_below_the_headline_if_the_text_kept_does_not_say_them() -> None:
    head = "<meta name=author content='Ada Baker'><div><h1>The cake</h1><p>By Ada Baker</p></div>"
    found = pruned(f"{head}<p>{STEP}</p>")
    assert "<h1>The cake</h1><p>Ada Baker</p>" in found
    assert pruned(f"{head}<p>Ada Baker: {STEP}</p>").count("Ada Baker") == 2  # and in the head


def test_posts_say_who_wrote_them_and_comments_stay() -> None:
    posts = "".join(
        f"<li class=comment id=c{number}><b class=author>{name}</b> "
        f"<time datetime=2026-03-0{number}>{number} March</time>"
        f"<p>{STEP * 3} Yours, no {number}.</p>"
        for number, name in enumerate(("Ada", "Ben", "Cleo"), 1)
    )
    text = f"<p>{STEP * 9}</p>" * 4
    comments = f"<ol id=comments class=commentlist>{posts}</ol>"
    page = f"<body><article><h1>The cake</h1>{text}</article>{comments}"
    found = transform(Page(page.encode()), Recipe(format=Format.PRUNED)).body.decode()
    assert found.count("Yours, no") == 3
    assert all(name in found for name in ("Ada", "Ben", "Cleo"))


def test_the_line_of_a_post_that_is_a_row_stands_in_its_first_cell() -> None:
    document = Document.from_html(f"<table><tr><td>{STEP}<tr><td>{STEP}</table>")
    row = document.elements_named("tr")[1]
    post = Record((Span(len(STEP), len(document.text)),), row, author="Ada")
    found = Extraction("some", (Span(0, len(document.text)),), records=(post,))
    shown = renderer_for(Recipe(format=Format.PRUNED)).render(document, found).body.decode()
    assert f"<tr><td><small>Ada</small><br>{STEP}" in shown
