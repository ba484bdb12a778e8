"""The genre of a page is that of the nearest pre-classified site, by shares of key words."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.extractors.crunch.relax_levels import PRESETS
from winnow.extractors.crunch.site_genre import (
    AUTO_LEVELS,
    UNRELIABLE,
    GenreSites,
    auto_level,
    is_front,
    parents_of,
    shipped,
)
from winnow.extractors.registry import make

SITES = GenreSites(
    ("cart", "minister", "price", "said"),
    ("news", "shopping"),
    np.array([[0, 4, 1, 5], [5, 0, 5, 0]]),
)


@pytest.mark.parametrize(
    ("text", "genre"),
    [
        ("The minister said that she said nothing.", "news"),
        ("Price: 3. Add to CART, see the price, go to the cart.", "shopping"),
        ("Nothing that is known here.", ""),
        ("", ""),
    ],
)
def test_the_nearest_site_tells_the_genre(text: str, genre: str) -> None:
    assert SITES.genre(text) == genre


def test_how_long_a_page_is_does_not_matter() -> None:
    assert SITES.genre("cart price " * 500) == SITES.genre("cart price") == "shopping"


@pytest.mark.parametrize(
    ("text", "url", "level"),
    [
        ("the minister said", "http://news.example/2026/story.html", 2),
        ("the minister said", "http://news.example/", 6),
        ("cart price", "http://shop.example/", 6),
        ("no key word", "http://shop.example/x", 12),
    ],
)
def test_the_slider_stands_by_itself(text: str, url: str, level: int) -> None:
    document = Document.from_html(f"<p>{text}</p>", url)
    assert auto_level(document, SITES)[0] == level


@pytest.mark.parametrize("genre", sorted(UNRELIABLE))
def test_a_kind_that_words_tell_badly_counts_as_unknown(genre: str) -> None:
    sites = GenreSites(("cart", "minister"), (genre, "news"), np.array([[5, 0], [0, 5]]))
    document = Document.from_html("<p>cart</p>", "http://a.example/x")
    assert sites.genre("cart") == genre
    assert auto_level(document, sites) == (12, "the kind is unknown")


def test_what_is_known_to_be_no_front_page_is_none() -> None:
    document = Document.from_html("<p>the minister said</p>", "http://news.example/index.html")
    assert auto_level(document, SITES)[0] == 6
    assert auto_level(document, SITES, inner=True)[0] == 2
    assert make("crunch:preset=auto,inner=true").extract(document).reasons


@pytest.mark.parametrize(
    ("url", "front"),
    [
        ("http://a.example", True),
        ("http://a.example/", True),
        ("http://a.example/index.html", True),
        ("http://a.example/uk/Default.aspx", True),
        ("http://a.example/people/~ada", True),
        ("http://a.example/story.html", False),
        ("http://a.example/news/", False),
        ("no address", False),
    ],
)
def test_a_front_page_is_a_bare_host_or_has_the_name_of_one(url: str, front: bool) -> None:
    assert is_front(url) is front


@pytest.mark.parametrize(("status", "front"), [(200, True), (404, False), (403, False)])
def test_a_directory_above_that_is_not_there_makes_it_none(status: int, front: bool) -> None:
    url = "http://a.example/uk/index.html"
    assert parents_of(url) == ["http://a.example/uk/", "http://a.example/"]
    assert is_front(url, {"http://a.example/uk/": status}) is front


def test_the_sites_that_ship_know_every_preset_and_hold_nothing_but_words_and_counts() -> None:
    sites = shipped()
    assert set(sites.genres) == set(PRESETS) == (set(AUTO_LEVELS) - {""}) | UNRELIABLE
    assert sites.counts.shape == (len(sites.genres), len(sites.words))
    assert all(word.isalpha() for word in sites.words)


def test_the_preset_auto_says_why() -> None:
    document = Document.from_html("<p>Add to cart. Free shipping on this product in your cart.</p>")
    extraction = make("crunch:preset=auto").extract(document)
    assert extraction.reasons[0].startswith("level ")


def test_a_preset_is_its_level() -> None:
    document = Document.from_html("<p>a <a href=/x>link</a> <button>b</button></p>")
    by_preset = make("crunch:preset=government").extract(document)
    assert by_preset.spans == make("crunch:5").extract(document).spans
