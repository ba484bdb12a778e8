"""The next page is of the same article: on the same host, at an address made of this one's."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.metadata.next_page import next_page

URL = "http://a.example/story.html"


def found(html: str, url: str = URL, number: int = 1) -> str:
    return next_page(Document.from_html(html, url), number)


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ("<link rel=next href=/story-2.html>", "http://a.example/story-2.html"),
        ("<a rel='nofollow next' href='?page=2'>on</a>", "http://a.example/story.html?page=2"),
        ("<a href=story_2.html>Next page »</a>", "http://a.example/story_2.html"),
        ("<a href='?p=2'>Weiter</a>", "http://a.example/story.html?p=2"),
        ("<a href=/story/2>2</a>", "http://a.example/story/2"),
        ("<a href=/story,2.html>[2]</a>", "http://a.example/story,2.html"),
        ("<a href='?p=3'>3</a> <a href='?p=2'>2</a>", "http://a.example/story.html?p=2"),
        ("<a href='?p=9'>2</a><link rel=next href='?p=2'>", "http://a.example/story.html?p=2"),
        ("<base href=/><a href=story-2.html#top>2</a>", "http://a.example/story-2.html"),
        ("<a href=/other-story.html>Next story</a>", ""),
        ("<link rel=next href=http://b.example/story-2.html>", ""),
        ("<link rel=next href=/an-older-post.html>", ""),
        ("<a href=#2>2</a> <a href=/story.html>2</a>", ""),
        ("<a href=javascript:next()>Next</a> <a href='http://['>2</a>", ""),
        ("<a href=/story-3.html>3</a>", ""),
        ("<p>next</p>", ""),
    ],
)
def test_which_link_is_the_next_page(html: str, address: str) -> None:
    assert found(html) == address


def test_the_number_of_the_page_to_come_is_counted_on() -> None:
    html = "<a href=/story-1.html>1</a> <a href=/story-3.html>3</a>"
    assert found(html, "http://a.example/story-2.html", 2) == "http://a.example/story-3.html"


def test_a_page_without_an_address_has_no_next() -> None:
    assert next_page(Document.from_html("<link rel=next href=/2>")) == ""
