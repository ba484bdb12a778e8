"""The next page is of the same article: on the same host, at an address made of this one's."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.document.metadata.next_page import Turning, next_page, turning_of

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


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("threads/rope.2350553/", "/threads/rope.2350553/page-2"),
        ("showthread.php?t=17", "showthread.php?t=17&page=2"),
        ("showthread.php?t=17&page=3", "showthread.php?page=4&t=17"),
        ("viewtopic.php?t=17&sid=a", "viewtopic.php?t=17&start=25&sid=b"),
        ("index.php?topic=589061.0", "index.php?topic=589061.15"),
        ("index.php?/topic/17-rope/", "index.php?/topic/17-rope/page/2/"),
        ("thread-222085.html", "thread-222085-page-2.html"),
        ("d/17-rope?utm_source=mail", "d/17-rope?page=2"),
    ],
)
def test_forums_name_the_next_page_of_a_thread(here: str, there: str) -> None:
    html = f"<base href=/><a href='{there}' title='Next page'></a>"
    assert found(html, f"http://a.example/{here}").endswith(there.removeprefix("/"))


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("threads/rope.2350553/", "threads/rope.2350554/"),
        ("viewtopic.php?t=425337", "viewtopic.php?t=425338"),
        ("index.php?topic=589061.0", "index.php?topic=589061.0;prev_next=next"),
        ("showthread.php?t=17", "showthread.php?t=17&goto=nextnewest"),
        ("?p=521", "?p=522"),
        ("story.html", "story.html?sort=new"),
        ("story.html", "story-2.html?sort=new"),
        ("story.html?id=17", "story.html"),
    ],
)
def test_the_next_thread_is_no_next_page(here: str, there: str) -> None:
    assert found(f"<base href=/><a href='{there}'>Next</a>", f"http://a.example/{here}") == ""


ONE, TWO, THREE, SEVEN = (f"http://a.example/t?p={number}" for number in (1, 2, 3, 7))


@pytest.mark.parametrize(
    ("html", "turning"),
    [
        ("<b>1</b> <a href=t?p=2>2</a> <a href=t?p=7>7</a>", Turning("", TWO, 1, 7)),
        ("<a href=t?p=1>1</a> <b>2</b> <a href=t?p=3>3</a>", Turning(ONE, THREE, 2, 3)),
        ("<a href=t?p=1>1</a> <a href=t?p=2>2</a><a href=t?p=2>Prev</a>", Turning(TWO, "", 3, 3)),
        ("<a rel=prev href=t?p=1>«</a> <a rel=next href=t?p=3>»</a>", Turning(ONE, THREE)),
        ("<a href=t?p=7>Previous page</a> <a href=t?p=7>Next</a>", Turning("", SEVEN)),
        ("<a href=t?p=1>1</a> <a href=t?p=2>2</a>", Turning()),
        ("<a href=u?p=2>2</a>", Turning()),
    ],
)
def test_where_to_turn_is_said_with_this_page_s_number(html: str, turning: Turning) -> None:
    assert turning_of(Document.from_html(f"<base href=/>{html}", "http://a.example/t")) == turning


@pytest.mark.parametrize("address", ["/page/2", "/?page=2", "?paged=2"])
def test_a_front_page_has_a_next_page(address: str) -> None:
    html = f"<a href='{address}'>Next</a><a href=/story-2>Next</a>"
    assert (
        found(html, "http://a.example/")
        == f"http://a.example{address if address[0] == '/' else f'/{address}'}"
    )


@pytest.mark.parametrize("name", ["новости", "news-я", "я", "ясно-1"])
def test_an_address_of_any_letters_is_looked_for_by_the_compiled_loop(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://a.example/{name}"
    assert found(f"<a href='/{name}?page=2'>Next page</a>", url) == f"{url}?page=2"
    assert "compiled loop failed" not in caplog.text
