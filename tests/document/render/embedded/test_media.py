"""What stands for images and drawings, so that nobody hears a thing twice or nothing at all."""

from __future__ import annotations

import pytest

from tests.document.render.pages import shown

CIRCLE = "<circle r=30 cx=40 cy=40 /><path d='M0 0h9' /><text x=1 y=2>{}</text>"


@pytest.mark.parametrize(
    ("markup", "alternative"),
    [
        ("<p><img src=a.png alt=Map> Map</p>", ""),
        ("<p><img src=a.png alt=Map> Map of the town</p>", "Map"),
        ("<img src=a.png alt=map><span>Map</span><p>more", ""),
        ("<p><img src=a.png alt=Map>" + "<b>a</b><i>b</i>" * 9, "Map"),
    ],
)
def test_an_image_that_repeats_the_words_beside_it_is_silent(markup: str, alternative: str) -> None:
    assert f'alt="{alternative}"' in shown(f"<p>before</p>{markup}<p>behind</p>")


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<svg width=90 height=90 aria-label=Tides>" + CIRCLE.format("High") + "</svg>", "Tides"),
        ("<svg width=90 height=90><title>Tide</title>" + CIRCLE.format("High") + "</svg>", "Tide"),
        ("<svg width=90 height=90 role=banana>" + CIRCLE.format("High") + "</svg>", "High"),
        ("<svg width=90 height=90>" + CIRCLE.format("") + "</svg>", "Drawing"),
        (
            "<figure><svg width=90 height=90>" + CIRCLE.format("High")
            + "</svg><figcaption>Two tides</figcaption></figure>",
            "Two tides",
        ),
    ],
)  # fmt: skip
def test_a_drawing_has_a_name(markup: str, name: str) -> None:
    page = shown(f"<p>before</p>{markup}<p>behind</p>")
    assert f'role="img" aria-label="{name}"' in page
    assert "banana" not in page


def test_a_header_cell_keeps_a_scope_that_means_something() -> None:
    page = shown("<table><tr><th scope=banana>a<th scope=col>b<tr><td>1<td>2</table>")
    assert "<th>a</th>" in page
    assert '<th scope="col">b</th>' in page


def test_parts_keep_the_language_that_they_are_in_where_there_is_such_a_one() -> None:
    page = shown("<p lang=fr>Il pleut.</p><p lang=zz-99>It rains.</p>")
    assert '<p lang="fr">Il pleut.</p><p>It rains.</p>' in page


@pytest.mark.parametrize(
    "attributes",
    [
        "nitro-lazy-src='https://cdn.example/a/boat.jpg'",
        "data-brsrcset='https://cdn.example/a/boat.jpg 300w, https://cdn.example/b.jpg 600w'",
        "src='data:image/gif;base64,R0lGOD' whatever='/a/boat.webp?w=3'",
        "my-set='/a/boat.jpg 1x'",
    ],
)
def test_an_image_is_what_any_attribute_names_as_one(attributes: str) -> None:
    assert "boat." in shown(f"<p>before</p><img {attributes}><p>behind</p>")


@pytest.mark.parametrize("said", ["alt='a/boat.jpg'", "title='/a/boat.jpg'", "data-n='boat.jpg'"])
def test_words_are_no_image(said: str) -> None:
    assert "<img" not in shown(f"<p>before</p><img {said}><p>behind</p>")
