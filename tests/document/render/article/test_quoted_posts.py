"""Posts of other sites stay where a text quotes them."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Recipe, Span

POST = '<blockquote class="{}"><p>Hello</p>A. Cook <a href=/1>2 May</a></blockquote>'


def shown(html: str, form: Format = Format.MARKDOWN) -> str:
    """A page of which a method keeps the paragraphs that say Text."""
    document = Document.from_html(html)
    pieces = zip(document.pieces.start.tolist(), document.pieces.end.tolist(), strict=True)
    spans = (Span(*piece) for piece in pieces if "Text" in document.text[slice(*piece)])
    renderer = renderer_for(Recipe(format=form))
    return renderer.render(document, Extraction("some", tuple(spans))).body.decode()


@pytest.mark.parametrize("name", ["twitter-tweet", "instagram-media", "x tiktok-embed"])
@pytest.mark.parametrize("page", ["<p>Text</p>{}<p>Text</p>", "<p>Text</p>{}", "{0}{0}<p>Text</p>"])
def test_a_quoted_post_is_a_quotation_with_author_date_and_link(name: str, page: str) -> None:
    found = shown(page.format(POST.format(name)))

    assert "> Hello" in found
    assert "> A. Cook [2 May](/1)" in found


@pytest.mark.parametrize(
    "page",
    [
        "<p>Text</p><p>Other</p>" + POST.format("twitter-tweet"),
        "<p>Text</p>" + POST.format("note"),
        "<p>Text</p><div hidden>" + POST.format("twitter-tweet") + "</div>",
    ],
)
def test_other_quotations_stay_out(page: str) -> None:
    assert "Hello" not in shown(page)


def test_plain_text_has_them_too() -> None:
    found = shown("<p>Text</p>" + POST.format("twitter-tweet"), Format.TEXT)
    assert found.startswith("Text\n\n")
    assert "2 May" in found


def test_players_without_a_name_are_told_apart() -> None:
    player = '<iframe src="https://video.example/{}"></iframe>'
    captioned = f"<figure>{player}<figcaption>Text of a caption</figcaption></figure>"
    page = "".join(f"<p>Text {player.format(n)}</p>" for n in range(2)) + captioned.format(3)
    document = Document.from_html(page)
    extraction = Extraction("all", (Span(0, len(document.text)),))
    found = renderer_for(Recipe()).render(document, extraction).body.decode()

    assert ">Video (video.example)<" in found
    assert ">Video 2 (video.example)<" in found
    assert ">Text of a caption (video.example)<" in found
