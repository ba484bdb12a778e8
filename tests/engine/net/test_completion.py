"""What belongs together stays together, whatever the method left out of it."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.values import (
    Extraction,
    Span,
)
from winnow.engine.net.completion import completed

STEP = "Stir the butter and the sugar until the mixture is pale and light."


def shown(html: str, *dropped: str) -> list[str]:
    """The lines of a page's text of which a method keeps all but some pieces."""
    document = Document.from_html(html)
    pieces = zip(document.pieces.start.tolist(), document.pieces.end.tolist(), strict=True)
    spans = (Span(*piece) for piece in pieces if document.text[slice(*piece)] not in dropped)
    extraction = completed(document, Extraction("some", tuple(spans)))
    texts = (document.text[span.start : span.end] for span in extraction.spans)
    return [line for text in texts for line in text.splitlines()]


def test_a_heading_stays_with_its_section() -> None:
    html = f"<p>{STEP}</p><h2>The oven</h2><h3>Gas</h3><p>{STEP}</p>"

    assert {"The oven", "Gas"} <= set(shown(html, "The oven", "Gas"))


@pytest.mark.parametrize(
    "html",
    [
        f"<h2>The oven</h2><p>{STEP}</p>",
        f"<p>{STEP}</p><h2>The oven</h2><p><a href=/gas>Gas</a></p>",
        f"<p>{STEP}</p><aside><h2>The oven</h2></aside><p>{STEP}</p>",
        f"<p>{STEP}</p><div><i>Gone</i><h2>The oven</h2></div><p>{STEP}</p>",
        f"<p>{STEP}</p><h2 hidden>The oven</h2><p>{STEP}</p>",
        f"<p>{STEP}</p><h2>The oven</h2>",
    ],
)
def test_a_heading_without_its_section_stays_out(html: str) -> None:
    assert "The oven" not in shown(html, "The oven", "Gone")


@pytest.mark.parametrize(
    "html",
    [
        "<div><h2>The oven</h2></div>",
        "<h2><a href=/oven>The oven</a></h2>",
        "<a href=/oven><h2>The oven</h2></a>",
        "<h2 id=oven><a href=#oven>The oven</a></h2>",
        "<div><h2>The oven</h2><a class=anchor-link href=#oven>Section titled oven</a></div>",
        "<div><header><h2>The oven</h2></header></div>",
        "<details><summary><h4>The oven</h4></summary>",
        "<div class=card><h5><button>The oven</button></h5></div>",
    ],
)
def test_a_heading_alone_in_its_wrapper_stays_with_the_section_behind_it(html: str) -> None:
    assert "The oven" in shown(f"<p>{STEP}</p>{html}<div><p>{STEP}</p></div>", "The oven")


def test_two_lists_do_not_merge_across_a_heading() -> None:
    html = f"<p>{STEP}</p><h4>Pros</h4><ul><li>Light</ul><h4>Cons</h4><ul><li>Dear</ul>"

    assert {"Pros", "Cons"} <= set(shown(html, "Pros", "Cons"))


def test_what_edits_markup_or_cuts_pieces_is_left_alone() -> None:
    document = Document.from_html(f"<p>{STEP}</p><h2>The oven</h2><p>{STEP}</p>")
    cut = Extraction("cut", (Span(0, 9), Span(len(document.text) - 9, len(document.text))))
    edited = Extraction("edited", (), edits=(Edit(0, Operation.EMPTY),))
    nothing = Extraction("nothing")

    assert [completed(document, each) for each in (cut, edited, nothing)] == [cut, edited, nothing]


LONG = " ".join(f"{word} {STEP}" for word in ("First.", "Then.", "So.", "Last."))


def test_a_long_paragraph_is_shown_once() -> None:
    assert shown(f"<p>{LONG}</p><p>{STEP}</p><p>{LONG}</p>") == [LONG, STEP]


def test_the_whole_copy_is_better_than_the_one_cut_off() -> None:
    assert shown(f"<p>{LONG} And \u2026</p><h2>More</h2><p>{LONG} And so on.</p>") == [
        "More",
        f"{LONG} And so on.",
    ]


@pytest.mark.parametrize("element", ["blockquote", "pre", "td", "li"])
def test_a_quotation_may_repeat_a_paragraph(element: str) -> None:
    html = f"<p>{LONG}</p><{element}>{LONG}</{element}>"
    html = f"<p>{LONG}</p><table><td>{LONG}</table>" if element == "td" else html

    assert sum(line.count(LONG) for line in shown(html)) == 2


def test_a_short_paragraph_may_come_again() -> None:
    assert shown(f"<p>{STEP}</p><p>{LONG}</p><p>{STEP}</p>").count(STEP) == 2


def test_a_refrain_stays() -> None:
    assert shown(f"<p>{LONG}</p>" * 3).count(LONG) == 3


def test_the_copy_for_small_screens_right_behind_is_no_refrain() -> None:
    html = f"<div class=wide><p>{LONG}</p></div><div class=small><p>{LONG}</p></div><p>{STEP}</p>"

    assert shown(html) == [LONG, STEP]


def test_what_is_shown_is_no_copy_of_what_is_hidden() -> None:
    html = f"<div hidden><p>{LONG}</p></div><div><p>{LONG}</p></div><p>{STEP}</p>"

    assert shown(html) == [LONG, LONG, STEP]  # the hidden one is not rendered


def test_quotations_in_many_answers_are_no_copies() -> None:
    said = [" ".join(f"{name}{at}" for at in range(45)) for name in "abcdefghij"]
    once = "".join(f"<p>{text}</p>" for text in said)
    answers = "".join(f"<p>{text}</p><p>{text[::-1]}</p>" for text in said)
    copied, quoted = shown(f"{once}<div>{once}</div>"), shown(once + answers)
    assert [copied.count(text) for text in said] == [1] * 10
    assert [quoted.count(text) for text in said] == [2] * 10


LIST = "<ul><li>Hiring</li><li>Training</li><li>Payment</li></ul>"


@pytest.mark.parametrize(
    ("between", "lines"),
    [
        ("", ["Hiring", "Training", "Payment"]),
        ("<p>Explore</p>", ["Hiring", "Training", "Payment"]),
        ("<p>Again:</p>", ["Hiring", "Training", "Payment", "Again:"] * 2),
    ],
)
def test_a_list_that_comes_again_at_once_is_shown_once(between: str, lines: list[str]) -> None:
    found = shown(f"<div>{LIST}</div>{between}<div>{LIST}</div>", "Explore")
    assert [line for line in found if line] == lines[: 7 if "Again" in between else 3]


def test_short_lists_and_lists_within_lists_stay() -> None:
    short = "<ul><li>Hiring</li><li>Training</li></ul>"
    assert [line for line in shown(short + short) if line] == ["Hiring", "Training"] * 2
    nested = "<ul><li>Work<ul><li>Work</li></ul></li></ul>"
    assert [line for line in shown(nested) if line] == ["Work", "Work"]


TEASER = (
    "<h2><a href=/flood>The flood is over</a></h2>"
    "<p>The water fell by a metre in one night of May.</p>"
)


def test_a_teaser_that_comes_again_is_shown_once() -> None:
    found = shown(f"<p>{STEP}</p>{TEASER}<h2>The ferry</h2>{TEASER}<p>It is late.</p>")
    assert found.count("The flood is over") == 1
    assert found[-1] == "It is late."


@pytest.mark.parametrize(
    "again",
    [
        "<h2><a>The flood is over</a></h2><p>And the water fell.</p>",
        "<p>The water fell by a metre in one night of May.</p><p>Never.</p>",
    ],
)
def test_what_comes_again_in_part_stays(again: str) -> None:
    html = f"{TEASER}<p>{STEP}</p>{again}"
    assert len([line for line in shown(html) if line]) == html.count("</") - html.count("</a")


def test_sections_of_a_text_that_say_the_same_stay() -> None:
    text = "<p>Late trains, dirty windows and no word of why it is so.</p>"
    section = f"<h2>What people complain of</h2>{text}"
    found = shown(f"<p>{STEP}</p>{section}<h2>Another line</h2>{section}")
    assert found.count("What people complain of") == 2


def test_what_is_seen_stays_though_its_twin_is_hidden() -> None:
    hidden, seen = "<div hidden><p>{}</p></div>", "<div><p>{}</p></div>"
    html = f"<p>{STEP}</p>{hidden.format('Bake it.')}{seen.format('Bake it.')}<p>{STEP} Twice.</p>"

    assert "Bake it." in shown(html, "Bake it.")
    assert "Bake it." not in shown(
        html.replace("<div>", "<aside>").replace("/div", "/aside"), "Bake it."
    )
