"""Annotation derived from gold and title, on pages where a person can tell it."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.evaluation.gold.elements import annotate, annotated, written
from winnow.evaluation.gold.packages import PackageEntry
from winnow.extractors.memory.labelled_instances import CLASSES, classes_of

ONE = "The river rose in the night and flooded the lower road."
TWO = "By morning nobody could leave the village any more."
PAGE = f"""<head><title>Flood in the valley | The Gazette</title></head><body>
<a href=/>Home</a> <a href=/n>News</a><h1>Flood in the valley</h1><p>{ONE}
<a href=/r>Rivers</a> rise, they do.</p><p><b>Cut off</b></p><p>{TWO}</p><img src=x>
<p>Read also: ten tips for your garden</p></body>"""
GOLD = f"{ONE} Rivers rise, they do.\n\nCut off\n\n{TWO}"


def labels(html: str, gold: str, title: str = "", headings: str | None = None) -> dict[str, str]:
    """What each labelled text is."""
    lines = list(written(annotate(Document.from_html(html), gold, title, headings)))
    found = zip(lines[::2], lines[1::2], strict=True)
    return {text: line.rsplit(" ", 1)[1] for text, line in found}


def test_title_heading_body_and_garbage_are_distinguished() -> None:
    found = labels(PAGE, GOLD, "Flood in the valley | The Gazette")
    assert found["Flood in the valley"] == "t"
    assert found[ONE] == found["Rivers"] == found["rise, they do."] == found[TWO] == "b"
    assert found["Cut off"] == "h"
    assert found["Home"] == found["Read also: ten tips for your garden"] == "g"


def test_without_a_title_the_golds_first_line_is_one_where_it_reads_so() -> None:
    assert labels(PAGE, f"Flood in the valley\n\n{GOLD}")["Flood in the valley"] == "t"
    assert labels(PAGE, GOLD)["Flood in the valley"] == "g"


def test_a_bold_line_with_a_full_stop_is_a_paragraph() -> None:
    page = PAGE.replace("Cut off", "They are cut off.")
    assert labels(page, GOLD.replace("Cut off", "They are cut off."))["They are cut off."] == "b"


def test_a_line_may_be_one_word() -> None:
    page = PAGE.replace("<p>Read also", "<p>Flooded.</p><p>Read also")
    assert labels(page, f"{GOLD}\n\nFlooded.")["Flooded."] == "b"


def test_headings_that_people_marked_are_the_only_ones() -> None:
    assert labels(PAGE, GOLD, headings="")["Cut off"] == "b"
    assert labels(PAGE, GOLD, headings="Cut off\n")["Cut off"] == "h"
    assert labels(PAGE, GOLD, headings=TWO)[TWO] == "h"


def test_marks_between_links_go_with_their_line() -> None:
    page = f"<p>{ONE} <a href=1>Rivers</a>, <a href=2>lakes</a>.</p>"
    found = annotate(Document.from_html(page), f"{ONE} Rivers, lakes.")
    assert "b+b" in {CLASSES[kind] for kind in classes_of(found.labels)}


def test_a_file_for_people_lists_each_text_and_what_it_is() -> None:
    assert list(written(annotate(Document.from_html("<p>one two</p>"), "one two")))[-2:] == [
        "one two",
        "#2 <p> text b",
    ]


@pytest.mark.parametrize(("gold", "kept"), [(GOLD, True), ("Something else entirely.", False)])
def test_a_page_that_lacks_its_gold_teaches_nothing(gold: str, kept: bool) -> None:
    entry = PackageEntry("a", PAGE.encode(), gold, {"url": "http://example.org/a"})
    assert (annotated(entry) is not None) == kept
