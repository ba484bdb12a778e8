"""The features of blocks, each on a page written for it."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.extractors.crf.crf_features import BINS, NEAR, block_features

PROSE = "The river rose in the night. Nobody was hurt, they said."


def values(html: str, name: str) -> list[int]:
    found: list[int] = block_features(Document.from_html(html)).columns[name].tolist()
    return found


@pytest.mark.parametrize(
    ("name", "html", "expected"),
    [
        ("container.p", f"<p>{PROSE}</p><div>Menu</div>", [10, 0]),
        ("container.a", "<p>one <a>two</a></p><p><a>three</a></p>", [5, 10]),
        ("container.class-heading", f"<h2>Title</h2><p>{PROSE}</p>", [10, 0]),
        ("container.class-bold", "<p><b>all</b></p><p>none</p>", [10, 0]),
        ("container.img", "<p>with <img src=x></p><p>without</p>", [1, 0]),
        ("char.alpha-rel", "<p>abcde</p><p>12345</p>", [10, 0]),
        ("char.num-rel", "<p>abcde</p><p>12345</p>", [0, 10]),
        ("char.punct-rel", "<p>a...</p>", [7]),
        ("token.count", "<p>one</p><p>one two three</p>", [1, 2]),
        ("token.mix-rel", "<p>b2b</p><p>plain</p>", [10, 0]),
        ("sentence.count", f"<p>{PROSE}</p><p>Menu</p>", [1, 0]),
        ("sentence-begin", "<p>Yes</p><p>no</p>", [1, 0]),
        ("sentence-end", "<p>Yes.</p><p>no</p>", [1, 0]),
        ("duplicate-count", "<p>same</p><p>same</p><p>other</p>", [1, 1, 0]),
        ("first-duplicate", "<p>same</p><p>same</p>", [1, 0]),
        ("regexp.url", "<p>see www.example.com</p><p>see it</p>", [1, 0]),
        ("regexp.date", "<p>on 4/11/2007</p><p>today</p>", [1, 0]),
        ("regexp.time", "<p>at 9:30</p><p>now</p>", [1, 0]),
        ("bullet", "<p>• one</p><p>two</p>", [1, 0]),
        ("position", "<p>a</p><p>b</p><p>c</p>", [0, 5, 10]),
        ("document.block-count", "<p>a</p><p>b</p><p>c</p>", [2, 2, 2]),
        ("div-group.word-ratio", "<div><p>a b c</p></div><div><p>d</p></div>", [7, 2]),
        ("document.max-div-group", "<div><p>a b c</p></div><div><p>d</p></div>", [7, 7]),
        ("before.token.count", "<p>one two three</p><p>x</p>", [0, 3]),
        ("behind.token.count", "<p>one two three</p><p>x</p>", [2, 0]),
    ],
)
def test_a_feature_has_its_value(name: str, html: str, expected: list[int]) -> None:
    assert values(html, name) == expected


def test_blocks_that_no_browser_shows_have_no_features() -> None:
    found = block_features(Document.from_html("<p hidden>gone</p><p>shown</p><p></p>"))
    assert len(found.index) == 1
    assert len(found.attributes()) == 1


@pytest.mark.parametrize(
    "html", ["", "<p>", f"<p>{'word ' * 3000}</p>" * 3, "<p>\ud800 \U0001f600"]
)
def test_every_value_is_within_bounds(html: str) -> None:
    found = block_features(Document.from_html(html))
    for name, column in found.columns.items():
        assert len(column) == len(found.index), name
        assert ((column >= 0) & (column < BINS)).all()
    assert {f"before.{name}" for name in NEAR} <= found.columns.keys()
