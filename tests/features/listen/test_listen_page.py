"""The page that reads aloud offers sound first: a file of a book only where none can be made."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from winnow.features.listen.templates.audio_links import audio_address
from winnow.features.listen.templates.listen_page import listen_page
from winnow.proxy.own.checked_values import own_address

RECORD = {"title": "Rain", "lang": "en", "dir": "", "content": "<p>It rained.</p>"}
URL = "https://example.com/rain"
LOOKS = own_address("/-/settings/reading")


def test_where_audio_files_can_be_made_a_player_comes_first() -> None:
    files = {kind: audio_address(URL, kind) for kind in ("opus", "mp3", "epub")}
    page = listen_page(RECORD, URL, LOOKS, files)
    tree = LexborHTMLParser(page.body)
    sources = [node.attributes["src"] for node in tree.css("audio[preload=none] source")]
    assert sources == [files["opus"], files["mp3"]]
    links = [node.attributes["href"] for node in tree.css("main a")]
    assert links[:2] == sources, "audio before any book"
    assert "format=epub" not in str(tree.css("#no-voice")[0].html)
    assert "media-src 'self'" in page.headers["Content-Security-Policy"]


def test_where_none_can_be_made_the_book_is_offered() -> None:
    tree = LexborHTMLParser(listen_page(RECORD, URL, LOOKS).body)
    assert not tree.css("audio")
    assert "format=epub" in str(tree.css("#no-voice a")[0].attributes["href"])
