"""Who and when stand once: in the line below the headline."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Profile, Recipe, Span

TEXT = "<p>The water rose by a metre in one night, and in the morning it still stood there.</p>" * 3
HEAD = (
    '<meta name="author" content="Jane Doe">'
    '<meta property="article:published_time" content="2026-03-09T10:00:00Z">'
)


def article(lines: str, lang: str = "en", **recipe: object) -> str:
    page = f"<html lang={lang}><head>{HEAD}</head><body><h1>The river</h1>{lines}{TEXT}</body>"
    document = Document.from_html(page, "https://example.org/news/1")
    everything = Extraction("all", (Span(0, len(document.text)),))
    renderer = renderer_for(Recipe(**recipe))  # type: ignore[arg-type]  # the recipe's own
    return renderer.render(document, everything).body.decode()


def text_of(lines: str, lang: str = "en") -> str:
    body = article(lines, lang)
    return (
        body.partition('<p class="winnow-about">')[2].partition("</p>")[2].partition("The water")[0]
    )


@pytest.mark.parametrize(
    ("lines", "lang"),
    [
        ("<p>By Jane Doe</p>", "en"),
        ("<p>By <a href=/jane>Jane Doe</a> | March 9, 2026</p>", "en"),
        ("<p>Jane Doe</p><p>Published on March 9, 2026</p>", "en"),
        ("<p>Written by Jane Doe · 5 min read</p>", "en"),
        ("<div>March 9, 2026<br>by Jane Doe</div>", "en"),
        ("<p>Von Jane Doe</p><p>9. März 2026</p>", "de"),
    ],
)
def test_lines_that_say_it_again_go(lines: str, lang: str) -> None:
    assert text_of(lines, lang).replace("<p>", "").strip() == ""
    assert article(lines, lang).count("Jane Doe") == 1


@pytest.mark.parametrize(
    "lines",
    [
        "<p>Jane Doe is a hydrologist.</p>",
        "<p>Updated March 9, 2026</p>",
        "<h2>Jane Doe</h2>",
        "<p>Thursday</p>",
    ],
)
def test_lines_that_say_more_stay(lines: str) -> None:
    assert lines.replace("<div>", "") in text_of(lines) + "</p>"


def test_the_second_time_is_no_byline() -> None:
    assert "Jane Doe" in text_of("<p>By Jane Doe</p><p>Jane Doe</p>")


def test_formats_without_a_byline_line_keep_all() -> None:
    assert "By Jane Doe" in article("<p>By Jane Doe</p>", format=Format.MARKDOWN)
    assert "Jane Doe" in article("<p>By Jane Doe</p>", format=Format.TEXT)
    assert "Jane Doe" in article("<p>By Jane Doe</p>", profile=Profile.VOICE)
