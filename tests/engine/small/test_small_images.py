"""Images of a reader page lead to our own smaller ones; whatever else stands in it stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.document.values import Format, ImageSize, Page, Profile, Recipe
from winnow.engine.pipeline import transform

WORDS = "<p>The wheat is thrown up with a wooden shovel, and the wind carries the husks away.</p>"
PAGE = Page(
    f"""<!doctype html><title>Grain</title><article><h1>Grain</h1>{WORDS * 4}
<p>Seen <img src="/a.jpg?x=1&amp;y=2" srcset="/a.jpg 1x, /b.jpg 2x" width="800" height="600"
alt="A &quot;mill&quot; > b"> here, with its <img src="/plan.SVG" alt="plan"> and how it turns
<img src="http://b.example/turning.gif" alt="turning">.</p>{WORDS}</article>""".encode(),
    "https://a.example/story",
)
RECIPE = Recipe("plain", images=ImageSize.SAVING)


def sources(recipe: Recipe) -> list[str | None]:
    tree = LexborHTMLParser(transform(PAGE, recipe).body)
    return [node.attributes["src"] for node in tree.css("img")]


@pytest.mark.parametrize("prefix", ["", "http://127.0.0.1:8080/"])
@pytest.mark.parametrize("size", [ImageSize.SAVING, ImageSize.PHONE])
def test_photographs_are_ours_and_drawings_and_films_the_sites(
    prefix: str, size: ImageSize
) -> None:
    base = prefix.rstrip("/") or "https://winnow.internal"
    assert sources(replace(RECIPE, images=size, link_prefix=prefix)) == [
        f"{base}/-/small/{size}/https://a.example/a.jpg?x=1&y=2",
        f"{prefix}https://a.example/plan.SVG",
        f"{prefix}http://b.example/turning.gif",
    ]


def test_size_and_words_of_an_image_stay_and_its_other_files_go() -> None:
    (image, *_) = LexborHTMLParser(transform(PAGE, RECIPE).body).css("img")
    assert image.attributes["alt"] == 'A "mill" > b'
    assert (image.attributes["width"], image.attributes["height"]) == ("800", "600")
    assert "srcset" not in image.attributes
    plain = transform(PAGE, replace(RECIPE, images=ImageSize.AS_SENT)).body
    assert b"srcset" in plain
    assert b"/-/small/" not in plain


@pytest.mark.parametrize("form", [Format.MARKDOWN, Format.JSON, Format.PRUNED])
def test_other_formats_and_profiles_name_the_sites_own(form: Format) -> None:
    assert b"/-/small/" not in transform(PAGE, replace(RECIPE, format=form)).body
    assert b"/-/small/" not in transform(PAGE, replace(RECIPE, profile=Profile.VOICE)).body
