"""All that can be done with a page stands on one page of our own, which changes nothing."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from tests.proxy.own.templates.support import attribute, text
from winnow.engine.comparing import parameters_of
from winnow.jobs.results import MethodParameter
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.own.controller import with_values
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
    assert {
        "/-/why",
        "/-/compare",
        "/-/book",
        "/-/feed",
        "/-/read",
        "/-/choose",
        "/-/settings/crunch",
    } <= paths
    assert any(path.startswith("/-/small/http://news.example/") for path in paths)
    assert all(attribute(form, "method") == "get" for form in tree.css("form"))
    names = tree.css("select[name=value] option")
    assert {"auto", "bte"} == {attribute(node, "value") for node in names}


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


async def test_a_method_is_chosen_with_its_own_parameters() -> None:
    asked_for: list[tuple[str, ...]] = []

    async def declared(methods: tuple[str, ...]) -> tuple[MethodParameter, ...]:
        asked_for.append(methods)
        return parameters_of(methods)

    options = PageOptions(("auto", "lqf", "vips", "memory"), declared)
    for _ in range(2):
        answer = await options(asked("/-/options", query={"url": PAGE}))
    assert asked_for == [("auto", "lqf", "vips", "memory")]  # they do not change
    form = LexborHTMLParser(answer.body).css_first("form:has(select[name=value])")
    assert form is not None
    names = {attribute(node, "name") for node in form.css("input, select")}
    assert {"lqf.threshold", "vips.granularity", "memory.algorithm", "memory.k"} <= names
    fields = {attribute(node, "name"): attribute(node, "value") for node in form.css("input")}
    sent = {**fields, "value": "lqf", "lqf.threshold": "0.3", "vips.granularity": "9"}
    chosen = read_choice(with_values(sent), frozenset({"lqf"}))
    assert chosen.value == "lqf:threshold=0.3"


async def test_busy_workers_cost_no_page() -> None:
    async def busy(_: tuple[str, ...]) -> tuple[MethodParameter, ...]:
        raise TransformError("Too many pages wait.", "busy")

    answer = await PageOptions(("lqf",), busy)(asked("/-/options", query={"url": PAGE}))
    assert answer.status == 200


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "/etc/passwd"])
async def test_what_is_no_page_has_none(url: str) -> None:
    with pytest.raises(ClientFaultError):
        await PageOptions(())(asked("/-/options", query={"url": url}))


def test_an_address_is_no_markup() -> None:
    page: HtmlPage = options_page(PAGE, (), (), "token")
    assert b"<b>" not in page.body
    assert "news.example" in text(page)
