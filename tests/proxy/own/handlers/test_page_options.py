"""All that can be done with a page stands on one page of our own, which changes nothing."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from tests.proxy.own.templates.support import attribute, text
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.page_options import PageOptions
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.choice_forms import ChoiceAction, read_choice
from winnow.proxy.own.templates.options_page import options_page

PAGE = "http://news.example/story?id=1&x=<b>"


async def test_every_way_leads_from_it() -> None:
    options = PageOptions(("auto", "bte"))
    answer = await options(asked("/-/options", query={"url": PAGE}))
    tree = LexborHTMLParser(answer.body)
    paths = {attribute(node, "href").partition("?")[0] for node in tree.css("main a")}
    assert {"/-/why", "/-/compare", "/-/book", "/-/feed", "/-/read", "/-/choose"} <= paths
    assert any(path.startswith("/-/small/http://news.example/") for path in paths)
    assert all(attribute(form, "method") == "get" for form in tree.css("form"))
    assert {"auto", "bte"} == {attribute(node, "value") for node in tree.css("option")}


async def test_a_method_is_chosen_for_the_site() -> None:
    answer = await PageOptions(("bte",))(asked("/-/options", query={"url": PAGE}))
    form = LexborHTMLParser(answer.body).css_first("form:has(select)")
    assert form is not None
    fields = {attribute(node, "name"): attribute(node, "value") for node in form.css("input")}
    chosen = read_choice({**fields, "value": "bte"}, frozenset({"bte"}))
    assert (chosen.action, chosen.site, chosen.value) == (
        ChoiceAction.EXTRACTOR,
        "news.example",
        "bte",
    )
    assert LexborHTMLParser(answer.body).css_first("h2#save")


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "/etc/passwd"])
async def test_what_is_no_page_has_none(url: str) -> None:
    with pytest.raises(ClientFaultError):
        await PageOptions(())(asked("/-/options", query={"url": url}))


def test_an_address_is_no_markup() -> None:
    page: HtmlPage = options_page(PAGE, (), "token")
    assert b"<b>" not in page.body
    assert "news.example" in text(page)
