"""All that can be done with a page stands on one page of our own, which changes nothing."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.own_requests import asked
from tests.proxy.own.templates.support import attribute, text
from winnow.features.site.page_options import MethodParameters, options_page, page_options
from winnow.jobs.job_types import InProcess
from winnow.jobs.page_jobs import ParametersJob
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.own.templates.base_page import HtmlPage

PAGE = "http://news.example/story?id=1&x=<b>"


async def test_every_way_leads_from_it() -> None:
    answer = await page_options(asked("/-/options", query={"url": PAGE}))
    tree = LexborHTMLParser(answer.body)
    paths = {attribute(node, "href").partition("?")[0] for node in tree.css("main a")}
    assert {
        "/-/why",
        "/-/compare",
        "/-/book",
        "/-/feed",
        "/-/read",
        "/-/choose",
        "/-/settings/site",
    } <= paths
    assert any(path.startswith("/-/small/http://news.example/") for path in paths)
    (levels,) = tree.css("form")
    assert (attribute(levels, "action"), attribute(levels, "method")) == ("/-/choose", "get")


async def test_the_parameters_of_methods_are_asked_for_once() -> None:
    workers = AsyncMock(wraps=InProcess())
    parameters = MethodParameters(("auto", "lqf", "vips", "memory"), workers)
    for _ in range(2):
        found = await parameters.of("lqf:0.3")
    workers.run.assert_awaited_once_with(ParametersJob(parameters.methods))  # they do not change
    assert {each.method for each in found} == {"lqf"}
    assert not await parameters.of("")


async def test_busy_workers_cost_no_page() -> None:
    busy = AsyncMock()
    busy.run.side_effect = TransformError("Too many pages wait.", "busy")
    assert await MethodParameters(("lqf",), busy).of("lqf") == ()


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "/etc/passwd"])
async def test_what_is_no_page_has_none(url: str) -> None:
    with pytest.raises(ClientFaultError):
        await page_options(asked("/-/options", query={"url": url}))


def test_an_address_is_no_markup() -> None:
    page: HtmlPage = options_page(PAGE, "token")
    assert b"<b>" not in page.body
    assert "news.example" in text(page)
