"""A poster is one that the page carries, and nothing of a third party is fetched before a click."""

from __future__ import annotations

import json
import re

import pytest

from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Recipe, Span

GATEWAY = "http://127.0.0.1:8080/"
FILM = "https://www.youtube.com/embed/abcdefghijk"
STATED = "https://i.ytimg.com/vi/abcdefghijk/hq.jpg"


def shown(body: str, prefix: str = "", node: object = None) -> str:
    linked = f'<script type="application/ld+json">{json.dumps(node)}</script>' if node else ""
    html = f"{linked}<p>Some words before it.</p>{body}<p>And some behind.</p>"
    document = Document.from_html(html, "https://example.org/news/1")
    everything = Extraction("all", (Span(0, len(document.text)),))
    page = renderer_for(Recipe(link_prefix=prefix)).render(document, everything).body.decode()
    return page.partition("<h1>")[2]


def fetched(markup: str) -> list[str]:
    return re.findall(r' (?:src|poster)="([^"]+)"', markup)


def film(**more: object) -> dict[str, object]:
    return {"@type": "VideoObject", "embedUrl": FILM, "thumbnailUrl": STATED, **more}


@pytest.mark.parametrize("node", [film(), film(thumbnailUrl=[STATED, "/2.jpg"])])
def test_a_stated_poster_comes_through_the_gateway_without_referrer(node: object) -> None:
    page = shown(f"<iframe src='{FILM}?rel=0'></iframe>", GATEWAY, node)
    assert fetched(page) == [GATEWAY + STATED]
    assert 'referrerpolicy="no-referrer"' in page
    assert "Video (youtube.com)</a>" in page


@pytest.mark.parametrize(
    ("frame", "node"),
    [
        (f"<iframe src='{FILM}'></iframe>", film()),
        (f"<iframe src='{FILM}' data-poster='{STATED}'></iframe>", None),
        ("<video src=/a.mp4 poster=https://cdn.test/a.jpg></video>", None),
        (f"<iframe src='{FILM}' data-poster='https://notexample.org/a.jpg'></iframe>", None),
    ],
)
def test_without_the_gateway_no_third_party_is_asked_for_a_poster(frame: str, node: object) -> None:
    assert [found for found in fetched(shown(frame, "", node)) if "example.org" not in found] == []
    assert "notexample" not in "".join(fetched(shown(frame, "", node)))


def test_posters_of_the_pages_own_site_are_shown() -> None:
    frame = f"<iframe src='{FILM}' data-poster='https://img.example.org/a.jpg'></iframe>"
    assert fetched(shown(frame)) == ["https://img.example.org/a.jpg"]
    player = "<video src=/a.mp4 poster=/a.jpg></video>"
    assert 'poster="https://example.org/a.jpg"' in shown(player)


@pytest.mark.parametrize(
    "node",
    [
        film(embedUrl="https://www.youtube.com/embed/another_one"),
        film(thumbnailUrl=None),
        film(thumbnailUrl={"@id": "x"}),
        film(**{"@type": "ImageObject"}),
    ],
)
def test_a_frame_without_a_poster_of_its_own_has_none(node: object) -> None:
    assert fetched(shown(f"<iframe src='{FILM}'></iframe>", GATEWAY, node)) == []


def test_a_film_from_a_third_party_is_not_fetched_for_its_poster() -> None:
    page = shown("<video src=https://cdn.test/a.mp4 poster=https://cdn.test/a.jpg></video>")
    assert 'preload="none"' in page
    assert "poster" not in page
