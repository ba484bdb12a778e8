"""The question before an address in the reader's own network is opened, and what follows it."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.templates.support import attribute, text
from winnow.proxy.own.templates.errors.private_address_page import (
    BEGIN,
    FetchRequest,
    begun_page,
    question_page,
)

PAGE = ("url", "http://router/a?b=c&d=<e>")


def fields_of(body: bytes) -> dict[str, str]:
    """What the form of a page sends."""
    inputs = LexborHTMLParser(body).css("form input")
    return {attribute(one, "name"): attribute(one, "value") for one in inputs}


def test_the_question_names_the_host_and_asks_for_the_same_again() -> None:
    request = FetchRequest("/-/why", (PAGE, ("token", "old"), ("level", "5")))
    page = question_page(request, "router", "new")
    tree = LexborHTMLParser(page.body)
    assert page.status == 403
    assert "Open an address in your own network? router is in your own network." in text(page)
    assert attribute(tree.css_first("form"), "action") == "/-/why"
    assert fields_of(page.body) == {"url": PAGE[1], "level": "5", "token": "new"}


def test_a_site_that_leads_to_the_question_cannot_have_its_button_hit() -> None:
    """By a click that it got its reader to make; see ``elements.form``."""
    page = question_page(FetchRequest("/-/why", (PAGE,)), "router", "new")
    assert "late" in attribute(LexborHTMLParser(page.body).css_first("button"), "class").split()


def test_a_file_begins_from_a_page_that_says_so() -> None:
    asked = question_page(FetchRequest("/-/book", (PAGE,)), "router", "new")
    fields = fields_of(asked.body)
    assert fields == {"url": PAGE[1], "token": "new", BEGIN: "1"}
    request = FetchRequest("/-/book", tuple(fields.items()))
    assert request.begins
    page = begun_page(request)
    tree = LexborHTMLParser(page.body)
    target = "/-/book?url=http%3A%2F%2Frouter%2Fa%3Fb%3Dc%26d%3D%3Ce%3E&token=new"
    assert page.headers["Refresh"] == f"0; url={target}"
    assert "Your download has begun" in text(page)
    links = {one.text(): attribute(one, "href") for one in tree.css("main a")}
    assert links["Back to the page"].startswith("http://router/a?b=c&d=")
    assert links["Download it again"] == target


def test_what_is_seen_in_the_tab_needs_no_page_before_it() -> None:
    assert not FetchRequest("/-/why", ((BEGIN, "1"),)).begins
    assert not FetchRequest("/-/book", (PAGE,)).begins


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "http://"])
def test_no_link_leads_to_what_is_no_address_of_a_page(url: str) -> None:
    request = FetchRequest("/-/book", (("url", url),))
    for page in (question_page(request, "router", "new"), begun_page(request)):
        targets = [attribute(one, "href") for one in LexborHTMLParser(page.body).css("main a")]
        assert all(each.startswith("/-/book?") for each in targets)
