"""The frame escapes what it is given and lets no script in."""

from __future__ import annotations

from markupsafe import Markup

from tests.proxy.own.templates.support import assert_sound, parsed, text
from winnow.proxy.own.templates.base_page import listed, own_page, sentences


def test_a_page_is_sound_and_says_what_it_was_given() -> None:
    page = own_page("Title", sentences("One.", "Two."))
    assert_sound(page)
    assert text(page) == "Title One. Two."


def test_titles_and_texts_are_escaped() -> None:
    page = own_page("<script>", sentences("<b>") + listed(("<i>", Markup("<em>fine</em>"))))
    tree = parsed(page)
    assert not tree.css("script, b, i")
    assert len(tree.css("em")) == 1


def test_lists_may_be_ordered_or_empty() -> None:
    assert listed(()) == ""
    assert listed(("a",), ordered=True).startswith("<ol>")


def test_headers_may_be_added() -> None:
    page = own_page("Title", Markup("")).with_headers({"X-More": "1"})
    assert page.headers["X-More"] == "1"
    assert page.headers["Cache-Control"] == "no-store"


def test_a_wide_page_says_so() -> None:
    assert parsed(own_page("Title", Markup(""), kind="wide")).css("body.wide")
