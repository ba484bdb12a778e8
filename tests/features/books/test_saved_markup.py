"""The markup of a saved article: images from the store alone, highlights across elements."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.sanitise import sanitise
from winnow.features.books.saved_markup import highlighted, with_images

WORDS = st.lists(st.sampled_from("the river rose & fell <b> “so” über.".split()), min_size=1)
TAGS = st.sampled_from(["<b>", "</b>", "<br>", '<a href="/x?a=1>2">', "</a>", ""])


@given(st.lists(st.tuples(TAGS, WORDS), min_size=1, max_size=6), st.data())
def test_any_run_of_words_is_marked_whatever_tags_are_in_it(
    pieces: list[tuple[str, list[str]]], data: st.DataObject
) -> None:
    content = sanitise(" ".join(tag + escape(" ".join(words)) for tag, words in pieces))
    words = [word for _, some in pieces for word in some]
    start = data.draw(st.integers(0, len(words) - 1))
    quote = words[start : data.draw(st.integers(start + 1, len(words)))]
    shown = highlighted(content, [" ".join(quote)])
    marked = re.findall("<mark[^>]*>(.*?)</mark>", shown)
    assert unescape(" ".join(marked)).split() == quote
    assert re.sub("</?mark[^>]*>", "", shown) == content


@given(st.text(), st.lists(st.text(), max_size=4))
def test_no_quotation_changes_anything_but_marks(text: str, quotes: list[str]) -> None:
    content = sanitise(text)
    shown = highlighted(content, quotes)
    assert re.sub(r'<mark(?: id="note\d+")?>|</mark>', "", shown) == content.replace(
        "<mark>", ""
    ).replace("</mark>", "")


def test_words_in_attributes_and_drawings_are_none_of_the_text() -> None:
    content = '<img alt="the river" src="/x"><svg><text>the river</text></svg><p>the river</p>'
    assert highlighted(content, ["the river"]).endswith('<p><mark id="note1">the river</mark></p>')


def test_overlapping_quotations_are_marked_once() -> None:
    shown = highlighted("<p>one two three</p>", ["one two", "two three"])
    assert shown == '<p><mark id="note1">one two</mark> three</p>'


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        (
            '<img src="https://a.example/1.png?a=1&amp;b=2" alt="A map" width="10">',
            '<img src="/-/saved/1/image/0" loading="lazy" alt="A map" width="10">',
        ),
        (
            '<img srcset="https://evil.example/ 2x" src="https://a.example/1.png?a=1&amp;b=2">',
            '<img src="/-/saved/1/image/0" loading="lazy" alt="">',
        ),
        (
            '<img src="https://b.example/2.png" alt="A &lt;tree>">',
            '<a href="https://b.example/2.png" rel="noreferrer">A &lt;tree></a>',
        ),
        ('<img alt="x">', ""),
    ],
)
def test_images_come_from_the_store_or_are_links(tag: str, shown: str) -> None:
    stored = {"https://a.example/1.png?a=1&b=2": "/-/saved/1/image/0"}
    assert with_images(f"<p>{tag}</p>", stored) == f"<p>{shown}</p>"
