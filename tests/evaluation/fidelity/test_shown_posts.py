"""A post counts with its author and day near it; posts are apart in articles of their own."""

from __future__ import annotations

import pytest

from winnow.document.document import Document
from winnow.evaluation.fidelity.shown_posts import ShownPosts, day_of

FIRST, OTHER = "one two three four five", "six seven eight nine ten"


def posts(html: str) -> ShownPosts:
    return ShownPosts(Document.from_html(html))


def article(text: str, who: str = "Ada", day: str = "2024-01-05T10:00Z", quote: str = "") -> str:
    return f"<article><h2>{who} <time datetime={day}>then</time></h2>{quote}<p>{text}</article>"


@pytest.mark.parametrize(
    ("html", "has"),
    [
        (article(FIRST), True),
        (article(FIRST, quote=f"<blockquote>{'word ' * 200}</blockquote>"), True),
        (f"<p>{FIRST}</p>{article(OTHER, 'Bo')}{article(FIRST)}", True),
        (article(FIRST, day="2024-01-05T23:30-05:00"), False),
        (article(FIRST, who="Bo"), False),
        (article(OTHER), False),
    ],
)
def test_a_post_is_there_with_its_author_and_day(html: str, has: bool) -> None:
    assert posts(html).has(FIRST, "ada", "2024-01-05") is has


@pytest.mark.parametrize(
    ("html", "apart"),
    [
        (article(FIRST) + article(OTHER), True),
        (article(FIRST) + article(f"<q>{FIRST}</q> {OTHER}"), True),
        (article(f"{FIRST} {OTHER}"), False),
        (f"<p>{FIRST}</p>{article(OTHER)}", False),
        (article(FIRST), False),
    ],
)
def test_posts_are_apart_in_articles_of_their_own(html: str, apart: bool) -> None:
    assert posts(html).are_apart([FIRST, OTHER]) is apart


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2024-01-05", "2024-01-05"),
        ("2024-01-05T23:30:00-0500", "2024-01-06"),
        ("2024-01-05 23:30:00 +00:00", "2024-01-05"),
        ("5 January 2024", "2024-01-05"),
        ("last week", "last week"),
    ],
)
def test_days_are_those_of_utc(moment: str, day: str) -> None:
    assert day_of(moment) == day
