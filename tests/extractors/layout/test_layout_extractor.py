"""A page of a known site keeps what varies; of an unknown one what simple-mss would keep."""

from __future__ import annotations

import json
from functools import reduce
from pathlib import Path

import pytest

from tests.extractors.layout.pages import FOOTER, WIDGET, document, markup, prose
from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.errors import ParameterError
from winnow.extractors.layout.layout_blocks import layout_blocks
from winnow.extractors.layout.layout_extractor import UNSURE, LayoutExtractor
from winnow.extractors.layout.layout_files import LearnedLayout
from winnow.extractors.layout.layout_learner import LEARNER
from winnow.extractors.layout.layout_memory import merge, trace
from winnow.extractors.layout.page_rows import page_rows_of
from winnow.extractors.layout.pattern_files import pattern_file
from winnow.extractors.layout.pattern_learning import LearnedPage, learn
from winnow.extractors.registry import make

KEY = b"secret"
LESSONS = [trace(page_rows_of(document(number), KEY), 1) for number in range(8)]
EIGHT = reduce(merge, LESSONS)


def text_of(page: Document, found: Extraction) -> str:
    return "\n".join(page.plain(span.start, span.end) for span in found.spans)


def test_what_varies_stays_and_what_is_static_goes() -> None:
    page = document(50)
    found = LayoutExtractor().extract_with(page, LearnedLayout(EIGHT, KEY))
    text = text_of(page, found)
    for place in range(4):
        assert prose(50 * 100 + place, 3) in text
    assert WIDGET not in text
    assert FOOTER not in text
    assert "Harbour" not in text.split("\n")
    assert found.confidence > 0.8
    assert "8 other pages" in found.reasons[0]


def test_without_other_pages_it_is_unsure() -> None:
    page = document(50)
    found = LayoutExtractor().extract(page)
    assert prose(5000, 3) in text_of(page, found)
    assert WIDGET in text_of(page, found)
    assert found.confidence == UNSURE


def test_a_page_does_not_make_itself_static() -> None:
    page = document(3)
    found = LayoutExtractor().extract_with(page, LearnedLayout(EIGHT, KEY))
    assert prose(300, 3) in text_of(page, found)


def test_nor_does_the_same_page_under_other_addresses() -> None:
    copies = [
        trace(page_rows_of(Document.from_html(markup(50), f"https://paper.example/{way}"), KEY), 1)
        for way in ("print", "amp", "mobile")
    ]
    page = document(50)
    found = LayoutExtractor().extract_with(page, LearnedLayout(reduce(merge, copies, EIGHT), KEY))
    assert prose(5000, 3) in text_of(page, found)
    assert WIDGET not in text_of(page, found)


def test_a_file_knows_what_was_learned(tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    path.write_text(LearnedLayout(EIGHT, KEY).to_json(), "utf-8")
    page, extractor = document(50), make(f"layout:{path}")
    assert WIDGET not in text_of(page, extractor.extract(page))
    assert extractor.fingerprint != LayoutExtractor().fingerprint


@pytest.mark.parametrize("text", ["", "{}", '{"version": 3}', '{"version": 1, "memory": "?"}'])
def test_an_invalid_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "site.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ParameterError, match="layouts"):
        make(f"layout:{path}")
    with pytest.raises(ParameterError, match="cannot be read"):
        make(f"layout:{tmp_path / 'none.json'}")


def parsed(number: int) -> Document:
    return Document.from_html(markup(number, story="story"))


@pytest.mark.parametrize("mode", ["mode=webstemmer", "mode=webstemmer-strict"])
def test_webstemmers_modes_take_pages_of_a_learned_pattern_alone(tmp_path: Path, mode: str) -> None:
    patterns = learn(LearnedPage(layout_blocks(parsed(number))) for number in range(8))
    path = tmp_path / "site.json"
    path.write_text(pattern_file(patterns), "utf-8")
    extractor, page = make(f"layout:site={path},{mode}"), parsed(50)
    found = extractor.extract(page)
    assert prose(5000, 3) in text_of(page, found)
    assert FOOTER not in text_of(page, found)
    other = Document.from_html("<div class=other><p>Another layout altogether is here.</p></div>")
    assert extractor.extract(other).spans == ()
    lacking = Document.from_html(markup(50, story="story").replace(f"<p>{FOOTER}</p>", ""))
    assert bool(extractor.extract(lacking).spans) is (mode == "mode=webstemmer")


def test_the_blocks_of_a_pattern_are_explained(tmp_path: Path) -> None:
    patterns = learn(LearnedPage(layout_blocks(parsed(number))) for number in range(8))
    path = tmp_path / "site.json"
    path.write_text(pattern_file(patterns), "utf-8")
    page = parsed(50)
    reasons = LayoutExtractor(str(path), "webstemmer").explain(page)
    by_text = {page.plain(each.start, each.end): each for each in reasons}
    assert by_text[FOOTER].rule.startswith("DiffScore 0.00, MainScore")
    assert not by_text[FOOTER].kept
    assert by_text[prose(5000, 3)].kept


def test_patterns_of_an_older_version_are_refused(tmp_path: Path) -> None:
    path, older = tmp_path / "site.json", json.loads(LearnedLayout(EIGHT, KEY).to_json())
    path.write_text(json.dumps({**older, "version": 1}), "utf-8")
    assert make(f"layout:{path}").extract(document(50)).confidence > 0.8
    path = tmp_path / "patterns.json"
    path.write_text(json.dumps({**older, "version": 1, "patterns": [{}]}), "utf-8")
    with pytest.raises(ParameterError, match="learn them again"):
        make(f"layout:{path}")


def test_a_memory_changes_nothing_in_webstemmers_modes() -> None:
    extractor, page = LayoutExtractor(mode="webstemmer"), document(50)
    assert LEARNER.extract(page, extractor, EIGHT, SiteKnowledge(key=KEY)) == extractor.extract(
        page
    )


def test_the_learner_teaches_and_reads() -> None:
    page, extractor = document(50), LayoutExtractor()
    assert LEARNER.observe(page, extractor, KEY, 1) == trace(page_rows_of(page, KEY), 1)
    assert LEARNER.observe(Document.from_html(""), extractor, KEY, 1) == b""
    assert LEARNER.pages(EIGHT) == 8
    found = LEARNER.extract(page, extractor, EIGHT, SiteKnowledge(key=KEY))
    assert WIDGET not in text_of(page, found)
