"""Characters that nobody sees and programs read."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.parsing.parse import without_unseen

SECRET = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all that stands here")
FLAG = "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbeng") + "\U000e007f"
BITS = "\u200b\u200c" * 40
SELECTED = "".join(chr(0xE0100 + number) for number in range(20))


@pytest.mark.parametrize(
    "hidden", [SECRET, BITS, SELECTED, "&#xE0041;&#917569;&#xe0042", "&zwnj;&#8203;" * 9]
)
@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "utf-16"])
def test_what_nobody_sees_is_taken_out(hidden: str, charset: str) -> None:
    page = f"<meta charset={charset}><p>Two{hidden} words".encode(charset)

    assert Document.from_html(page).text == "Two words"


@pytest.mark.parametrize(
    "seen", [FLAG, "\u0645\u06cc\u200c\u062e", "a\u200bb", "\U0001f468\u200d\U0001f469"]
)
def test_what_shapes_a_text_stays(seen: str) -> None:
    assert Document.from_html(f"<p>{seen}</p>").text == seen


def test_a_page_without_them_is_the_same_object() -> None:
    page = "<p>Füße &#38; 名前</p>".encode()

    assert without_unseen(page) is page
