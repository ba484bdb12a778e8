"""The confidence tells pages without main content from articles."""

from __future__ import annotations

from collections.abc import Iterator

from tests.extractors.auto.barren import pages
from tests.extractors.auto.pages import PROSE, article
from winnow.document.document import Document
from winnow.evaluation.measuring.reliability import CONFIDENT
from winnow.extractors.auto.auto_extractor import Auto

CHINESE = "港口在第一批船只到来时很安静，站在码头上的人们几乎没有说话，没有人料到他们会来。"


def confidence(html: str) -> float:
    return Auto().extract(Document.from_html(html)).confidence


def test_articles_are_surer_than_pages_without_main_content() -> None:
    without = sorted(confidence(html) for _, html in pages())
    with_content = sorted(confidence(html) for html in articles())

    assert len(without) >= 100
    assert without[int(0.95 * len(without))] < with_content[int(0.05 * len(with_content))]


def articles() -> Iterator[str]:
    for paragraphs in range(4, 30):
        for text in (PROSE, CHINESE, PROSE.upper(), PROSE[:90]):
            yield article(paragraphs, text)


def test_articles_are_relied_on() -> None:
    found = [confidence(html) for html in articles()]

    assert len(found) > 100
    assert sum(each >= CONFIDENT for each in found) >= 0.99 * len(found)
