"""The other forms of a page: which are looked at, and that no other site is asked."""

from __future__ import annotations

import pytest

from tests.proxy.origins import Origin, html, reply, serving
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.features.books.feed_content import CONTENT
from winnow.features.render.alternate_pages import AlternatePages
from winnow.features.render.alternates import MOST, alternates
from winnow.jobs.job_types import InProcess
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.upstream.fetcher import Fetcher

AMP = "<link rel=amphtml href='{}'>"
PRINT = "<link rel=alternate media=print href='{}'>"


def found(head: str, url: str = "https://www.a.test/story") -> list[tuple[str, str]]:
    page = Page(f"<!doctype html><head>{head}</head><div id=root></div>".encode(), url)
    return [(each.url, each.kind) for each in alternates(page)]


def test_amp_and_print_are_found() -> None:
    both = found(AMP.format("/amp/story#top") + PRINT.format("?print=1"))
    assert both == [
        ("https://www.a.test/amp/story", "AMP"),
        ("https://www.a.test/story?print=1", "print"),
    ]


@pytest.mark.parametrize("address", ["https://amp.a.test/story", "https://a.test/amp"])
def test_hosts_of_the_same_site(address: str) -> None:
    assert found(AMP.format(address)) == [(address, "AMP")]


@pytest.mark.parametrize(
    "address",
    [
        "https://www-a-test.cdn.test/story",
        "https://b.test/story",
        "https://test/story",
        "http://www.a.test/amp",
        "https://www.a.test:8443/amp",
        "https://www.a.test/story",
        "ftp://www.a.test/amp",
        "javascript:1",
        "https://[",
        "",
    ],
)
def test_other_sites_weaker_schemes_and_the_page_itself_are_not(address: str) -> None:
    assert found(AMP.format(address)) == []


def test_few_are_tried() -> None:
    assert len(found("".join(AMP.format(f"/{number}") for number in range(9)))) == MOST


@pytest.mark.parametrize("head", ["<link rel=alternate href=/de hreflang=de>", "<link rel>", "<a"])
def test_other_links_are_none(head: str) -> None:
    assert found(head) == []


async def test_the_first_that_answers_is_taken() -> None:
    async with serving(Origin()) as origin:
        origin.replies["/print"] = html(b"<p>The text.")
        page = Page((AMP.format("/amp") + PRINT.format("/print")).encode(), origin.url("/story"))
        got = await _alternate(page)
    assert got is not None
    assert (got[0].body, got[0].url, got[1]) == (b"<p>The text.", origin.url("/print"), "print")


async def test_a_redirect_is_not_followed() -> None:
    async with serving(Origin()) as other, serving(Origin()) as origin:
        other.replies["/amp"] = html(b"<p>The text.")
        origin.replies["/amp"] = reply(b"", f"Location: {other.url('/amp')}", status="302 Found")
        page = Page(AMP.format("/amp").encode(), origin.url("/story"))
        assert await _alternate(page) is None
    assert other.requests == []


FEED = "<link rel=alternate type=application/rss+xml href='/feed'>"


async def test_the_item_of_a_feed_is_a_form_of_its_page() -> None:
    async with serving(Origin()) as origin:
        item = f"<item><title>A story</title><link>{origin.url('/story')}</link>"
        content = "<content:encoded><![CDATA[<p>The text.</p>]]></content:encoded></item>"
        feed = f"<rss xmlns:content='{CONTENT}'><channel>{item}{content}</channel></rss>"
        origin.replies["/feed"] = reply(feed.encode(), "Content-Type: application/rss+xml")
        got = await _alternate(Page(FEED.encode(), origin.url("/story")))
        other = await _alternate(Page(FEED.encode(), origin.url("/other")))
    assert got is not None
    assert got[0].url == origin.url("/story")
    assert b"<h1>A story</h1><p>The text.</p>" in got[0].body
    assert other is None


async def _alternate(page: Page) -> tuple[Page, str] | None:
    client = client_of(Settings())
    fetcher = Fetcher(client, Policy, max_redirects=0)
    try:
        return await AlternatePages(fetcher, InProcess(), lambda *_: True)(page)
    finally:
        await client.aclose()
