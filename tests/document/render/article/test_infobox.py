"""The box of facts beside an article stays, folded, where the method left it out."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Profile, Recipe, Span

TEXT = "The lake lies high in the mountains and freezes over in most winters."
ROWS = "<tr><th>Area</th><td>12 km\u00b2</td></tr><tr><th>Depth</th><td>90 m at most</td></tr>"
BOX = f"<table class='infobox vcard'><caption>Lake Alder</caption>{ROWS}</table>"


def shown(html: str, *, whole: bool = False, **recipe: object) -> str:
    document = Document.from_html(f"<title>Lake</title>{html}<p>{TEXT}</p>")
    start = 0 if whole else document.text.index(TEXT)
    extraction = Extraction("some", (Span(start, len(document.text)),))
    return renderer_for(Recipe(**recipe)).render(document, extraction).body.decode()  # type: ignore[arg-type]  # as given


@pytest.mark.parametrize("profile", [Profile.READER, Profile.VOICE])
def test_a_box_that_was_left_out_stands_folded_above_the_text(profile: Profile) -> None:
    found = shown(BOX, profile=profile)
    assert "<details><summary>Lake Alder</summary>" in found
    assert "<th>Area</th><td>12 km\u00b2</td>" in found
    assert found.index("Depth") < found.index(TEXT)


def test_a_box_without_a_name_is_called_facts() -> None:
    box = "<aside class='portable-infobox'><p>Area 12 km\u00b2, depth 90 m at most</p></aside>"
    assert "<summary>Facts</summary><p>Area 12" in shown(f"<p lang=en></p>{box}")


@pytest.mark.parametrize(
    "html",
    [
        BOX.replace("infobox vcard", "infoboxes"),
        BOX.replace("infobox vcard", "box"),
        BOX.replace("<table", "<table hidden"),
        "<div class=infobox>Area 12</div>",
        "<p>infobox</p>",
    ],
)
def test_other_tables_are_no_box(html: str) -> None:
    assert "<details>" not in shown(html)


def test_a_box_in_the_text_is_shown_once_and_none_is_text() -> None:
    assert "<details>" not in shown(BOX, whole=True)
    assert "Area" not in shown(BOX, format=Format.TEXT)
