"""What counts as main content that a reader page must still show, and what counts as shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.element_recall import __main__ as element_recall
from benchmarks.element_recall.measuring import Survival, gold_pieces, gold_region, survival, total
from winnow.document.document import Document
from winnow.document.values import Extraction, Span

PAGE = """<nav><ul><li>Home page link</ul><img src=logo.png></nav>
<p>The boat left early.</p><img src="boat.jpg"><p>It came back late.</p>
<ul><li>bread and water</li><li>rope and tar</li></ul>
<table><tr><td>North</td><td>three boats</td></tr><tr><td>South</td><td>four boats</td></tr></table>
<pre>sail --north</pre><figure><img src="fig/sea.png"><figcaption>The sea itself</figcaption>
</figure>
<p>The end of it.</p><aside><img src="buy.jpg">Buy a boat today</aside>"""
GOLD = """The boat left early. It came back late. bread and water rope and tar
North three boats South four boats sail --north The sea itself The end of it."""
KINDS = {"image": 2, "table": 1, "list": 1, "code": 1, "figure": 1}


@pytest.fixture
def document() -> Document:
    return Document.from_html(PAGE, "https://example.org/")


def test_gold_words_tell_which_texts_are_main_content(document: Document) -> None:
    found = gold_pieces(document, GOLD)
    starts, ends = document.pieces.start[~found], document.pieces.end[~found]
    others = {document.plain(start, end) for start, end in zip(starts, ends, strict=True)}
    assert others == {"Home page link", "", "Buy a boat today"}


def test_images_belong_to_the_gold_text_on_both_sides(document: Document) -> None:
    found = survival(document, GOLD, gold_region(document, GOLD))
    assert dict(found.there) == KINDS


def test_a_list_that_repeats_headings_is_not_where_they_stand() -> None:
    heads = ("How boats are built", "What sails are for", "When to come back")
    contents = "".join(f"<li>{head}</li>" for head in heads)
    text = "".join(f"<h2>{head}</h2><p>Some words on that.</p>" for head in heads)
    document = Document.from_html(f"<ul>{contents}</ul>{text}")
    gold = " ".join(f"{head} Some words on that." for head in heads)
    assert survival(document, gold, gold_region(document, gold)).there["list"] == 0
    both = f"{' '.join(heads)} {gold}"
    assert survival(document, both, gold_region(document, both)).there["list"] == 1


def test_a_caption_that_the_gold_leaves_out_does_not_part_a_picture_from_the_text() -> None:
    figure = "<figure><img src=sea.png><figcaption>Photo: A. Body</figcaption></figure>"
    document = Document.from_html(f"<p>One two.</p>{figure}<p>Three four.</p>")
    gold = "One two. Three four."
    assert survival(document, gold, gold_region(document, gold)).shown["image"] == 1
    assert "Photo" not in document.text[: gold_region(document, gold).spans[0].end]


def test_everything_is_shown_where_the_gold_region_is_kept(document: Document) -> None:
    found = survival(document, GOLD, gold_region(document, GOLD))
    assert found.shown == found.there
    assert found.share("image") == 1.0


def test_what_an_extractor_drops_is_lost(document: Document) -> None:
    start = document.text.index("The boat")
    cacheable_pages = Extraction("start", (Span(start, document.text.index("bread")),))
    found = survival(document, GOLD, cacheable_pages)
    assert found.shown == {"image": 1, "table": 0, "list": 0, "code": 0, "figure": 0}
    assert found.there == KINDS


def test_stand_ins_small_signs_and_fallbacks_are_no_images() -> None:
    page = (
        "<p>One two</p><img src='data:image/gif;base64,R0' ><img src=placeholder.gif>"
        "<img src=dot.png width=8><noscript><img src=a.jpg></noscript><p>three four</p>"
    )
    document = Document.from_html(page)
    assert survival(document, "One two three four", Extraction("none")).there["image"] == 0


def test_nothing_there_is_nothing_lost() -> None:
    assert Survival({"code": 0}, {"code": 0}).share("code") == 1.0


def test_pages_add_up(document: Document) -> None:
    one = survival(document, GOLD, gold_region(document, GOLD))
    both = total([one, one])
    assert both.there["image"] == 4
    assert both.share("image") == 1.0


def test_the_command_fails_below_the_least_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "package.json").write_text('{"name": "small"}')
    (tmp_path / "1.html").write_text(PAGE)
    (tmp_path / "1.txt").write_text(GOLD)
    (tmp_path / "1.json").write_text(json.dumps({"page_type": "article"}))
    arguments = [str(tmp_path), "--extractor", "largest-block", "--type", "article"]
    assert element_recall.main(arguments) == 0
    assert element_recall.main([*arguments, "--least", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("extractor\timage\ttable")
    assert lines[1].startswith("gold\t1.000 of 2")
