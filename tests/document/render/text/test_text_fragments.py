"""Blocks of a text and links to them."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.render.text.text_fragments import blocks_of_text, fragment


@given(st.text("ab \n\t,&-é", max_size=60))
def test_blocks_cover_all_words_and_links_quote_them(text: str) -> None:
    blocks = [*blocks_of_text(text, "https://a.example/b#c")]
    inside = [text[block.start : block.end] for block in blocks]
    assert " ".join(inside).split() == text.split()
    for block, said in zip(blocks, inside, strict=True):
        assert said == said.strip()
        assert "\n\n" not in said
        assert block.link
        page, _, directive = block.link.partition("#:~:text=")
        assert page == "https://a.example/b"
        ends = [unquote(end) for end in directive.split(",")]
        words = " ".join(said.split())
        assert words.startswith(ends[0])
        assert words.endswith(ends[-1])


@pytest.mark.parametrize(
    ("block", "directive"),
    [
        ("One, two - three & four", "One%2C%20two%20%2D%20three%20%26%20four"),
        ("a " * 20, "a%20a%20a%20a%20a,a%20a%20a%20a%20a"),
        ("first\tcell\nlast row", "first,last%20row"),
    ],
)
def test_a_long_block_is_named_by_its_ends(block: str, directive: str) -> None:
    assert fragment(block) == directive


def test_without_an_address_there_is_no_link() -> None:
    assert [block.link for block in blocks_of_text("a\n\nb", None)] == [None, None]
