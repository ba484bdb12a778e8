"""Pages without main content are told from articles by the confidence that settings start with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.extractors.auto.barren import pages
from tests.extractors.auto.pages import PROSE, article
from winnow.config.source_precedence import load
from winnow.document.document import Document
from winnow.extractors.auto.auto_extractor import Auto

CHINESE = "港口在第一批船只到来时很安静，站在码头上的人们几乎没有说话，没有人料到他们会来。"


@pytest.fixture(scope="module")
def floor() -> float:
    return load(None, {}, {}).settings.extraction.min_confidence


def confidence(html: str) -> float:
    return Auto().extract(Document.from_html(html)).confidence


def test_nine_of_ten_pages_without_main_content_are_declined(floor: float) -> None:
    found = [confidence(html) for _, html in pages()]

    assert len(found) >= 100
    assert sum(each < floor for each in found) >= 0.9 * len(found)


def articles() -> Iterator[str]:
    for paragraphs in range(4, 30):
        for text in (PROSE, CHINESE, PROSE.upper(), PROSE[:90]):
            yield article(paragraphs, text)


def test_articles_are_not_declined(floor: float) -> None:
    found = [confidence(html) for html in articles()]

    assert len(found) > 100
    assert sum(each < floor for each in found) <= 0.01 * len(found)
