"""Title, heading and body told apart: in gold, in answers, and how well."""

import pytest

from winnow.document.values import Label, Span
from winnow.evaluation.gold.labels import (
    answer_by_label,
    by_label,
    gold_by_label,
    text_and_marks,
    with_title,
)
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.running.runs import measure
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind

PAGE = b"<title>Moon dog</title><nav>Home</nav><h1>Moon dog</h1><h2>Night</h2><p>It barked.</p>"
GOLD = "Moon dog\n\nNight\n\nIt barked."
SPANS = [[0, 8, "title"], [10, 15, "heading"], [17, 27, "body"]]


def test_text_under_spans_keeps_their_labels() -> None:
    text, marks = text_and_marks("a title, some body", [Span(2, 7, Label.TITLE), Span(9, 18)])
    assert text == "title\nsome body"
    assert by_label(text, marks) == {"title": "title", "heading": "", "body": "some body"}


def test_an_image_is_a_blank() -> None:
    text, marks = text_and_marks("a\ufffcb \ufffc", [Span(0, 5)])
    assert (text, marks) == ("a b  ", ((0, 5, "body"),))


def test_the_heading_that_says_the_title_is_the_title() -> None:
    text, marks = text_and_marks("Dog Dog", [Span(0, 3, Label.HEADING), Span(4, 7, Label.HEADING)])
    assert [label for *_, label in with_title(text, marks, " Dog ")] == ["title", "heading"]
    assert with_title(text, marks, "Cat") == marks
    titled = ((0, 3, "title"), (4, 7, "heading"))
    assert with_title(text, titled, "Dog") == titled


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({"spans": SPANS}, {"title": "Moon dog", "heading": "Night", "body": "It barked."}),
        ({"title": "Moon dog"}, {"title": "Moon dog"}),
        (
            {"marked": "<h>Moon\n<p>It\n<l>barked."},
            {"heading": "Moon\n", "body": "\nIt\n\nbarked."},
        ),
        ({}, {}),
    ],
)
def test_gold_tells_labels_in_its_notes(notes: dict[str, object], expected: dict[str, str]) -> None:
    assert gold_by_label(PackageEntry("x", b"", GOLD, notes)) == expected


def test_where_gold_knows_no_title_the_title_is_a_heading() -> None:
    marks = ((0, 3, "title"), (4, 7, "body"))
    found = answer_by_label("Dog ran", marks, "Dog", {"heading": "Dog", "body": "ran"})
    assert {label: text.strip() for label, text in found.items()} == {
        "heading": "Dog",
        "body": "ran",
    }


def test_labels_are_scored_each_by_itself() -> None:
    entry = PackageEntry("x", PAGE, GOLD, {"spans": SPANS})
    row = measure("some", entry, Spec(SubjectKind.EXTRACTOR, "plain").open(), ["labels"])
    assert row.values["title.f1"] == row.values["heading.f1"] == 1
    assert row.values["body.recall"] == 1
    assert row.values["body.precision"] == pytest.approx(2 / 3), "'Home' is no body"


def test_a_program_may_answer_with_spans() -> None:
    answer = '{"text": "Moon dog  It barked.", "spans": [[0, 8, "title"], [10, 20, "body"]]}'
    program = Spec(SubjectKind.COMMAND, f"printf '{answer}'").open()
    row = measure("some", PackageEntry("x", PAGE, GOLD, {"spans": SPANS}), program, ["labels"])
    assert row.text == "Moon dog\nIt barked."
    assert [row.values[f"{label}.f1"] for label in ("title", "heading", "body")] == [1, 0, 1]


def test_a_subject_that_tells_no_labels_is_not_scored_by_them() -> None:
    entry = PackageEntry("x", PAGE, GOLD, {"spans": SPANS})
    row = measure("some", entry, Spec(SubjectKind.COMMAND, "cat").open(), ["labels"])
    assert "body.f1" not in row.values
