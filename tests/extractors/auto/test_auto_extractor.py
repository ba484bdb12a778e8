"""``auto`` on pages written for it: an article in its chrome, scripts, layouts, odd pages."""

from __future__ import annotations

import pytest

from tests.extractors.auto.pages import PROSE, article, page
from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.auto.auto_extractor import Auto

CHINESE = (
    "港口在第一批船只到来时很安静，站在码头上的人们几乎没有说话。没有人料到他们会在早晨之前到来。"
)
ARABIC = (
    "كان الميناء هادئا عندما دخلت القوارب الأولى، ولم يقل الرجال الواقفون على الرصيف سوى القليل. "
)
THAI = "ท่าเรือเงียบสงบเมื่อเรือลำแรกเข้ามา และชายที่ยืนอยู่บนท่าเรือพูดน้อยมาก "
KOREAN = "첫 배들이 들어왔을 때 항구는 조용했고, 부두에 서 있던 남자들은 거의 말이 없었다. "


def is_content(extraction: Extraction, document: Document) -> str:
    return "\n".join(document.text[span.start : span.end] for span in extraction.spans)


def extracted(html: str) -> str:
    document = Document.from_html(html)
    return is_content(Auto().extract(document), document)


def test_an_article_is_kept_and_its_chrome_is_not() -> None:
    found = extracted(article())

    assert "0. The harbour" in found
    assert "7. The harbour" in found
    assert "Privacy policy" not in found
    assert "Another story" not in found
    assert "Sport" not in found


@pytest.mark.parametrize("prose", [CHINESE, ARABIC, THAI, KOREAN], ids=["zh", "ar", "th", "ko"])
def test_the_same_in_other_scripts(prose: str) -> None:
    found = extracted(article(text=prose))

    assert f"7. {prose[:20]}" in found
    assert "Privacy policy" not in found


def test_a_layout_of_tables() -> None:
    links = "".join(f"<tr><td><a href={n}>Section {n}</a>" for n in range(9))
    prose = "".join(f"{PROSE}<br><br>" for _ in range(9))
    found = extracted(
        f"<table><tr><td width=120><table>{links}</table><td><font size=2>{prose}</font></table>"
    )

    assert "The harbour was quiet" in found
    assert "Section 3" not in found


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>",
        "<img src=a>",
        "<script>x</script>",
        "\x00",
        "<p>One.",
        "<table><td>1<td>2</table>",
    ],
)
def test_pages_with_next_to_nothing_are_answered(html: str) -> None:
    document = Document.from_html(html)

    found = Auto().extract(document)

    assert 0 <= found.confidence <= 1
    assert all(span.end <= len(document.text) for span in found.spans)


def test_one_block_of_prose_is_the_content() -> None:
    assert "harbour" in extracted(f"<p>{PROSE * 4}")


def test_text_that_a_framework_streams_into_a_hidden_place_is_seen() -> None:
    told = "".join(f"<p>{n}. {PROSE}</p>" for n in range(6))
    found = extracted(page(f'<main></main><div hidden id="S:0"><article>{told}</article></div>'))

    assert "5. The harbour" in found


def test_the_fingerprint_names_the_model() -> None:
    assert Auto().fingerprint.startswith("auto/7():")
    assert Auto().name == "auto"
