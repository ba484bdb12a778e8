"""Frames, plug-ins and players have names of their own; nothing is fetched before a click."""

from __future__ import annotations

import re

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Recipe, Span


def shown(markup: str) -> str:
    document = Document.from_html(f"<p>Some words before it.</p>{markup}<p>And some behind.</p>")
    everything = Extraction("all", (Span(0, len(document.text)),))
    return renderer_for(Recipe()).render(document, everything).body.decode().partition("<h1>")[2]


def links(markup: str) -> list[tuple[str, str]]:
    return re.findall(r'<a href="([^"]+)" rel="noreferrer">([^<]+)</a>', shown(markup))


YOUTUBE = "https://www.youtube.com/embed/abcdefghijk"


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        (f"<iframe src='{YOUTUBE}' title='The launch'></iframe>", "The launch (youtube.com)"),
        (f"<iframe src='{YOUTUBE}' title='YouTube video player'></iframe>", "Video (youtube.com)"),
        (f"<iframe data-src='{YOUTUBE}' src='about:blank'></iframe>", "Video (youtube.com)"),
        ("<iframe src=https://player.vimeo.com/video/77></iframe>", "Video (vimeo.com)"),
        ("<iframe src=https://www.google.com/maps/embed?pb=1></iframe>", "Map (google.com)"),
        (
            "<iframe src=https://open.spotify.com/embed/episode/1></iframe>",
            "Audio (open.spotify.com)",
        ),
        (
            "<iframe src=https://datawrapper.dwcdn.net/x/1/></iframe>",
            "Chart (datawrapper.dwcdn.net)",
        ),
        ("<object data=https://example.org/report.pdf></object>", "PDF (example.org)"),
        ("<embed src=https://example.org/a.pdf title='The report'>", "The report (example.org)"),
        ("<iframe src=https://codepen.io/a/embed/b></iframe>", "Code (codepen.io)"),
        (
            "<figure><iframe src=https://e.org/1></iframe><figcaption>Ice</figcaption></figure>",
            "Ice (e.org)",
        ),
        ("<iframe src=https://e.org/1></iframe>", "Embedded content (e.org)"),
    ],
)
def test_a_frame_is_a_link_with_a_name_and_its_host(markup: str, name: str) -> None:
    assert [found for _, found in links(markup)] == [name]
    assert "<iframe" not in shown(markup)


def test_six_films_have_six_names() -> None:
    frame = f"<p><iframe src={YOUTUBE}{{}} title='YouTube video player'></iframe></p>"
    found = [name for _, name in links("".join(frame.format(number) for number in range(6)))]
    assert found == ["Video (youtube.com)", *(f"Video {n} (youtube.com)" for n in range(2, 7))]


def test_a_link_leads_to_the_page_of_a_film() -> None:
    assert links(f"<iframe src='{YOUTUBE}?rel=0'></iframe>")[0][0] == (
        "https://www.youtube.com/watch?v=abcdefghijk"
    )


@pytest.mark.parametrize(
    "markup",
    [
        "<iframe src=https://ad.doubleclick.net/1></iframe>",
        "<iframe src=https://e.org/1 width=1 height=1></iframe>",
        "<iframe src=https://e.org/1 height=0px></iframe>",
        "<iframe src='javascript:1'></iframe>",
        "<object data='data:text/html,x'></object>",
        "<iframe></iframe>",
    ],
)
def test_what_shows_nothing_to_a_person_is_left_out(markup: str) -> None:
    assert "<a " not in shown(markup)


def test_players_have_names_and_fetch_nothing() -> None:
    found = shown(
        "<audio src=/a.mp3 title='Episode 3'></audio><video src=/b.mp4></video>"
        "<video><source src=/c.mp4></video><audio src=/d.mp3></audio>"
    )
    names = re.findall(r'<(\w+) [^>]*aria-label="([^"]+)"', found)
    assert names == [
        ("audio", "Episode 3"), ("video", "Video"), ("video", "Video 2"), ("audio", "Audio"),
    ]  # fmt: skip
    assert found.count('preload="none"') == 4
