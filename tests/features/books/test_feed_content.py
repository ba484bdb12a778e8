"""Feeds of every kind: their items are found and filled, and all else stays as it was."""

from __future__ import annotations

import json

import pytest
from lxml import etree

from winnow.document.values import Page
from winnow.features.books.feed_content import filled, read_feed
from winnow.features.books.jobs import Feed

URL = "https://a.example/feeds/all"
RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title>One</title><link> /one </link><description>short</description></item>
<item><title>Two</title><guid>https://a.example/two#c</guid></item>
<item><title>No page</title><guid isPermaLink="false">x</guid></item></channel></rss>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/"><item><link>https://a.example/one</link></item></rdf:RDF>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
<entry><link rel="self" href="/self"/><link href="/one"/><content>teaser</content></entry>
<entry xml:base="/deep/"><link rel="alternate" href="two"/></entry></feed>"""
JSON_FEED = json.dumps({"version": "x", "items": [{"url": "/one"}, {"external_url": 3}]}).encode()


@pytest.mark.parametrize(
    ("body", "kind", "links"),
    [
        (RSS, "rss", ("https://a.example/one", "https://a.example/two", "")),
        (RDF, "RDF", ("https://a.example/one",)),
        (JSON_FEED, "json", ("https://a.example/one", "")),
    ],
)
def test_the_pages_of_items_are_found(body: bytes, kind: str, links: tuple[str, ...]) -> None:
    assert read_feed(Page(body, URL)) == Feed(kind, links)


def test_atom_takes_the_alternate_link() -> None:
    assert read_feed(Page(ATOM, URL)).links[0] == "https://a.example/one"


CONTENT = "<p>All of <b>it</b> & more\x01.</p>"


def test_rss_gets_its_content_and_keeps_the_rest() -> None:
    body, media_type = filled(Page(RSS, URL), {"https://a.example/one": CONTENT})
    root = etree.fromstring(body)
    encoded = root.findall(".//{http://purl.org/rss/1.0/modules/content/}encoded")
    assert [element.text for element in encoded] == ["<p>All of <b>it</b> & more.</p>"]
    assert root.findtext(".//description") == "short"
    assert media_type.startswith("application/rss+xml")


def test_atom_has_its_content_replaced() -> None:
    body, media_type = filled(Page(ATOM, URL), {"https://a.example/one": CONTENT})
    contents = etree.fromstring(body).findall(".//{http://www.w3.org/2005/Atom}content")
    assert [(element.get("type"), element.text) for element in contents] == [
        ("html", "<p>All of <b>it</b> & more.</p>")
    ]
    assert media_type.startswith("application/atom+xml")


def test_json_feed_gets_html() -> None:
    body, media_type = filled(Page(JSON_FEED, URL), {"https://a.example/one": CONTENT})
    assert json.loads(body)["items"][0]["content_html"] == CONTENT
    assert media_type.startswith("application/feed+json")


def test_filling_twice_leaves_one_content() -> None:
    once, _ = filled(Page(RSS, URL), {"https://a.example/one": "a"})
    twice, _ = filled(Page(once, URL), {"https://a.example/one": "b"})
    assert twice.count(b"</content:encoded>") == 1


def test_a_page_says_where_its_feed_is() -> None:
    page = b'<link rel="alternate" type="application/atom+xml; x=y" href="../feed.xml"><p>Hello'
    assert read_feed(Page(page, URL)) == Feed(elsewhere="https://a.example/feed.xml")


@pytest.mark.parametrize("body", [b"", b"{", b"{}", b"[]", b"<p>no feed", b"\x00\xff", b"<svg/>"])
def test_what_is_no_feed_is_none(body: bytes) -> None:
    assert read_feed(Page(body, URL)) == Feed()


def test_entities_are_not_followed() -> None:
    bomb = b'<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + RSS[21:].replace(
        b"short", b"&a;"
    )
    body, _ = filled(Page(bomb, URL), {"https://a.example/one": "x"})
    assert b"root:" not in body
