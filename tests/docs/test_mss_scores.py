"""The picture of docs/mss.md is drawn from its page."""

from lxml import etree

from docs.mss_scores import HERE, picture
from winnow.document.document import Document

PAGE = (HERE / "courier" / "page.html").read_bytes()


def test_every_word_is_in_the_picture_and_the_run_is_marked() -> None:
    root = etree.fromstring(picture(Document.from_html(PAGE)).encode())
    words = [node.text for node in root.iter("{*}text")]
    assert words[:2] == ["Valley", "Courier"]
    assert "winnowed" in words
    assert any("the chosen run" in (word or "") for word in words)


def test_the_committed_picture_is_of_this_page() -> None:
    committed = etree.parse(HERE / "images" / "mss.svg").getroot()
    drawn = etree.fromstring(picture(Document.from_html(PAGE)).encode())
    texts = [[node.text for node in root.iter("{*}text")] for root in (committed, drawn)]
    assert texts[0][:-1] == texts[1][:-1]
