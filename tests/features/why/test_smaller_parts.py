"""The parts within a part: the first elements of which there are several, each found again."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.selectors import select
from winnow.document.values import Page, Recipe
from winnow.features.why.explaining import explained_part
from winnow.features.why.smaller_parts import MOST, smaller_parts

STORIES = "<section class=s><h3>One</h3><p>A mill.</section><section class=s><p>Two mills."


def texts(html: str) -> list[str]:
    """The first words of the parts within the first <aside>."""
    document = Document.from_html(f"<body>{html}<p>Text", "https://farm.example/")
    (aside,) = document.elements_named("aside")
    found = tuple(smaller_parts(document, aside))
    for each in found:
        element = select(document, each.selector)[each.place]
        first = int(document.elements.first_piece[element])
        assert document.text[int(document.pieces.start[first]) :].startswith(each.text.split()[0])
    return [each.text for each in found]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<aside>{STORIES}</aside>", ["One A mill.", "Two mills."]),
        (f"<aside><div><div>{STORIES}</div></div></aside>", ["One A mill.", "Two mills."]),
        (f"<aside>Loose<div>{STORIES}</div></aside>", ["One A mill. Two mills."]),
        ("<aside>A mill.</aside>", []),
        ("<aside><p>A mill.</p></aside>", []),
        ("<aside><p>A mill.</p><p hidden>Gone</p><p></p><b>Inline</b></aside>", ["A mill."]),
        (
            f"<aside><p>{'word ' * 9}</p><p>漢{'字' * 99}</aside>",
            ["word " * 7 + "word", "漢" + "字" * 79],
        ),
    ],
)
def test_they_are_the_first_of_which_there_are_several(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


def test_there_is_a_bound() -> None:
    assert len(texts(f"<aside>{'<p>A mill.</p>' * (MOST + 9)}</aside>")) == MOST


def test_a_page_is_asked_for_them_with_the_part() -> None:
    page = Page(f"<body><aside>{STORIES}</aside>".encode(), "https://farm.example/", "utf-8")
    found = explained_part(page, Recipe("bte"), "aside", 0)
    assert [(each.selector, each.place) for each in found.smaller] == [
        ("aside > section.s", 0),
        ("aside > section.s", 1),
    ]
