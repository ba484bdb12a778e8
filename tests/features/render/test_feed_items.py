"""An item of a feed as a page: its own content alone, whichever kind of feed."""

from __future__ import annotations

import json

import pytest

from winnow.document.values import Page
from winnow.features.books.feed_content import ATOM, CONTENT
from winnow.features.render.feed_items import item_page

LINK = "https://a.test/story"
ATOM_FEED = "<feed xmlns='{}'><entry><title>A</title><link href='/story'/>{}</entry></feed>"
RSS = (
    "<rss xmlns:c='{}'><channel><item><title>A &amp; B</title><link>{}</link>{}</item>"
    "</channel></rss>"
)


def page(body: str) -> Page:
    return Page(body.encode(), "https://a.test/feed")


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("<content type='html'>&lt;p>Text&lt;/p></content>", "<p>Text</p>"),
        ("<content type='xhtml'><div><p>Text</p></div></content>", "<p>Text</p></div>"),
        ("<content>Less &lt; more</content>", "<p>Less &lt; more</p>"),
    ],
)
def test_atom(content: str, wanted: str) -> None:
    assert wanted in item_page(page(ATOM_FEED.format(ATOM, content)), LINK)


def test_rss_and_json() -> None:
    encoded = "<c:encoded>&lt;p>Text&lt;/p></c:encoded>"
    found = item_page(page(RSS.format(CONTENT, LINK, encoded)), LINK)
    assert "<h1>A &amp; B</h1><p>Text</p>" in found
    items = [{"url": LINK, "title": "A", "content_html": "<p>Text</p>"}]
    assert "<p>Text</p>" in item_page(page(json.dumps({"items": items})), LINK)


@pytest.mark.parametrize(
    "body",
    [
        RSS.format(CONTENT, LINK, "<description>A summary</description>"),
        RSS.format(CONTENT, "https://a.test/other", "<c:encoded>Text</c:encoded>"),
        ATOM_FEED.format(ATOM, "<content src='https://a.test/file'/>"),
        json.dumps({"items": [{"url": LINK, "summary": "Text"}]}),
        "<html><p>Text</html>",
        "",
    ],
)
def test_without_its_content_there_is_none(body: str) -> None:
    assert item_page(page(body), LINK) == ""
