"""What a page repeats is worked through as often as it stands there, also where one step looks
through lists and arrays: what is done is counted, not timed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.engine.work_counts import watched, work_of
from winnow.document.document import Document
from winnow.document.render.article.figures import figures_of_captions
from winnow.document.render.article.infobox import infobox_of
from winnow.document.render.article.quoted_posts import with_quoted_posts
from winnow.document.render.selection import selected
from winnow.document.values import Extraction, Span
from winnow.document.visibility.chaff import chaff_of
from winnow.engine.base.main_region import MainRegion
from winnow.engine.net.completion import completed
from winnow.engine.net.parts import caught
from winnow.engine.purpose.offers import _fields
from winnow.engine.records.card_records import with_cards

SAID = "Some words that say a thing and go on for a while."
Step = Callable[[Document], object]


def _whole(document: Document) -> Extraction:
    return Extraction("all", (Span(0, len(document.text)),))


def _paragraphs(document: Document) -> Extraction:
    first, last = document.elements.first_piece, document.elements.last_piece
    pieces = [range(first[element], last[element]) for element in document.elements_named("p")]
    spans = [
        Span(int(document.pieces.start[piece]), int(document.pieces.end[piece]))
        for each in pieces
        for piece in each
    ]
    return Extraction("paragraphs", tuple(spans))


def _kept(document: Document) -> np.ndarray:
    return document.inside_tags("p dt")


STEPS: dict[str, tuple[Step, str]] = {
    "anchors of headings": (
        chaff_of,
        f"<h2>Part {{0}} <a class=anchor href=#a>#</a></h2><p>{SAID}",
    ),
    "anchors in one element": (
        chaff_of,
        f"words <a class=anchor href=#a>#</a> {SAID}",
    ),
    "listings": (
        chaff_of,
        "<pre>code {0}</pre>",
    ),
    "captions": (
        lambda document: list(figures_of_captions(document)),
        "<section><img src={0}.png><figcaption>{0}</figcaption></section>",
    ),
    "captions by class": (
        lambda document: list(figures_of_captions(document)),
        "<section><img src={0}.png><p class=caption>{0}</p></section>",
    ),
    "captions of one section": (
        lambda document: list(figures_of_captions(document)),
        f"<figcaption>{SAID}</figcaption>",
    ),
    "boxes": (
        lambda document: infobox_of(document, selected(document, _whole(document))),
        f"<table class=infobox><tr><td>a {{0}}</table><p>{SAID}",
    ),
    "quoted posts": (
        lambda document: with_quoted_posts(document, selected(document, _paragraphs(document))),
        "<blockquote class=twitter-tweet>A post {0}</blockquote><p>a",
    ),
    "headings of sections": (
        lambda document: completed(document, _paragraphs(document)),
        "<h2>Part {0}</h2><p>a",
    ),
    "pairs": (
        lambda document: caught(document, _kept(document)),
        "<dl><dt>term {0}<dd>meaning</dl>",
    ),
    "cards": (
        lambda document: with_cards(document, _whole(document)),
        "<div class=card><h3><a href=/{0}>Title {0}</a></h3><p>teaser</div>",
    ),
    "fields": (
        lambda document: _fields(document, MainRegion.of(document, _whole(document))),
        "<form><input name=a{0}><p>a</form>",
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_five_times_as_much_is_about_five_times_the_work(name: str) -> None:
    step, unit = STEPS[name]
    few, many = (
        watched(
            f"<div class=code><h1>Things</h1>{''.join(map(unit.format, range(number)))}<p>end</div>"
        )
        for number in (100, 500)
    )
    assert work_of(lambda: step(many)) < 6 * work_of(lambda: step(few))


def _page(unit: str, number: int) -> str:
    inside = "".join(map(unit.format, range(number)))
    return f"<div class=code><h1>Things</h1>{inside}<p>end</div>"
