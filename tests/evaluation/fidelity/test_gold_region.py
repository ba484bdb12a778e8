"""Which parts of a page the gold text says are its main content."""

from __future__ import annotations

from winnow.document.document import Document
from winnow.evaluation.fidelity.gold_region import GoldRegion

PAGE = """<nav><ul><li>Home page link</ul><img src=logo.png></nav>
<p>The boat left early.</p><img src="boat.jpg"><p>It came back late.</p>
<aside><img src="buy.jpg">Buy a boat today</aside>"""


def region(html: str, gold: str) -> GoldRegion:
    return GoldRegion.of(Document.from_html(html), gold)


def test_gold_words_tell_which_texts_are_main_content() -> None:
    found = region(PAGE, "The boat left early. It came back late.")
    pieces = found.document.pieces
    others = zip(pieces.start[~found.texts], pieces.end[~found.texts], strict=True)
    texts = {found.document.plain(start, end) for start, end in others}
    assert texts == {"Home page link", "", "Buy a boat today"}


def test_media_belong_to_the_gold_text_on_both_sides() -> None:
    found = region(PAGE, "The boat left early. It came back late.")
    owners = found.document.pieces.owner[found.all & found.document.media].tolist()
    assert [found.document.attributes_of(owner)["src"] for owner in owners] == ["boat.jpg"]


def test_a_list_that_repeats_headings_is_not_where_they_stand() -> None:
    heads = ("How boats are built", "What sails are for", "When to come back")
    contents = "".join(f"<li>{head}</li>" for head in heads)
    text = "".join(f"<h2>{head}</h2><p>Some words on that.</p>" for head in heads)
    gold = " ".join(f"{head} Some words on that." for head in heads)
    found = region(f"<ul>{contents}</ul>{text}", gold)
    assert found.texts[:3].sum() <= 1
    assert found.texts[4:].all()


def test_a_caption_that_the_gold_leaves_out_does_not_part_a_picture_from_the_text() -> None:
    figure = "<figure><img src=sea.png><figcaption>Photo: A. Body</figcaption></figure>"
    found = region(f"<p>One two.</p>{figure}<p>Three four.</p>", "One two. Three four.")
    assert (found.document.media & found.all).any()
    text = found.document.text
    assert "Photo" not in "".join(text[span.start : span.end] for span in found.extraction().spans)


def test_a_page_without_gold_words_has_no_region() -> None:
    assert not region("<p>One</p>", "").all.any()
    assert not region("", "words").extraction().spans
