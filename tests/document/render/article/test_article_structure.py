"""Lists that hold pictures alone are written without bullets; a word makes a list one again."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Recipe, Span

PICTURE = "<li><img src=/{}.png alt=Alder>{}</li>"


def shown(items: str) -> str:
    document = Document.from_html(f"<p>The lake in winter.</p><ul>{items}</ul>", "http://a.example")
    whole = Extraction("all", (Span(0, len(document.text)),))
    return renderer_for(Recipe()).render(document, whole).body.decode()


@pytest.mark.parametrize("end", ["", "<figcaption>The shore</figcaption>"])
def test_pictures_alone_are_no_list(end: str) -> None:
    pictures = "".join(PICTURE.format(number, end) for number in range(3))
    found = shown(pictures.replace("<img", "<figure><img").replace("</li>", "</figure></li>"))
    assert found.count("<img") == 3
    assert "<li>" not in found


@pytest.mark.parametrize(
    "items",
    [
        PICTURE.format(1, "Spoken") + PICTURE.format(2, ""),
        PICTURE.format(1, ""),
        "<li>One</li><li>Two</li>",
    ],
    ids=["a word", "one picture", "words"],
)
def test_other_lists_keep_their_bullets(items: str) -> None:
    assert "<li>" in shown(items)
